"""Cube: coloured cubes, up to four high on a board of sixteen spaces, seen from five sides."""
