"""Spells: slots, casting, concentration."""
