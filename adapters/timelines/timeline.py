"""The dice of a timeline: canon's where canon made the same request after the fork, else a stream of its own.

The difference that a timeline shows is then the decision and not the luck, and nothing that canon has still to roll can be
seen on a timeline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from adapters.seeds import Seeds
from adapters.storage.codec import CODEC
from adapters.timelines.marker import Marker
from adapters.timelines.view import TimelineView
from domain.dice.ledger import DiceLedger
from domain.dice.recorded import CanonDice
from domain.dice.supply import DiceSupply, Hand, NoDice, Request
from domain.event_store import EventStore, StoredEntry
from domain.events import DiceRevealed, DiceRolled, Event, NoteRedacted, SessionOpened
from domain.identifiers import StreamId
from domain.state import Session

UNKNOWN = bytes(32)


class Timeline:
    """What a timeline knows of the histories that it comes from. ``parent`` is the timeline that it left, if it left one."""

    def __init__(self, view: TimelineView, parent: Timeline | None = None) -> None:
        self.view = view
        self.parent = parent
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
        return frozenset((self.number,)) | (self.parent.numbers if self.parent else frozenset())

    def dice(self, fresh: DiceSupply, session: Session, ledger: DiceLedger) -> DiceSupply:
        """Canon's dice for the requests that canon made in this ``session``; ``fresh`` ones for all others.

        What fell on this timeline first, or before it was forked, and was undone, still waits for its request here.
        """
        can_be_met = not isinstance(fresh, NoDice)
        waiting = {
            (void.request, void.place.screen)
            for void in ledger.void.values()
            if can_be_met or void.place.fork == self.number
        }
        return CanonDice((roll for roll in self.rolls(session) if (roll.request, roll.secret) not in waiting), fresh)

    def rolls(self, session: Session) -> Iterator[DiceRolled]:
        """What was rolled after the fork, on the parent first, then on what the parent itself comes from.

        Dice of another session that has the number of this ``session`` (each side opened its own) are left out.
        """
        parent, stream = self.view.parent, self.marker.parent
        if self._rolled[0] != parent.head(stream):
            self._rolled = (parent.head(stream), self._rolls_of_parent())
        theirs = {opened.session: opened.identity for opened in self._opened_in(parent, stream)}
        is_shared = theirs.get(session.number) == session.identity
        for roll in self._rolled[1]:
            if is_shared or all(source.session != session.number for source in roll.sources):
                yield roll
        if self.parent is not None:
            yield from self.parent.rolls(session)

    def _rolls_of_parent(self) -> list[DiceRolled]:
        stored = self.view.parent.read_kinds(self.marker.parent, _ROLLED, self.marker.entry)
        return [event for event in _events(stored) if isinstance(event, DiceRolled)]

    def shown(self, identity: str, *, screen: bool = False) -> str | None:
        """The seed (hexadecimal) of a session that the parents know, "" if none of them has revealed it.

        None for a session that was opened on this timeline alone: its seed is the timeline's own to reveal.
        """
        if identity not in {opened.identity for opened in self._sessions}:
            return None
        return self._seeds.get((identity, screen), "")

    def seeds(self, identity: str) -> Seeds | None:
        """The seeds of a session out of what the parents have revealed; its secret dice may stay unknown."""
        table = self.shown(identity)
        if not table:
            return None
        screen = self.shown(identity, screen=True)
        return Seeds(bytes.fromhex(identity), bytes.fromhex(table), bytes.fromhex(screen) if screen else UNKNOWN)

    def removed(self) -> set[int]:
        """The entries before the fork whose words were removed on the record of a parent since.

        Beyond its own fork the parent has other entries than what it comes from, under the same numbers.
        """
        found = set() if self.parent is None else self.parent.removed()
        for event in _events(self.view.parent.read_kinds(self.marker.parent, _REDACTED)):
            if isinstance(event, NoteRedacted):
                found.update(event.entries)
        return {entry for entry in found if entry <= self.marker.entry}

    @cached_property
    def _known(self) -> tuple[tuple[EventStore, str], ...]:
        mine = ((self.view.parent, self.marker.parent),)
        return mine if self.parent is None else (*mine, *self.parent._known)  # noqa: SLF001 - of its own kind

    @property
    def _sessions(self) -> Iterator[SessionOpened]:
        for store, stream in self._known:
            yield from self._opened_in(store, stream)

    def _opened_in(self, store: EventStore, stream: StreamId) -> Iterator[SessionOpened]:
        return (event for event in _events(store.read_kinds(stream, _OPENED)) if isinstance(event, SessionOpened))

    @property
    def _seeds(self) -> dict[tuple[str, bool], str]:
        """Revealed seeds by the session's identity and whether they are those behind the screen."""
        found: dict[tuple[str, bool], str] = {}
        for store, stream in self._known:
            identities: dict[int, str] = {}
            for event in _events(store.read_kinds(stream, (*_OPENED, *_REVEALED))):
                if isinstance(event, SessionOpened):
                    identities[event.session] = event.identity
                elif isinstance(event, DiceRevealed):
                    found.setdefault((identities.get(event.session, ""), event.screen), event.seed)
        return found


def _events(stored: Iterable[StoredEntry]) -> Iterator[Event]:
    return (event for entry in stored for event in CODEC.read(entry).events)


_ROLLED, _OPENED, _REVEALED = (DiceRolled.__name__,), (SessionOpened.__name__,), (DiceRevealed.__name__,)
_REDACTED = (NoteRedacted.__name__,)


class OpenDiceOnly:
    """Dice of a session whose secret seed is not known here: what is rolled before everybody's eyes can be drawn."""

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
