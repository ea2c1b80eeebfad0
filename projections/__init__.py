"""Views of a history. Some are kept as tables (an entry changes them, questions read them), others are told from entries."""
