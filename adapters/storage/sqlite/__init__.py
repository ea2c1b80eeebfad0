"""Campaigns in one SQLite file."""
