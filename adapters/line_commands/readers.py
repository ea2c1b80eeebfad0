"""Whom something is for: the seat of ``--for``, which sees only what it may."""

from __future__ import annotations

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_campaign import as_seen, from_whom_to_hide
from rollbook.domain.base.errors import Refused

TABLE = ""
"""The reader who sees what everybody sees."""

_TABLE = ("table", "player:table", "seat:table")


def seat_named(campaign: CampaignView, reader: str) -> str:
    """The seat that ``--for`` names: ``player:mira``, ``mira``, or ``table`` for what everybody sees. Raises NotFound."""
    if reader.casefold() in _TABLE:
        return TABLE
    return campaign.seat(find_seat(campaign.state, reader.removeprefix("player:").removeprefix("seat:")))


def campaign_for(context: CommandContext, reader: str) -> CampaignView:
    """The campaign as that seat may see it; whole for a GM, and where nobody is named. Says what is damaged in it.

    Raises Refused if another seat is answered anyway, NotFound for an unknown one.
    """
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
    return seat if seat == TABLE else from_whom_to_hide(campaign, seat)
