"""What a line of the log needs to know of what came before: the session, the scene, and what characters are called.

It follows the entries as they were stored, corrections or not: what was said at the time stays said.
"""

import json

import attrs

from rollbook.domain import events
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Changeable
from rollbook.domain.entries import RecordedEntry

FOES = (events.CharacterKind.NPC, events.CharacterKind.MONSTER)
"""Whom nobody plays but the GM: their hit points may be shown in words."""
_NAMING = (events.CharacterJoined, events.CharacterRenamed)
_FOLLOWED = frozenset((*_NAMING, events.SceneFramed, events.SeatRenamed, events.SessionOpened))


@attrs.define
class Context(Changeable):
    """What log lines need to know of the campaign so far. ``names`` are those that characters have at that moment, by id.

    ``seats`` are what people are called who have another name than the one that their seat was taken by.

    With ``words_for_foes`` it also knows whose hit points are in words: the ids of ``foes``.
    """

    session: int = 0
    scene: str = ""
    scenes: int = 0
    names: dict[str, str] = attrs.field(factory=dict)
    seats: dict[str, str] = attrs.field(factory=dict)
    words_for_foes: bool = False
    foes: set[str] = attrs.field(factory=set)
    _called: dict[str, set[str]] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    _shown: dict[str, str] | None = attrs.field(default=None, init=False, eq=False, repr=False)
    _written: str = attrs.field(default="", init=False, eq=False, repr=False)

    @property
    def shown_names(self) -> dict[str, str]:
        """What characters are called in a line: by name and id where several have one name."""
        if self._shown is None:
            self._shown = {}
            for key, name in self.names.items():
                self._show(self._shown, key, name)
        return self._shown

    @property
    def names_as_json(self) -> str:
        """The names as they are kept."""
        if not self._written:
            self._written = json.dumps(self.names, ensure_ascii=False, sort_keys=True)
        return self._written

    @property
    def seats_as_json(self) -> str:
        """What people are called, as it is kept."""
        return json.dumps(self.seats, ensure_ascii=False, sort_keys=True)

    def follow(self, entry: RecordedEntry) -> None:
        """Take in one entry, before its line is written."""
        if _FOLLOWED.isdisjoint(map(type, entry.events)):
            return
        for event in entry.events:
            if self.words_for_foes and isinstance(event, events.CharacterJoined) and event.kind in FOES:
                self.foes.add(event.character)
            if isinstance(event, _NAMING):
                self._name(event.character, event.name)
            elif isinstance(event, events.SeatRenamed):
                self.seats[event.seat] = event.name
            elif isinstance(event, events.SceneFramed):
                self.scene = event.title
                self.scenes += not entry.is_correction
            elif isinstance(event, events.SessionOpened):
                self.session = event.session
                self.scene = ""

    def _name(self, key: str, name: str) -> None:
        before = self.names.get(key)
        self.names[key], self._written = name, ""
        if self._shown is not None:
            if before is not None:
                self._hide(self._shown, key, before)
            self._show(self._shown, key, name)

    # Of thousands who came, a newcomer changes what one is called, or two.

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
