"""Training of the network that sees boards and cubes."""
