"""Reading dice: photo → dice found → top faces → values."""
