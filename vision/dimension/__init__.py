"""Dimension: from a photo to a reading of the tray."""
