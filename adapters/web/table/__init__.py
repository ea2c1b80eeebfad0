"""The table: the standing, and the log as cards."""
