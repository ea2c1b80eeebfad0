"""The one place through which plain words reach a terminal: questions, errors, JSON. What is drawn goes through ``console``.

Whatever is stored or typed may hold escape sequences, control characters, marks that turn the direction of writing, or halves of
letters. None of them gets out: in text a blank takes its place, in JSON its number, so that no program loses anything.
"""

from typing import Any

import click

from rollbook.adapters.line_commands.json import escaped
from rollbook.adapters.presentation.plain_text import as_written


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
