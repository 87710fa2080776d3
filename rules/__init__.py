"""What the games are: pure Python that knows nothing of pictures or of HTTP.

One package a game. Only Dimension is here so far.
"""
