"""Copies of a store: made, restored, moved to another computer."""
