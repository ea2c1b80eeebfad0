"""The read model in SQLite: tables, projection, checkpoints, witnesses."""
