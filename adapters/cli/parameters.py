"""Arguments and options as click has them: those that are declared without it, and those that its own commands have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.file_names import FileName, StoreName
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.line_commands import declared, options
from rollbook.adapters.line_commands.declared import BadValue, Choice, Counted, Function, Kind, Parameter, declared_on
from rollbook.application.lines.line_commands import showable

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
_F = TypeVar("_F", bound=Function)

pass_cli = click.make_pass_decorator(CliContext, ensure=True)


def cli_of(ctx: click.Context) -> CliContext:
    """The context of this run."""
    return ctx.ensure_object(CliContext)


# What is declared without click.


def _reading(kind: Kind) -> Callable[[str], object]:
    """A function of ours that reads a value, whose faults click says with the name of the parameter."""

    @wraps(kind)
    def read(text: str) -> object:
        try:
            return kind(text)
        except BadValue as fault:
            raise click.BadParameter(fault.why) from None

    return read


def _click_type(kind: Kind | None) -> Any:
    if isinstance(kind, Choice):
        return click.Choice(kind.words)
    if isinstance(kind, Counted):
        return counting_from(kind.first)
    if isinstance(kind, declared.FileName):
        return FileName(readable=kind.readable, file_okay=kind.file_okay, allow_dash=kind.allow_dash)
    return None if kind is None else _reading(kind)


def completer(known: Callable[[click.Context, str], Iterable[str]]) -> Completer:
    """Completion of one of the known words; nothing is offered if they cannot be had."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            words = showable(known(ctx, incomplete))
            return [CompletionItem(word) for word in words if word.casefold().startswith(incomplete.casefold())]
        except Exception:  # noqa: BLE001 - while somebody presses Tab nothing is said
            return []

    return complete


def completer_of(suggest: declared.Completer) -> Completer:
    """Completion of one of the words that are suggested for a parameter."""
    return completer(lambda ctx, incomplete: suggest(cli_of(ctx), incomplete))


def click_parameter(one: Parameter, **more: Any) -> click.Parameter:
    """A parameter as click's."""
    how: dict[str, Any] = {"type": _click_type(one.kind), "metavar": one.metavar, "required": one.required}
    if one.suggest is not None:
        how["shell_complete"] = completer_of(one.suggest)
    if one.default is not None:
        how["default"] = one.default
    how |= more
    if not one.words:
        return click.Argument([one.name], nargs=one.nargs, **how)
    words = [f"{on}/{off}" for on, off in zip(one.words, one.off, strict=True)] if one.off else one.words
    how |= {"is_flag": True} if one.is_flag else {}
    how |= {"multiple": True} if one.multiple else {}
    return click.Option([*words, one.name], hidden=one.hidden, help=one.help, **how)


def with_click(declare: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """An option that is declared without click, for a command that click itself makes."""

    def decorate(function: _F) -> _F:
        known = len(declared_on(function))
        made = declare(function)
        mine = declared_on(made)[: len(declared_on(made)) - known]
        vars(made).setdefault("__click_params__", []).extend(map(click_parameter, reversed(mine)))
        return made

    return decorate


# Options.


def for_option(help_text: str) -> Callable[[_F], _F]:
    """``--for SEAT``: the answer is what that seat may see."""
    return with_click(options.for_option(help_text))


def rules_option(help_text: str) -> Callable[[_F], _F]:
    """``--set key=value``, any number of times."""
    return with_click(options.rules_option(help_text))


def as_known_option(function: _F) -> _F:
    """``--as-known`` (the default) or ``--as-corrected``."""
    return with_click(options.as_known_option)(function)


complete_character = completer_of(options.suggest_characters)
complete_ruleset = completer_of(options.suggest_rulesets)
complete_seat = completer_of(options.suggest_seats)


def _note(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    if value:
        setattr(cli_of(ctx), parameter.name or "", value)


def shared_options() -> list[click.Parameter]:
    """The options that every command has."""
    noted: dict[str, Any] = {"expose_value": False, "callback": _note}
    types = {"store": {"type": StoreName(dir_okay=False)}}
    return [click_parameter(each, **noted, **types.get(each.name, {})) for each in options.SHARED]


def shared_parameters(command: _F) -> _F:
    """Give a command the options that every command has."""
    known = getattr(command, "__click_params__", [])
    command.__click_params__ = [*reversed(shared_options()), *known]  # type: ignore[attr-defined]
    return command


def command(name: str | None = None, **settings: Any) -> Callable[[Function], click.Command]:
    """Make a command of a function: it gets the ``CliContext`` first, and has the options that every command has."""

    def decorate(function: Function) -> click.Command:
        return click.command(name, PagedHelp, **settings)(shared_parameters(pass_cli(function)))

    return decorate


def counting_from(first: int) -> click.IntRange:
    """A whole number of an option, from ``first`` up to the largest that anybody counts to."""
    return click.IntRange(first, declared.MOST)
