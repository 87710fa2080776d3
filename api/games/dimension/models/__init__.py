"""What travels over HTTP of a table, a score and a reading of Dimension."""
