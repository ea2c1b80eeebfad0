"""A terminal with a home of its own, for what is said to stores on servers."""

from tests.support.command_line import home, rollbook

__all__ = ["home", "rollbook"]
