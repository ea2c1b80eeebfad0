"""Characters: abilities, heritage, roles and levels, and their creation."""
