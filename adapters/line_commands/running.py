"""Runs a command on the words that follow it in a line, where no command line has read them."""

from __future__ import annotations

from collections.abc import Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import UsageError
from rollbook.adapters.line_commands.index import declared_command
from rollbook.adapters.line_commands.options import SHARED
from rollbook.adapters.line_commands.parsing import behind_no_verb, values_of
from rollbook.application.lines.verb_line import LineError


def run(context: CommandContext, name: str, words: Sequence[str]) -> None:
    """Carry out a command, and have it alone answer as the options say that all of them have.

    Raises LineError for words that it does not take, and what the engine raises.
    """
    command, before = declared_command(name), (context.json, context.no_pager)
    try:
        values = values_of(command, SHARED, behind_no_verb(words) if command.before_verb else words)
        shared = {option.name: values.pop(option.name) for option in SHARED}
        context.json = context.json or bool(shared["json"])
        context.no_pager = context.no_pager or bool(shared["no_pager"])
        command(context, **values)
    except UsageError as fault:
        raise LineError(str(fault)) from fault
    finally:
        context.json, context.no_pager = before
