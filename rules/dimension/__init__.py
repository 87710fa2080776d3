"""Dimension by the book: seats, layouts, cards, verdicts, scores, games, and the best layout."""
