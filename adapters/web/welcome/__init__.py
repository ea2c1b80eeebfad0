"""While nobody plays: the steps before the game, and the receipt after a session."""
