"""Monsters: their stat blocks and what they do."""
