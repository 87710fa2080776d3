"""The picture maker: from a scene to the photo of it."""
