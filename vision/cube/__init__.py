"""Cube by camera: photos of a building → board, evidence ray by ray, building, reading."""
