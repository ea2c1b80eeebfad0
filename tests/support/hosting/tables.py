"""The tables that a run plays at: campaigns with an open session, players with links, and how many of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.ports.seat_links import SeatLinks

RULESET = "storytoken"
OpenBook = Callable[[], Book]


@attrs.frozen
class Seating:
    """A player: the seat, the campaigns that it plays in, and the tokens of its links."""

    seat: str
    campaigns: tuple[str, ...]
    tokens: tuple[str, ...]


def set_up(book: Book, campaigns: int, players: int, each: int) -> dict[str, tuple[str, ...]]:
    """Begin campaigns, and give every player a seat in ``each`` of them. Returns the campaigns by seat."""
    names = [f"Table {number:02d}" for number in range(1, campaigns + 1)]
    seats: dict[str, list[str]] = {f"P{number}": [] for number in range(1, players + 1)}
    opened: list[Campaign] = [book.new(name, RULESET) for name in names]
    for number, seat in enumerate(seats):
        for nth in range(each):
            campaign = opened[(number * each + nth) % campaigns]
            campaign.do("take-seat", {"seat": seat, "role": "player"})
            seats[seat].append(campaign.id)
    for campaign in opened:
        campaign.say("join Robin --kind npc --hp 8")
        campaign.do("open-session")
    return {seat: tuple(ids) for seat, ids in seats.items()}


def seated(book: Book, links: SeatLinks, seats: dict[str, tuple[str, ...]]) -> Sequence[Seating]:
    """A link for each player to each of its seats."""
    made = []
    for seat, ids in seats.items():
        tokens = [links.make(id_, book.campaign(id_).state.identity, seat)[1] for id_ in ids]
        made.append(Seating(seat, ids, tuple(tokens)))
    return made


def close_sessions(book: Book) -> None:
    """Close the session of every campaign, so that its dice can be proven."""
    for id_ in book.campaigns():
        campaign = book.campaign(id_)
        if campaign.state.session is not None and campaign.state.session.is_open:
            campaign.do("close-session")
