"""The GM's room: what only the GM may look at or decide, each on a page of its own."""
