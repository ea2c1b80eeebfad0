"""A terminal with a home of its own, in which ``rollbook`` is called as a person would call it, and a campaign of each game."""

from tests.support.campaign_fixtures import game
from tests.support.command_line import completions, home, played, rollbook, say, stored, table

__all__ = ["completions", "game", "home", "played", "rollbook", "say", "stored", "table"]
