"""What Cube adds to the ways in."""
