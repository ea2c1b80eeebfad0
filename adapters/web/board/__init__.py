"""The board of a game on squares: positions, squares within reach, and planned moves."""
