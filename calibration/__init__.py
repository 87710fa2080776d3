"""Where things are in a picture and what colours are tonight."""
