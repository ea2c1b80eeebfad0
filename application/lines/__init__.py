"""Typed lines: read, completed, expanded, explained and carried out."""
