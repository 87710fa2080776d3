"""Photos before they are kept: what tells where they were taken is removed."""
