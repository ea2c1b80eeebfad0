"""Pages: what one is, what its handler is given, and how it is written."""
