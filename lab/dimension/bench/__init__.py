"""Measures the reader."""
