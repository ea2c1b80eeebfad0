"""Content of the notes of a vault: sessions, their scenes, the places of scenes, and the characters there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from rollbook.adapters.exports.exporter import ExportRequest, everything
from rollbook.domain.base.identifiers import ActionNumber, CharacterId, EntryNumber
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import SceneFramed, SessionOpened
from rollbook.domain.state.campaign_state import Character
from rollbook.projections.acts import subject_of
from rollbook.projections.database import COUNTS, UNDONE
from rollbook.projections.session_log import LogLine
from rollbook.projections.xp_timeline import XpLine

_PLACE = re.compile(r"[,;:]|\s[-–—]\s")
"""The end of the place in the title of a scene: ``The mill, at dawn`` is at the mill."""


@attrs.define(eq=False)
class Scene:
    """A stretch of a session; ``number`` counts within it, 0 is for no scene. ``who`` are the characters in it."""

    session: int
    number: int
    title: str = ""
    lines: list[LogLine] = attrs.field(factory=list)
    who: dict[CharacterId, None] = attrs.field(factory=dict)

    @property
    def place(self) -> str:
        """The place: the title up to the first comma, semicolon, colon or dash."""
        return _PLACE.split(self.title, maxsplit=1)[0].strip() or self.title


@attrs.define(eq=False)
class Session:
    """A session with its scenes; number 0 is what was done before the first. ``at`` is when it began (0: unknown)."""

    number: int
    title: str = ""
    at: int = 0
    scenes: list[Scene] = attrs.field(factory=list)

    @property
    def lines(self) -> Iterator[LogLine]:
        """The lines of all its scenes."""
        return (line for scene in self.scenes for line in scene.lines)

    def who(self) -> dict[CharacterId, None]:
        """The characters in the session."""
        return dict.fromkeys(who for scene in self.scenes for who in scene.who)


@attrs.frozen
class Gathered:
    """All that notes are made of. ``actors`` are the characters who acted, by entry."""

    sessions: tuple[Session, ...]
    characters: tuple[Character, ...]
    xp: tuple[XpLine, ...]
    actors: dict[EntryNumber, CharacterId]

    @property
    def scenes(self) -> list[Scene]:
        """All scenes in their order."""
        return [scene for session in self.sessions for scene in session.scenes if scene.number]

    @property
    def places(self) -> dict[str, list[Scene]]:
        """The scenes by place, whatever the case of its letters."""
        names: dict[str, str] = {}
        found: dict[str, list[Scene]] = {}
        for scene in self.scenes:
            name = names.setdefault(scene.place.casefold(), scene.place)
            found.setdefault(name, []).append(scene)
        return found


def gather(request: ExportRequest) -> Gathered:
    """Gather the wanted entries of a campaign, scene by scene."""
    lines = {line.entry: line for line in request.lines()}
    campaign = request.campaign
    known = campaign.state.characters
    sessions: dict[int, Session] = {}
    actors: dict[EntryNumber, CharacterId] = {}
    scenes: dict[tuple[int, int], Scene] = {}
    framed: dict[ActionNumber, Scene] = {}
    for entry, context in request.in_context():
        session = sessions.setdefault(context.session, Session(context.session))
        key = (context.session, context.scenes if context.scene else 0)
        scene = scenes.get(key) or scenes.setdefault(key, _begun(session, context.scene))
        _note_titles(session, scene, entry, framed)
        line = lines[entry.number]
        scene.lines.append(line)
        if line.status == COUNTS:
            about = [subject_of(event) or getattr(event, "roller", "") for event in entry.events]
            scene.who |= dict.fromkeys(who for who in (entry.actor, *about) if who in known)
        if entry.actor in known:
            actors[entry.number] = entry.actor
    seen = {who for session in sessions.values() for who in session.who()}
    is_whole = request.wanted is everything
    characters = tuple(who for who in known.values() if is_whole or who.id in seen)
    xp = tuple(line for line in campaign.read_model.xp(campaign.id) if line.entry in lines)
    return Gathered(tuple(session for _, session in sorted(sessions.items())), characters, xp, actors)


def _begun(session: Session, title: str) -> Scene:
    """Begin a scene of a session; one without a title is for what happens in no scene."""
    number = sum(scene.number > 0 for scene in session.scenes) + 1 if title else 0
    session.scenes.append(Scene(session.number, number, title))
    return session.scenes[-1]


def _note_titles(session: Session, scene: Scene, entry: RecordedEntry, framed: dict[ActionNumber, Scene]) -> None:
    """Note the title and the beginning of a session, and the title of a scene after a correction."""
    for event in entry.events:
        if isinstance(event, SessionOpened):
            session.title, session.at = event.title, session.at or entry.at
        elif isinstance(event, SceneFramed):
            framed.setdefault(entry.action, scene).title = event.title


def worth_telling(lines: Iterable[LogLine]) -> Iterable[LogLine]:
    """Lines that count or were undone, not those that were replaced nor the corrections themselves."""
    return (line for line in lines if line.status in (COUNTS, UNDONE))
