"""What each game adds to the ways in: a folder a game, and the registry."""
