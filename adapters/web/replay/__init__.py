"""The replay of a campaign that is being played: the player of the replay file, with moments that are fetched by the way."""
