"""The service over HTTP: the app, its routes, and what stands before them."""
