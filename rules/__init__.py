"""What the games are: pure Python that knows nothing of pictures or of HTTP.

``game`` says what a game is, ``games`` which there are; each has a package of its own.
"""
