"""Plain text for terminals, wrapped to a width."""

from __future__ import annotations

import re
import shutil
import textwrap


def wrapped(text: str, width: int = 0) -> str:
    """Text for a terminal of so many columns (0: as many as this one has), wrapped at words; its own lines are kept."""
    columns = width or shutil.get_terminal_size().columns
    said = (textwrap.wrap(line, columns, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(lines) for lines in said)


def without_endless_words(text: str) -> str:
    """Text in which nothing without a blank is longer than any path or code is: the rest of such a word is left out."""
    return ENDLESS.sub(lambda found: f"{found[0][:100]}…", text)


ENDLESS = re.compile(r"\S{300,}")
