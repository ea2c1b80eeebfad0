"""The one place through which plain words reach a terminal: questions, errors, JSON. What is drawn goes through ``console``.

Whatever is stored or typed may hold escape sequences, control characters, marks that turn the direction of writing, or halves of
letters. None of them gets out: in text a blank takes its place, in JSON its number, so that no program loses anything.
"""

import os
import re
import shutil
import textwrap
from typing import Any

import click

from rollbook.adapters.line_commands.json import escaped
from rollbook.adapters.presentation.plain_text import as_written

USUAL = os.terminal_size((80, 25))
NARROWEST, WIDEST = 10, 10_000
"""Columns that a screen may have. Surroundings that say otherwise do not know: a terminal without a size says 0."""
ENDLESS = re.compile(r"\S{300,}")


def echo(text: str, *, err: bool = False) -> None:
    """A line of text."""
    click.echo(as_written(text), err=err)


def echo_json(text: str, *, err: bool = False) -> None:
    """A line of JSON."""
    click.echo(escaped(text), err=err)


def ask(text: str, *, default: str | None = None, show_default: bool = True, **how: Any) -> str:
    """What somebody answers; ``how`` is what ``click.prompt`` takes."""
    shown = f"{text} [{default}]" if default is not None and show_default else text
    return str(click.prompt(as_written(shown), default=default, show_default=False, **how))


def agree(text: str, *, default: bool, abort: bool = False) -> bool:
    """Whether somebody says yes."""
    return click.confirm(as_written(text), default=default, abort=abort)


def believed(size: tuple[int, int]) -> os.terminal_size:
    """Columns and lines of a screen; the usual ones in the place of those that no screen has."""
    columns, lines = size
    return os.terminal_size(
        (columns if NARROWEST <= columns <= WIDEST else USUAL.columns, lines if lines > 0 else USUAL.lines)
    )


def screen() -> os.terminal_size:
    """The size of the screen that somebody sits at, as far as it is known."""
    return believed(shutil.get_terminal_size(USUAL))


def wrapped(text: str, width: int = 0) -> str:
    """Text for a terminal of so many columns (0: as many as this one has), wrapped at words; its own lines are kept."""
    columns = width or screen().columns
    said = (textwrap.wrap(line, columns, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(lines) for lines in said)


def without_endless_words(text: str) -> str:
    """Text in which nothing without a blank is longer than any path or code is: the rest of such a word is left out."""
    return ENDLESS.sub(lambda found: f"{found[0][:100]}…", text)
