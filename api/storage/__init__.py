"""Where tables and photos are kept: one database, one directory."""
