"""First stage: which tray the photo is of, and from where it was taken."""
