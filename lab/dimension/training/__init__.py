"""Trains the models of the reader and fits its confidence."""
