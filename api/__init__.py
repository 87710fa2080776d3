"""The ways in: the command line, and the service behind HTTP."""
