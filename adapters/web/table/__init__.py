"""The table: how things stand, and the log as cards."""
