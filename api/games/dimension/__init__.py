"""What Dimension adds to the ways in."""
