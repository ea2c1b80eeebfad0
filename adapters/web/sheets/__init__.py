"""Sheets on the web: every number with what made it, at any moment, and drawings of how it went."""
