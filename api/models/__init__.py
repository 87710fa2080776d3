"""What goes over the wire, as Pydantic models: OpenAPI is made of them."""
