"""Campaigns in a PostgreSQL database that any number of computers write to at once."""
