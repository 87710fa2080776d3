"""Dimension: pictures of trays with known truth, training and measuring."""
