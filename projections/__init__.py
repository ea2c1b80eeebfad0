"""Views of a history that are kept as tables: each module has its table, how an entry changes it, and its questions."""
