"""What is measured of a Cube board: its border, its cubes, its four colours."""
