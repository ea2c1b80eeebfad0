"""What a line of the log needs to know of what came before: the session, the scene, and what characters are called.

It follows the entries as they were stored, corrections or not: what was said at the time stays said.
"""

import json
from collections import Counter

import attrs

from domain.entries import RecordedEntry
from domain.events import CharacterJoined, CharacterRenamed, SceneFramed, SessionOpened
from domain.records import Changeable

_FOLLOWED = frozenset((CharacterJoined, CharacterRenamed, SceneFramed, SessionOpened))


@attrs.define
class Context(Changeable):
    """What log lines need to know of the campaign so far. ``names`` are those that characters have at that moment, by id."""

    session: int = 0
    scene: str = ""
    scenes: int = 0
    names: dict[str, str] = attrs.field(factory=dict)
    _shown: dict[str, str] | None = attrs.field(default=None, init=False, eq=False, repr=False)
    _written: str = attrs.field(default="", init=False, eq=False, repr=False)

    @property
    def shown_names(self) -> dict[str, str]:
        """What characters are called in a line: by name and id where several have one name."""
        if self._shown is None:
            several = Counter(name.casefold() for name in self.names.values())
            self._shown = {
                key: f"{name} ({key})" if several[name.casefold()] > 1 else name for key, name in self.names.items()
            }
        return self._shown

    @property
    def names_as_json(self) -> str:
        """The names as they are kept."""
        if not self._written:
            self._written = json.dumps(self.names, ensure_ascii=False, sort_keys=True)
        return self._written

    def follow(self, entry: RecordedEntry) -> None:
        """Take in one entry, before its line is written."""
        if _FOLLOWED.isdisjoint(map(type, entry.events)):
            return
        for event in entry.events:
            if isinstance(event, CharacterJoined | CharacterRenamed):
                self.names[event.character] = event.name
                self._shown, self._written = None, ""
            elif isinstance(event, SceneFramed):
                self.scene = event.title
                self.scenes += not entry.is_correction
            elif isinstance(event, SessionOpened):
                self.session = event.session
                self.scene = ""
