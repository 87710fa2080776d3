"""Training of the two networks that read dice (needs torch)."""
