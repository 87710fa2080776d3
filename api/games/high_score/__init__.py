"""What High Score adds to the ways in."""
