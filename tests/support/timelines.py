"""Timelines of the toy's campaigns."""

from __future__ import annotations

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.timelines import forking as timelines
from rollbook.domain.dice.record import Source
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled

SHOT = {"attacker": "robin", "target": "guard"}


def forked(book: Book, parent: Campaign, entry: int | None = None, why: str = "") -> Campaign:
    made = timelines.fork(book, parent, entry, why)
    timelines.begin(made)
    return book.campaign(made.id)


def shoot(campaign: Campaign, target: str = "guard") -> RecordedEntry:
    return campaign.do("attack", {**SHOT, "target": target}, seat="mira")


def places(entry: RecordedEntry) -> list[tuple[int, int]]:
    """Of dice of the stream: the timeline whose stream it was, and the number of the roll in it."""
    return [(source.place.fork, source.place.number) for source in sources(entry) if source.place is not None]


def sources(entry: RecordedEntry) -> list[Source]:
    return [source for event in entry.events if isinstance(event, DiceRolled) for source in event.sources]


def faces(entry: RecordedEntry) -> list[tuple[int, int]]:
    return [(die.sides, die.face) for event in entry.events if isinstance(event, DiceRolled) for die in event.dice]
