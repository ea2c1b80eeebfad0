"""Ways out of the store."""
