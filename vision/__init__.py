"""From a photo to a reading of the tray."""
