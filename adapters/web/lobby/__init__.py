"""The lobby: the campaigns that somebody sits in; for the host all of the store, a new one, and one out of a file."""
