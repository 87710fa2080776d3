"""Trains what finds cards and what tells them apart (needs torch)."""
