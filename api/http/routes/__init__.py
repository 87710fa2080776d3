"""The calls of the service, thin: each asks, checks and answers; the work is done elsewhere."""
