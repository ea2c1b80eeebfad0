"""Attacks: what was tried against rollbook, and what comes of it."""
