"""Parameter types, shell completion and the options that every command has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from adapters.cli.context import CliContext
from projections.numbers import action_number, number_range

if TYPE_CHECKING:
    from adapters.campaign import Campaign

_F = TypeVar("_F", bound=Callable[..., object])

pass_cli = click.make_pass_decorator(CliContext, ensure=True)


def cli_of(ctx: click.Context) -> CliContext:
    """The cli of this run."""
    cli: CliContext = ctx.ensure_object(CliContext)
    return cli


def _note_option(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    if value:
        setattr(cli_of(ctx), {"store": "store", "campaign": "named", "json": "json"}[parameter.name or ""], value)


def _complete_campaign(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return completions(lambda: cli_of(ctx).book().campaigns(), incomplete)


def completions(known: Callable[[], Sequence[str]], incomplete: str) -> list[CompletionItem]:
    """Whatever of the known words goes on from here; nothing if they cannot be had."""
    try:
        return [CompletionItem(word) for word in known() if word.casefold().startswith(incomplete.casefold())]
    except Exception:  # noqa: BLE001 - while somebody presses Tab nothing is said
        return []


def complete_character(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completion for a character."""
    return completions(lambda: tuple(cli_of(ctx).campaign().state.characters), incomplete)


def complete_seat(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completion for a seat."""
    return completions(lambda: tuple(cli_of(ctx).campaign().state.seats), incomplete)


def shared_options() -> list[click.Option]:
    """The options themselves."""
    return [
        click.Option(
            ["--store"],
            metavar="PATH",
            type=click.Path(dir_okay=False),
            expose_value=False,
            callback=_note_option,
            help="The file that campaigns are kept in (or ROLLBOOK_STORE).",
        ),
        click.Option(
            ["-c", "--campaign"],
            metavar="NAME",
            expose_value=False,
            callback=_note_option,
            shell_complete=_complete_campaign,
            help="Which campaign: the only one, or the one used last, if none is named (or ROLLBOOK_CAMPAIGN).",
        ),
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            callback=_note_option,
            help="Answer with JSON: one object, or one a line.",
        ),
    ]


def shared_parameters(command: _F) -> _F:
    """Give a command the options that every command has."""
    known = getattr(command, "__click_params__", [])
    command.__click_params__ = [*reversed(shared_options()), *known]  # type: ignore[attr-defined]
    return command


class ActionNumberParam(click.ParamType[int]):
    """The number of an action: ``12``, ``#12``, or ``last``."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """0 stands for the last action."""
        number = 0 if str(value) == "last" else action_number(str(value))
        if number is None or (number == 0 and str(value) != "last"):
            self.fail(f"{value!r} is not the number of an action, such as 12, or last.", param, ctx)
        return number


class ActionRangeParam(click.ParamType[tuple[int, int]]):
    """Actions: ``12``, ``#12``, ``last``, or a range with both ends, ``12-40``."""

    name = "numbers"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """The first and the last; 0 stands for the last action."""
        text = str(value)
        if text == "last":
            return 0, 0
        low, high = number_range(text) or (None, None)
        if not low or not high or low > high:
            self.fail(
                f"{value!r} is not the number of an action, such as 12, or a range, such as 12-40, or last.", param, ctx
            )
        return low, high


class FacesParam(click.ParamType[tuple[int, ...]]):
    """The faces of real dice: ``14,4``."""

    name = "faces"

    def convert(self, value: Any, *_: click.Parameter | click.Context | None) -> tuple[int, ...]:
        """The faces. Raises DiceError, which says what is wrong."""
        from domain.dice import parse_faces

        return parse_faces(value)


ACTION = ActionNumberParam()
ACTIONS = ActionRangeParam()
FACES = FacesParam()


def complete_ruleset(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the key of a ruleset."""
    from adapters.registry import discover

    return completions(lambda: discover().keys, incomplete)


def complete_sheet_value(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the key of a value on a sheet."""

    def known() -> list[str]:
        campaign = cli_of(ctx).campaign()
        sheets = (campaign.sheet(who) for who in campaign.state.characters)
        return list(dict.fromkeys(value.key for shown in sheets for value in shown.values))

    return completions(known, incomplete)


def complete_timeline(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completion for a timeline of the campaign."""
    cli = cli_of(ctx)
    return completions(
        lambda: [stream.partition("~")[2] for stream in cli.book().timelines(root_campaign(cli.campaign()))], incomplete
    )


def root_campaign(campaign: Campaign) -> str:
    """The campaign itself, whichever of its timelines is meant."""
    from adapters.timelines.marker import campaign_of

    return campaign_of(campaign.id)


def timeline_named(cli: CliContext, named: str | None) -> Campaign:
    """The timeline that is meant: by number or name, the one of -c, or the newest. Raises NotFound."""
    from domain.errors import NotFound

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
