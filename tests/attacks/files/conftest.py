"""A table whose files are attacked."""

from tests.support.command_line import completions, home, played, rollbook, stored, table

__all__ = ["completions", "home", "played", "rollbook", "stored", "table"]
