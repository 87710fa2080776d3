"""Decks of cards: where cards lie in a picture, and what was enrolled of a deck. For any game."""
