"""Rows of monsters from files, and other programs' stat blocks."""
