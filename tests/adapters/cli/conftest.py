"""A terminal with a home of its own, in which ``rollbook`` is called as a person would call it."""

from tests.support.command_line import completions, home, played, rollbook, say, stored, table

__all__ = ["completions", "home", "played", "rollbook", "say", "stored", "table"]
