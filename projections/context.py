"""What a line of the log needs to know of what came before: the session, the scene, and what characters are called.

It follows the entries as they were stored, corrections or not: what was said at the time stays said.
"""

import attrs

from domain.entries import RecordedEntry
from domain.events import CharacterJoined, SceneFramed, SessionOpened


@attrs.define
class Context:
    """What log lines need to know of the campaign so far."""

    session: int = 0
    scene: str = ""
    scenes: int = 0
    names: dict[str, str] = attrs.field(factory=dict)

    def follow(self, entry: RecordedEntry) -> None:
        """Take in one entry, before its line is written."""
        for event in entry.events:
            if isinstance(event, CharacterJoined):
                self.names[event.character] = event.name
            elif isinstance(event, SceneFramed):
                self.scene = event.title
                self.scenes += not entry.is_correction
            elif isinstance(event, SessionOpened):
                self.session = event.session
                self.scene = ""
