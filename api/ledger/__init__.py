"""A table's history as a chain of hashes, and words for its head."""
