"""Pictures of dice with known truth, training and measuring for High Score."""
