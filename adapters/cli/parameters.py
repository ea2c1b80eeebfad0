"""Parameter types, shell completion and the options that several commands have."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.paged_help import NO_PAGER, PagedHelp
from rollbook.adapters.local_files.paths import LONGEST_PART
from rollbook.application.lines.line_commands import showable
from rollbook.application.ports.store_address import is_server
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.identifiers import ActionNumber, CampaignId
from rollbook.projections.numbers import action_number, number_range

if TYPE_CHECKING:
    from rollbook.application.campaign import Campaign

Function = Callable[..., object]
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
_F = TypeVar("_F", bound=Function)

pass_cli = click.make_pass_decorator(CliContext, ensure=True)


def cli_of(ctx: click.Context) -> CliContext:
    """The context of this run."""
    return ctx.ensure_object(CliContext)


# Completion.


def completer(known: Callable[[click.Context, str], Iterable[str]]) -> Completer:
    """Completion of one of the known words; nothing is offered if they cannot be had."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            words = showable(known(ctx, incomplete))
            return [CompletionItem(word) for word in words if word.casefold().startswith(incomplete.casefold())]
        except Exception:  # noqa: BLE001 - while somebody presses Tab nothing is said
            return []

    return complete


def _rulesets(*_: object) -> Iterable[str]:
    from rollbook.adapters.plugins.registry import discover

    return discover().keys


def _sheet_values(ctx: click.Context, _: str) -> Iterable[str]:
    campaign = cli_of(ctx).campaign()
    sheets = (campaign.sheet(who) for who in campaign.state.characters)
    return dict.fromkeys(value.key for shown in sheets for value in shown.values)


def _timelines(ctx: click.Context, _: str) -> Iterable[str]:
    cli = cli_of(ctx)
    return (stream.partition("~")[2] for stream in cli.book().timelines(root_campaign(cli.campaign())))


complete_campaign = completer(lambda ctx, _: cli_of(ctx).book().campaigns())
complete_character = completer(lambda ctx, _: cli_of(ctx).campaign().state.characters)
complete_seat = completer(lambda ctx, _: cli_of(ctx).campaign().state.seats)
complete_ruleset = completer(_rulesets)
complete_sheet_value = completer(_sheet_values)
complete_timeline = completer(_timelines)


# Options.


class FileName(click.Path):
    """The name of a file; one that the system cannot have is refused before anything is done.

    A file that is written needs not be ``readable``: whether it may be replaced is settled at the moment of writing.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name. Fails for one that is far too long, or holds what no name can, and for ``-`` where only a file will do."""
        if value == "-" and not self.allow_dash:
            self.fail("- is no file but what is piped in or out. For a file of that name write ./-", param, ctx)
        try:
            if len(os.fsencode(value)) > LONGEST_NAME or max(map(len, os.fsencode(value).split(b"/"))) > LONGEST_PART:
                self.fail("Nothing can have so long a name.", param, ctx)
            return super().convert(value, param, ctx)
        except ValueError:
            self.fail("Nothing can be called so: there are characters in it that no name can hold.", param, ctx)


class StoreName(FileName):
    """A store: the name of a file, or the address of a server."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as it was given. Fails for a file that cannot be one."""
        return value if is_server(value) else super().convert(value, param, ctx)


LONGEST_NAME = 4_000
"""Bytes of a path."""


def _note_option(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    if value:
        setattr(cli_of(ctx), parameter.name or "", value)


def shared_options() -> list[click.Option]:
    """The options that every command has."""
    noted: dict[str, Any] = {"expose_value": False, "callback": _note_option}
    return [
        click.Option(
            ["--store"],
            metavar="PATH",
            type=StoreName(dir_okay=False),
            help="The file that campaigns are kept in, or postgresql://… (or ROLLBOOK_STORE).",
            **noted,
        ),
        click.Option(
            ["-c", "--campaign", "named"],
            metavar="NAME",
            shell_complete=complete_campaign,
            help="Which campaign: the only one, or the one used last, if none is named (or ROLLBOOK_CAMPAIGN).",
            **noted,
        ),
        click.Option([NO_PAGER], is_flag=True, help="Print long answers without a pager.", **noted),
        click.Option(["--json"], is_flag=True, help="Answer with JSON: one object, or one a line.", **noted),
    ]


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


def paged(function: _F) -> _F:
    """What a command prints goes through the pager if it is longer than the screen."""

    @wraps(function)
    def in_pager(cli: CliContext, /, *args: object, **rest: object) -> object:
        with cli.paged():
            return function(cli, *args, **rest)

    return cast("_F", in_pager)


def seat_option(help_text: str) -> Callable[[_F], _F]:
    """``--seat SEAT``: who acts, and by what they may see they are answered."""

    def decorate(function: _F) -> _F:
        @wraps(function)
        def seated(cli: CliContext, *args: object, seat: str | None, **rest: object) -> object:
            with cli.answering(seat):
                return function(cli, *args, seat=seat, **rest)

        option = click.option("--seat", metavar="SEAT", shell_complete=complete_seat, help=help_text)
        return cast("_F", option(seated))

    return decorate


def why_option(help_text: str) -> Callable[[_F], _F]:
    """``--why TEXT``."""
    return click.option("--why", metavar="TEXT", default="", help=help_text)


def rules_option(help_text: str) -> Callable[[_F], _F]:
    """``--set key=value``, any number of times."""
    return click.option("--set", "rules", multiple=True, metavar="key=value", help=help_text)


# What is typed.


def counting_from(first: int) -> click.IntRange:
    """A whole number of an option, from ``first`` up to the largest that anybody counts to."""
    return click.IntRange(first, 10**12)


def action_param(text: str) -> ActionNumber:
    """The number of an action: ``12``, ``#12``, or ``last``, for which 0 stands."""
    number = action_number(text)
    if text != "last" and not number:
        raise click.BadParameter(f"{text!r} is not the number of an action, such as 12, or last.")
    return number or 0


def action_range_param(text: str) -> tuple[ActionNumber, ActionNumber]:
    """The first and the last of some actions: ``12``, ``12-40``, or ``last``, for which 0 stands."""
    low, high = (0, 0) if text == "last" else number_range(text) or (None, None)
    if low is None or high is None or low > high or (not low and text != "last"):
        raise click.BadParameter(
            f"{text!r} is not the number of an action, such as 12, or a range, such as 12-40, or last."
        )
    return low, high


def faces_param(text: str) -> tuple[int, ...]:
    """The faces of real dice, ``14,4``. Raises DiceError, which says what is wrong."""
    from rollbook.domain.dice.physical import parse_faces

    return parse_faces(text)


# Which timeline.


def root_campaign(campaign: Campaign) -> CampaignId:
    """The campaign itself, whichever of its timelines is meant."""
    from rollbook.application.timelines.marker import campaign_of

    return campaign_of(campaign.id)


def timeline_named(cli: CliContext, named: str | None) -> Campaign:
    """The timeline that is meant: by number or name, the one of -c, or the newest. Raises NotFound."""
    campaign = cli.campaign()
    book = cli.book()
    if named:
        return book.campaign(named if "~" in named[1:] else f"{root_campaign(campaign)}~{named.removeprefix('~')}")
    if campaign.timeline is not None:
        return campaign
    known = book.timelines(campaign.id)
    if not known:
        raise NotFound(f"{campaign.id} has no timelines yet. Make one: rollbook fork --at N")
    return book.campaign(known[-1])
