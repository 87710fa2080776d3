"""Processes that read photos, follow cameras and solve, and how they are asked."""
