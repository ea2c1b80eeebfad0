"""The board of a game on squares: who stands where, what is in reach, and a move that is being planned."""
