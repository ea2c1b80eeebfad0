"""The options and arguments that several commands have, the words that complete them, and what is typed for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rollbook.adapters.line_commands.declared import BadValue, Function, Parameter, around, option
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber, CampaignId
from rollbook.projections.numbers import action_number, number_range

if TYPE_CHECKING:
    from rollbook.adapters.line_commands.context import CommandContext
    from rollbook.application.view import CampaignView


def suggest_rulesets(*_: object) -> Iterable[str]:
    """The games that are installed."""
    from rollbook.adapters.plugins.installed_rulesets import discover

    return discover().keys


def suggest_sheet_values(context: CommandContext, _: str) -> Iterable[str]:
    """The keys of the values on all sheets."""
    campaign = context.campaign()
    sheets = (campaign.sheet(who) for who in campaign.state.characters)
    return dict.fromkeys(value.key for shown in sheets for value in shown.values)


def suggest_timelines(context: CommandContext, _: str) -> Iterable[str]:
    """The numbers of the campaign's timelines."""
    return (stream.partition("~")[2] for stream in context.book().timelines(root_campaign(context.campaign())))


def suggest_campaigns(context: CommandContext, _: str) -> Iterable[str]:
    """The campaigns in the store."""
    return context.book().campaigns()


def suggest_characters(context: CommandContext, _: str) -> Iterable[str]:
    """The characters in the campaign."""
    return context.campaign().state.characters


def suggest_seats(context: CommandContext, _: str) -> Iterable[str]:
    """The seats at the table."""
    return context.campaign().state.people


NO_PAGER = Parameter(name="no_pager", words=("--no-pager",), is_flag=True, help="Print long answers without a pager.")
JSON = Parameter(name="json", words=("--json",), is_flag=True, help="Answer with JSON: one object, or one a line.")
STORE = Parameter(
    name="store",
    words=("--store",),
    metavar="PATH",
    help="The file that campaigns are kept in, or postgresql://… (or ROLLBOOK_STORE).",
)
NAMED = Parameter(
    name="named",
    words=("-c", "--campaign"),
    metavar="NAME",
    suggest=suggest_campaigns,
    help="Which campaign: the only one, or the one used last, if none is named (or ROLLBOOK_CAMPAIGN).",
)
TABLE = ""
"""The table as a reader, who sees what is public."""

_TABLE = ("table", "player:table", "seat:table")
SHARED = (STORE, NAMED, NO_PAGER, JSON)
"""The options that every command has."""


def seat_option(help_text: str) -> Callable[[Function], Function]:
    """``--seat SEAT``: the seat that acts; the answer holds what that seat may see."""

    def seated(function: Function, context: CommandContext, /, *, seat: str | None, **rest: object) -> object:
        with context.answering(seat):
            return function(context, seat=seat, **rest)

    return around(seated, option("--seat", metavar="SEAT", suggest=suggest_seats, help=help_text))


def why_option(help_text: str) -> Callable[[Function], Function]:
    """``--why TEXT``."""
    return option("--why", metavar="TEXT", default="", help=help_text)


def rules_option(help_text: str) -> Callable[[Function], Function]:
    """``--set key=value``, any number of times."""
    return option("--set", "rules", multiple=True, metavar="key=value", help=help_text)


def for_option(help_text: str) -> Callable[[Function], Function]:
    """``--for SEAT``: the answer is what that seat may see."""
    return option("--for", "reader", metavar="SEAT", default="", suggest=suggest_seats, help=help_text)


as_known_option = option(
    "--as-corrected/--as-known",
    "corrected",
    is_flag=True,
    default=False,
    help="A past moment with the corrections made since, or as it was known then (the default).",
)
"""``--as-known`` (the default) or ``--as-corrected``, for every command that looks at a past moment."""


