"""Limits: who asks, and how much an address or a token may have."""
