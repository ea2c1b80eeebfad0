"""Stores of entries in a SQLite file or on a PostgreSQL server, and the read model beside them."""
