"""Click parameters of declared arguments and options."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.line_commands import declared, options
from rollbook.adapters.line_commands.declared import BadValue, Choice, Counted, Function, Kind, Parameter, unfit_name
from rollbook.application.lines.line_commands import showable
from rollbook.application.ports.store_address import is_server

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
pass_cli = click.make_pass_decorator(CliContext, ensure=True)


class FileName(click.Path):
    """The name of a file; one that the system cannot have is refused before anything is done.

    A file to be written need not be ``readable``: whether it may be replaced is settled at the moment of writing.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check a name. Fails if it is too long, or holds what no name can, and for ``-`` where only a file will do."""
        if fault := unfit_name(value, allow_dash=self.allow_dash):
            self.fail(fault, param, ctx)
        return super().convert(value, param, ctx)


class StoreName(FileName):
    """A store: the name of a file, or the address of a server."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check a name. Fails for a file that cannot be one; the address of a server stays as it was given."""
        return value if is_server(value) else super().convert(value, param, ctx)


_F = TypeVar("_F", bound=Function)


def cli_of(ctx: click.Context) -> CliContext:
    """The context of this run."""
    return ctx.ensure_object(CliContext)


def _reading(kind: Kind) -> Callable[[str], object]:
    """A reader of values whose errors click reports with the name of the parameter."""

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
        return click.IntRange(kind.first, declared.MOST)
    if isinstance(kind, declared.FileName):
        return FileName(readable=kind.readable, file_okay=kind.file_okay, allow_dash=kind.allow_dash)
    return kind if kind is None or isinstance(kind, click.ParamType) else _reading(kind)


def completer(known: Callable[[click.Context, str], Iterable[str]]) -> Completer:
    """Complete one of the known words; nothing is offered if they cannot be had."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            words = showable(known(ctx, incomplete))
            return [CompletionItem(word) for word in words if word.casefold().startswith(incomplete.casefold())]
        except Exception:  # noqa: BLE001 - Tab prints no errors
            return []

    return complete


def click_parameter(one: Parameter, **more: Any) -> click.Parameter:
    """The click parameter of a declared one."""
    how: dict[str, Any] = {"type": _click_type(one.kind), "metavar": one.metavar, "required": one.required}
    if suggest := one.suggest:
        how["shell_complete"] = completer(lambda ctx, incomplete: suggest(cli_of(ctx), incomplete))
    if one.default is not None:
        how["default"] = one.default
    how |= more
    if not one.words:
        return click.Argument([one.name], nargs=one.nargs, **how)
    words = [f"{on}/{off}" for on, off in zip(one.words, one.off, strict=True)] if one.off else one.words
    how |= {"is_flag": True} if one.is_flag else {}
    how |= {"multiple": True} if one.multiple else {}
    return click.Option([*words, one.name], hidden=one.hidden, show_default=one.shows_default, help=one.help, **how)


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
