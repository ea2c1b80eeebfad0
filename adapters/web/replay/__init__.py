"""The replay of a campaign in play: the player of the replay file, with moments that it fetches as it goes."""
