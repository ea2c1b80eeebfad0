"""Context of a log line from the entries before it: the session, the scene, and the names of characters.

It follows the entries as they were stored, corrections or not: a line keeps the words of its time. What is inserted into the
past begins no session and no scene now. A line that is written late gets the names of its time from ``NamesOfTheTime``.
"""

import json
from array import array
from bisect import bisect_right

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Changeable
from rollbook.domain.base.seat_words import NO_NAME
from rollbook.domain.entries import RecordedEntry

FOES = (events.CharacterKind.NPC, events.CharacterKind.MONSTER)
"""Kinds of character that the GM plays: their hit points may be shown in words."""
_NAMING = (events.CharacterJoined, events.CharacterRenamed)
_CALLING = (events.SeatRenamed, events.SeatNamed)
_CALLED = (*_NAMING, *_CALLING)
_FOLLOWED = frozenset((*_CALLED, events.SceneFramed, events.SceneResumed, events.SessionOpened))


@attrs.define
class Context(Changeable):
    """The campaign so far, as log lines need it. ``names`` are those that characters have at that moment, by id.

    ``shown`` are their shown names, if they are known already.

    ``seats`` are the current names of seats that were renamed, by the name under which the seat was taken.

    With ``words_for_foes``, ``foes`` are the ids of the characters whose hit points are in words.
    """

    session: int = 0
    scene: str = ""
    scenes: int = 0
    names: dict[str, str] = attrs.field(factory=dict)
    seats: dict[str, str] = attrs.field(factory=dict)
    words_for_foes: bool = False
    foes: set[str] = attrs.field(factory=set)
    _called: dict[str, set[str]] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    _shown: dict[str, str] | None = attrs.field(default=None, eq=False, repr=False)
    _written: str = attrs.field(default="", init=False, eq=False, repr=False)

    @property
    def shown_names(self) -> dict[str, str]:
        """The names of characters in a line, by id: with the id where several have one name."""
        if self._shown is None:
            self._shown = {}
            for key, name in self.names.items():
                self._show(self._shown, key, name)
        return self._shown

    @property
    def names_as_json(self) -> str:
        """The names as they are stored."""
        if not self._written:
            self._written = json.dumps(self.names, ensure_ascii=False, sort_keys=True)
        return self._written

    @property
    def seats_as_json(self) -> str:
        """The names of renamed seats as they are stored."""
        return json.dumps(self.seats, ensure_ascii=False, sort_keys=True)

    def follow(self, entry: RecordedEntry) -> None:
        """Take in one entry, before its line is written."""
        if _FOLLOWED.isdisjoint(map(type, entry.events)):
            return
        for event in entry.events:
            if isinstance(event, _CALLED):
                self.call(event)
            elif entry.before:
                continue
            elif isinstance(event, (events.SceneFramed, events.SceneResumed)):
                self.scene = event.title
                self.scenes += not entry.is_correction
            elif isinstance(event, events.SessionOpened):
                self.session = event.session
                self.scene = ""

    def call(self, event: events.Event) -> None:
        """Take in the name of a character or a seat, and of a foe that it is one; any other event is left out."""
        if self.words_for_foes and isinstance(event, events.CharacterJoined) and event.kind in FOES:
            self.foes.add(event.character)
        if isinstance(event, _NAMING):
            self._name(event.character, event.name)
        elif isinstance(event, _CALLING):
            self.seats[event.seat] = event.name or NO_NAME

    def _name(self, key: str, name: str) -> None:
        before = self.names.get(key)
        self.names[key], self._written = name, ""
        if self._shown is not None:
            if before is not None:
                self._hide(self._shown, key, before)
            self._show(self._shown, key, name)

    # Among thousands of characters, a newcomer changes the shown name of one or two.

    def _show(self, shown: dict[str, str], key: str, name: str) -> None:
        same = self._called.setdefault(caseless(name), set())
        same.add(key)
        for one in same if len(same) == 2 else (key,):
            shown[one] = self.names[one] if len(same) == 1 else f"{self.names[one]} ({one})"

    def _hide(self, shown: dict[str, str], key: str, name: str) -> None:
        same = self._called[caseless(name)]
        same.remove(key)
        if len(same) == 1:
            (last,) = same
            shown[last] = self.names[last]


@attrs.define
class NamesOfTheTime(Changeable):
    """The names with which the line of any entry is written, early or late, from the few events that changed them."""

    words_for_foes: bool = False
    _changes: list[events.Event] = attrs.field(factory=list, init=False)
    _numbers: "array[int]" = attrs.field(factory=lambda: array("I"), init=False)
    _now: Context = attrs.field(factory=Context, init=False)
    _followed: int = attrs.field(default=0, init=False)

    def follow(self, entry: RecordedEntry) -> None:
        """Note the names that an entry gives."""
        if _FOLLOWED.isdisjoint(map(type, entry.events)):
            return
        for event in entry.events:
            if isinstance(event, _CALLED):
                self._changes.append(event)
                self._numbers.append(entry.number)

    def at(self, number: EntryNumber) -> Context:
        """The names after an entry, in a context without session and scene. It is valid until the next call."""
        until = bisect_right(self._numbers, number)
        if until < self._followed or not self._followed:
            self._now, self._followed = Context(words_for_foes=self.words_for_foes), 0
        for event in self._changes[self._followed : until]:
            self._now.call(event)
        self._followed = until
        return self._now
