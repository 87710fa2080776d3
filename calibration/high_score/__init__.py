"""What was learned of a family's own dice."""
