"""Makes pictures of cards with known truth, trains what reads them, measures it.

The decks are of our own making: many random designs, so that a design never seen is nothing new.
"""
