"""The start photo: an unknown tray measured while all fifteen spheres are in storage."""
