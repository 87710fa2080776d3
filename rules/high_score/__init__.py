"""High Score: seven dice, a challenge each round, and the exact adviser.

Scoring and the game are plain Python; only ``adviser`` loads numpy.
"""
