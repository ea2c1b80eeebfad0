"""Timelines: what a stream is made of, whose dice it meets, and what taking one over must ask of canon (docs/timelines.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any

from tests.oracle.fold import State, folded
from tests.oracle.ledger import Ledger, Request, request_of
from tests.oracle.numbers import Counting
from tests.oracle.stored import Entry, Event, Store, entry_of


class Streams:
    """All histories of a store: each timeline begins with its parent's entries up to where it left."""

    def __init__(self, store: Store, known: dict[tuple[int, bytes], Entry]) -> None:
        self.store = store
        self.known = known
        self._now: dict[str, State] = {}
        self.views = {stream: list(self._entries(stream)) for stream in store.streams}

    def _entries(self, stream: str) -> Iterator[Entry]:
        marker = self.store.markers.get(stream)
        base = 0
        if marker:
            base = marker["entry"]
            yield from (entry for entry in self._entries(marker["parent"]) if entry.number <= base)
        for version, data in self.store.streams[stream]:
            key = base + version, data
            if key not in self.known:
                self.known[key] = entry_of(*key)
            yield self.known[key]

    def now(self, stream: str) -> State:
        """What a stream has come to."""
        if stream not in self._now:
            self._now[stream] = folded(Counting(self.views[stream]).effective())
        return self._now[stream]

    def parents(self, stream: str) -> list[tuple[str, int]]:
        """The streams from which one comes, the nearest first, and after which entry it left each."""
        marker = self.store.markers.get(stream)
        return [(marker["parent"], marker["entry"]), *self.parents(marker["parent"])] if marker else []

    def base(self, stream: str) -> int:
        """The last entry that a stream has from its parent, 0 for canon."""
        return int(self.store.markers[stream]["entry"]) if stream in self.store.markers else 0

    def with_own(self, stream: str, more: list[Entry]) -> Streams:
        """The same once a stream has more entries of its own."""
        other = copy(self)
        other._now = {}
        other.views = {**self.views, stream: [*self.views[stream], *more]}
        return other

    def fork(self, stream: str) -> int:
        """The number of a timeline, 0 for canon."""
        return int(self.store.markers[stream]["number"]) if stream in self.store.markers else 0

    def canons_dice(self, stream: str, session: Mapping[str, Any], ledger: Ledger) -> dict[tuple[Request, bool], Event]:
        """What canon rolled since, by request: the nearest parent's first, and nothing for what still waits here."""
        waiting = {(piece.request, piece.place[0]) for piece in ledger.waiting.values()}
        found: dict[tuple[Request, bool], Event] = {}
        for parent, left in self.parents(stream):
            view = self.views[parent]
            opened = {event.says["session"]: event.says["identity"] for event in _events(view, "SessionOpened")}
            is_shared = opened.get(session["number"]) == session["identity"]
            for roll in _events(view[left:], "DiceRolled"):
                key = request_of(roll), bool(roll.says["secret"])
                own = any(source[2] == session["number"] for source in roll.says["sources"])
                if roll.says["occasion"] and key not in waiting and (is_shared or not own):
                    found.setdefault(key, roll)
        return found

    def revealed(self, stream: str, session: Mapping[str, Any], *, screen: bool) -> str | None:
        """The seed of a session that the parents know, "" if none has revealed it; None if they do not know the session."""
        found = None
        for parent, _ in self.parents(stream):
            view = self.views[parent]
            numbers = {event.says["identity"]: event.says["session"] for event in _events(view, "SessionOpened")}
            if session["identity"] not in numbers:
                continue
            found = found or ""
            for event in _events(view, "DiceRevealed"):
                if (event.says["session"], event.says["screen"]) == (numbers[session["identity"]], screen):
                    return str(event.says["seed"])
        return found


def _events(entries: Iterable[Entry], name: str) -> Iterator[Event]:
    return (event for entry in entries for event in entry.events if event.name == name)


Choice = tuple[str, tuple[tuple[str, str], ...]]
"""A verb and its parameters in the words of the table."""
