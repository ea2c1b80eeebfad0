"""The lobby: a browser's campaigns; for the host all of the store, a new one, and imports."""
