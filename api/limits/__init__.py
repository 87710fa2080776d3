"""Who asks, and how much of everything one address or token may have."""
