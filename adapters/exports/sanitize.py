"""Somebody's words where other programs show them: nothing invisible, and nothing that turns what is written."""

from __future__ import annotations


def visible(text: str) -> str:
    """A text with a blank for each character that cannot be seen; lines are kept."""
    return "\n".join("".join(letter if letter.isprintable() else " " for letter in line) for line in text.split("\n"))


def visible_line(text: str) -> str:
    """The same on one line."""
    return " ".join(visible(text).split())
