"""The dice of a timeline: canon's where canon made the same request after the fork, else a stream of its own.

The difference that a timeline shows is then the decision and not the luck, and nothing that canon has still to roll can be
seen on a timeline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.timeline_marker import Marker
from rollbook.application.history.timeline_view import TimelineView
from rollbook.application.ports.seed_store import Seeds
from rollbook.domain.audit.dice_context import Elsewhere
from rollbook.domain.audit.witnesses import Witness
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.dice.recorded import CanonDice
from rollbook.domain.dice.supply import DiceSupply, Hand, NoDice, Request
from rollbook.domain.events import DiceRevealed, DiceRolled, Event, NoteRedacted, SessionOpened
from rollbook.domain.history.event_store import EventStore
from rollbook.domain.state.campaign_state import Session

UNKNOWN = bytes(32)
AnyEvent = TypeVar("AnyEvent", bound=Event)


class Timeline:
    """A timeline, with what it knows of the histories that it comes from; ``parent`` is the timeline that it left, if it did."""

    def __init__(self, view: TimelineView) -> None:
        self.view = view
        self.parent = Timeline(view.parent) if isinstance(view.parent, TimelineView) else None
        self._rolled: tuple[int, list[DiceRolled]] = (-1, [])

    @property
    def marker(self) -> Marker:
        return self.view.origin

    @property
    def number(self) -> int:
        """The number of the timeline, which its dice are derived with."""
        return self.marker.number

    @property
    def numbers(self) -> frozenset[int]:
        """Its own number and those of the timelines that it comes from."""
        return frozenset(each.number for each in self._lineage())

    def _lineage(self) -> Iterator[Timeline]:
        yield self
        if self.parent is not None:
            yield from self.parent._lineage()  # noqa: SLF001 - of its own kind

    def counted_here(self, seen: Iterable[Witness]) -> tuple[Witness, ...]:
        """The witnesses of its own entries, with the numbers that these have on it."""
        fork = self.marker.entry
        return tuple(attrs.evolve(each, since=each.since + fork, entry=each.entry + fork) for each in seen)

    def dice(self, fresh: DiceSupply, session: Session, ledger: DiceLedger) -> DiceSupply:
        """Canon's dice for the requests that canon made in this ``session``; ``fresh`` ones for all others.

        Undone rolls that fell first on this timeline, or before it was forked, still wait for their request here.
        """
        can_be_met = not isinstance(fresh, NoDice)
        waiting = {
            (undone.request, undone.place.screen)
            for undone in ledger.undone_rolls.values()
            if can_be_met or undone.place.fork == self.number
        }
        return CanonDice((roll for roll in self.rolls(session) if (roll.request, roll.secret) not in waiting), fresh)

    def rolls(self, session: Session) -> Iterator[DiceRolled]:
        """The rolls after the fork, on the parent first, then on what the parent itself comes from.

        Dice of another session that has the number of this ``session`` (each side opened its own) are left out.
        """
        for identities, roll in self._rolled_on_parents():
            is_shared = identities.get(session.number) == session.identity
            if is_shared or all(source.session != session.number for source in roll.sources):
                yield roll

    def elsewhere(self) -> Elsewhere:
        """The rolls after the fork, on the parent and on what the parent comes from."""
        return Elsewhere.of(self.number, self.marker.entry, self._rolled_on_parents())

    def _rolled_on_parents(self) -> Iterator[tuple[Mapping[int, str], DiceRolled]]:
        for each in self._lineage():
            store, stream = each.view.parent, each.marker.parent
            identities = {opened.session: opened.identity for opened in _events(store, stream, SessionOpened)}
            yield from ((identities, roll) for roll in each.rolled_on_parent())

    def rolled_on_parent(self) -> list[DiceRolled]:
        """The rolls after the fork on the parent alone, read again when there may be more."""
        parent, stream = self.view.parent, self.marker.parent
        if self._rolled[0] != parent.head(stream):
            self._rolled = parent.head(stream), list(_events(parent, stream, DiceRolled, self.marker.entry))
        return self._rolled[1]

    def shown(self, identity: str, *, screen: bool = False) -> str | None:
        """The seed (hexadecimal) of a session that the parents have, "" if none of them has revealed it.

        None for a session that was opened on this timeline alone: its seed is the timeline's own to reveal.
        """
        is_known = False
        for each in self._lineage():
            store, stream = each.view.parent, each.marker.parent
            numbers = {opened.identity: opened.session for opened in _events(store, stream, SessionOpened)}
            is_known = is_known or identity in numbers
            for event in _events(store, stream, DiceRevealed):
                if (event.session, event.screen) == (numbers.get(identity), screen):
                    return event.seed
        return "" if is_known else None

    def seeds(self, identity: str) -> Seeds | None:
        """The seeds of a session out of what the parents have revealed; its secret dice may stay unknown."""
        table = self.shown(identity)
        if not table:
            return None
        screen = self.shown(identity, screen=True)
        return Seeds(bytes.fromhex(identity), bytes.fromhex(table), bytes.fromhex(screen) if screen else UNKNOWN)

    def open_dice(self, dice: DiceSupply, seeds: Seeds) -> DiceSupply:
        """The dice of some seeds, of which only the open ones can be drawn if the secret seed is not known here."""
        return dice if seeds.screen != UNKNOWN else OpenDiceOnly(dice)

    def removed(self) -> set[int]:
        """The entries before the fork whose words were removed on the record of a parent since.

        Beyond its own fork the parent has other entries than what it comes from, under the same numbers.
        """
        found = set() if self.parent is None else self.parent.removed()
        for event in _events(self.view.parent, self.marker.parent, NoteRedacted):
            found.update(event.entries)
        return {entry for entry in found if entry <= self.marker.entry}


def _events(store: EventStore, stream: StreamId, kind: type[AnyEvent], after: int = 0) -> Iterator[AnyEvent]:
    for stored in store.read_kinds(stream, (kind.__name__,), after):
        yield from (event for event in CODEC.read(stored).events if isinstance(event, kind))


class OpenDiceOnly:
    """Dice of a session whose secret seed is not known here: only open rolls can be drawn."""

    def __init__(self, dice: DiceSupply) -> None:
        self._dice = dice

    def hand(self, request: Request) -> Hand:
        """The dice of an open roll. Raises Refused at the first secret die."""
        if not request.secret:
            return self._dice.hand(request)
        return NoDice(
            "The secret dice of this session cannot be drawn on this computer: their seed is not here. "
            "Type real dice with --dice."
        ).hand(request)

    def finish(self) -> None:
        self._dice.finish()
