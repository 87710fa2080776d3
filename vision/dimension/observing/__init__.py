"""Second stage: what the pixels say about each seat."""
