"""``rollbook stats``: what the dice did, and where that lies among what fair dice do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from adapters.cli.desk import Desk
from adapters.cli.options import character_names, pass_desk, seat_names, shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapters.campaign_book import CampaignBook
    from projections.luck import Throw, Throws

BY = ("seat", "character", "session", "kind")


@click.command(short_help="What the dice did, and how lucky that was, by seat, character, session or kind.")
@click.argument("words", nargs=-1, metavar="[FILTER ...]")
@click.option("--by", type=click.Choice(BY), default="seat", show_default=True, help="What is told apart.")
@click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Only what one seat rolled: a player's own page.")
@click.option("--who", metavar="WHO", default="", shell_complete=character_names, help="Only what one character rolled.")
@click.option("--details", is_flag=True, help="Every size of die in full, and the order in which typed dice fell.")
@shared
@pass_desk
def stats(desk: Desk, /, *, words: tuple[str, ...], by: str, seat: str | None, who: str, details: bool) -> None:
    """Dice and luck: faces, totals against the exact odds of each roll, targets met, evening by evening.

    Advantage, keeps and rerolls are accounted for exactly. Dice of the committed stream are proven by arithmetic; only of
    what people chose themselves (dice they typed in, rolls they set aside) is it asked whether it looks uneven. Without
    --seat this is the GM's page.

    \b
    rollbook stats --by character        who rolled how
    rollbook stats --seat mira           mira's own page, without the others and without secret dice
    rollbook stats session=3 verb=attack only some actions (docs/filters.md)
    """
    from adapters.cli import show_stats
    from projections.luck import report

    campaign = desk.campaign()
    with desk.wait("Reading the history …"):
        chosen = _chosen(desk, campaign, words, seat, who)
        found = report(chosen, by)
    view = show_stats.View(
        by=by, names=dict(_names(campaign)), of=seat or who, is_own=bool(seat), is_filtered=bool(words), details=details
    )
    if desk.json:
        desk.data(show_stats.stats_data(campaign.id, found, view))
    else:
        show_stats.stats(desk, campaign.state.name, found, view)


def _names(campaign: CampaignBook) -> list[tuple[str, str]]:
    return [(who.id, who.name) for who in campaign.state.characters.values()]


def _chosen(desk: Desk, campaign: CampaignBook, words: tuple[str, ...], seat: str | None, who: str) -> Throws:
    """The rolls that are asked about. A player's own page shows nothing that was rolled behind the screen."""
    from adapters.spoken import find_seat
    from domain.events import Role
    from projections.luck import gather

    wanted: list[Callable[[Throw], bool]] = []
    if words:
        entries = _entries(desk, words)
        wanted.append(lambda throw: throw.entry in entries)
    if who:
        character = campaign.character_id(who)
        wanted.append(lambda throw: throw.roll.roller == character)
    sitting = "" if seat is None else find_seat(campaign.state, seat)
    if sitting:
        is_gm = campaign.state.seats[sitting].role is Role.GM
        wanted.append(lambda throw: throw.seat == sitting and (is_gm or not throw.is_secret))
    return gather(campaign.history).only(lambda throw: all(fits(throw) for fits in wanted), by=sitting)


def _entries(desk: Desk, words: tuple[str, ...]) -> frozenset[int]:
    from adapters.cli.which import filter_of

    where = filter_of(words)
    desk.project()
    lines = desk.book().read_model.log(desk.campaign().id, where=where, everything=True)
    return frozenset(line.entry for line in lines)
