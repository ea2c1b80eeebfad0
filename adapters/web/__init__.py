"""The table on the web: one process shows every campaign of a store to its game master, players and spectators."""
