"""grid: squares, flanks and openings."""
