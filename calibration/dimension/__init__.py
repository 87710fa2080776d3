"""Dimension: tray profiles, the start photo, the place mat."""
