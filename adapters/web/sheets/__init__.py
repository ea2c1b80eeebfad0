"""Sheets on the web: every number with its terms, at any moment, and drawings of its course."""
