"""What all nodes of one PostgreSQL store share beside its history: seeds, marks, links, and what waits."""
