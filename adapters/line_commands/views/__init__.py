"""Views of answers: rows, columns and sentences."""
