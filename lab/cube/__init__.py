"""Cube in the lab: pictures of buildings with known truth, training, measuring."""
