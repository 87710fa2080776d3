"""Campaigns against a running service: crashes and load. All are slow."""
