"""What may come of an action, and how likely it is, before a die falls: exactly, for every verb of every game."""
