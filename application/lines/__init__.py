"""A typed line: read, completed, shortened, asked after, and carried out."""
