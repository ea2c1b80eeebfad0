"""A table of rollbook on Discord."""
