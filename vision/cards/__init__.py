"""The pipeline that reads revealed cards by an enrolled deck. For any game."""