def at_option(function: Function) -> Function:
    """``--at MOMENT`` with ``--as-known`` or ``--as-corrected``, handed to the command as ``moment``."""
    from rollbook.adapters.line_commands.moments import Moment, moment_param
    from rollbook.adapters.presentation.moments import NOW

    def at_moment(
        function: Function, context: CommandContext, /, *, at: str, corrected: bool, **rest: object
    ) -> object:
        return function(context, moment=Moment(context, at, corrected=corrected), **rest)

    help_text = "Another moment: after action 12, after entry @47, at the end of session s2."
    at = option("--at", kind=moment_param, metavar="MOMENT", default=NOW, help=help_text)
    return around(at_moment, at, as_known_option)(function)


def action_param(text: str) -> ActionNumber:
    """The number of an action: ``12``, ``#12``, or ``last``, for which 0 stands."""
    number = action_number(text)
    if text != "last" and not number:
        raise BadValue(f"{text!r} is not the number of an action, such as 12, or last.")
    return number or 0


def action_range_param(text: str) -> tuple[ActionNumber, ActionNumber]:
    """The first and the last of some actions: ``12``, ``12-40``, or ``last``, for which 0 stands."""
    low, high = (0, 0) if text == "last" else number_range(text) or (None, None)
    if low is None or high is None or low > high or (not low and text != "last"):
        raise BadValue(f"{text!r} is not the number of an action, such as 12, or a range, such as 12-40, or last.")
    return low, high


def faces_param(text: str) -> tuple[int, ...]:
    """The faces of real dice, ``14,4``. Raises DiceError, which says what is wrong."""
    from rollbook.domain.dice.physical import parse_faces

    return parse_faces(text)


def root_campaign(campaign: CampaignView) -> CampaignId:
    """The id of the campaign itself, also for one of its timelines."""
    from rollbook.application.history.timeline_marker import campaign_of

    return campaign_of(campaign.id)


def timeline_named(context: CommandContext, named: str | None) -> CampaignView:
    """The timeline that is meant: by number or name, the one of -c, or the newest. Raises NotFound."""
    campaign = context.campaign()
    book = context.book()
    if named:
        return book.campaign(named if "~" in named[1:] else f"{root_campaign(campaign)}~{named.removeprefix('~')}")
    if campaign.session.timeline is not None:
        return campaign
    known = book.timelines(campaign.id)
    if not known:
        raise NotFound(f"{campaign.id} has no timelines yet. Make one: rollbook fork --at N")
    return book.campaign(known[-1])


def seat_named(campaign: CampaignView, reader: str) -> str:
    """The seat that ``--for`` names: ``player:mira``, ``mira``, or ``table`` for what is public. Raises NotFound."""
    from rollbook.application.lines.verb_line import find_seat

    if reader.casefold() in _TABLE:
        return TABLE
    return campaign.seat(find_seat(campaign.state, reader.removeprefix("player:").removeprefix("seat:")))


def campaign_for(context: CommandContext, reader: str) -> CampaignView:
    """The campaign as that seat may see it; whole for a GM, and if no seat is named. Warns of damage to it.

    Raises Refused if the answer is already for another seat, NotFound for an unknown one.
    """
    from rollbook.application.visibility.seat_campaign import as_seen

    campaign, answered = context.campaign(), context.reader
    if reader:
        seat = seat_named(campaign, reader)
        if answered not in (None, seat):
            raise Refused(f"This answer is for {answered}, who sees what {answered} may see. Leave out --for.")
        hides = hidden_from(campaign, seat) if answered is None else None
        campaign = campaign if hides is None else as_seen(campaign, hides)
    if campaign.session.damage:
        context.warn(campaign.session.damage)
    return campaign


def hidden_from(campaign: CampaignView, seat: str) -> str | None:
    """The seat, or the table, if something may be hidden from it; None for a GM's."""
    from rollbook.application.visibility.seat_campaign import from_whom_to_hide

    return seat if seat == TABLE else from_whom_to_hide(campaign, seat)
