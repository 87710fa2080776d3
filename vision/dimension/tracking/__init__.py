"""Live video: a tray followed from frame to frame."""
