"""Declared commands as click's: click parses their words, writes their help and completes them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import CODES, ReportedFailure
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import cli_of, click_parameter, shared_options
from rollbook.adapters.line_commands.declared import Command, UsageError
from rollbook.application.lines.answering import AnsweredFailure

if TYPE_CHECKING:
    from rollbook.domain.rules.action import Action

VALUES = "rollbook.values"
"""Key under which a group hands the values typed before the verb on to it."""


@cache
def clicked(command: Command) -> click.Command:
    """The click command of a declared one, made once."""
    help_text = inspect.cleandoc(command.function.__doc__ or "")
    if command.before_verb:
        from rollbook.adapters.cli.verb_commands import VerbGroup

        return VerbGroup(
            command.name,
            run=partial(_call_of_verb, command),
            without=command.without,
            callback=_keep_values,
            params=[*(click_parameter(each) for each in command.parameters if each.words), *shared_options()],
            help=help_text,
            context_settings={"max_content_width": 110},
        )
    params = [*map(click_parameter, command.parameters), *shared_options()]
    around = {"ignore_unknown_options": command.around_verb}
    return PagedHelp(
        command.name, callback=partial(_call, command), params=params, help=help_text, context_settings=around
    )


def _call(command: Command, **values: object) -> object:
    ctx = click.get_current_context()
    try:
        return command(cli_of(ctx), **values)
    except UsageError as fault:
        raise click.UsageError(str(fault), ctx) from fault
    except AnsweredFailure as fault:
        raise ReportedFailure(CODES[fault.kind]) from fault


def _keep_values(**values: object) -> None:
    click.get_current_context().meta[VALUES] = values


def _call_of_verb(command: Command, _: CliContext, verb: type[Action], said: Sequence[str]) -> object:
    return _call(command, said=(verb.verb, *said), **click.get_current_context().meta[VALUES])
