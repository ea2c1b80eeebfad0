"""What answers look like: rows, columns and sentences."""
