"""The replay of a campaign that is being played: the player of the replay file, with moments that are fetched by the way."""

from rollbook.adapters.web.replay.pages import PAGES

__all__ = ["PAGES"]
