"""Rows of monsters out of files, and other programs' stat blocks."""
