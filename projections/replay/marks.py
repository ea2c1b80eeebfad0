"""What stands out in a session: where to jump to, and what a bar shows above it."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

import attrs

from rollbook.domain import events
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import Event
from rollbook.projections.status import CharacterStatus, Status


class MarkKind(StrEnum):
    """What happened there."""

    SESSION = "session"
    SCENE = "scene"
    ROUND = "round"
    FALL = "fall"
    LEVEL = "level"
    X_CARD = "x-card"
    CORRECTION = "correction"


@attrs.frozen
class Mark(Record):
    """One of them; ``text`` is the title of a scene or session, the number of a round, or the name of who fell or rose."""

    kind: MarkKind
    text: str = ""


def marks_of(
    entry: RecordedEntry, before: Status | None, after: Status, *, begins_correction: bool
) -> tuple[Mark, ...]:
    """What stands out in an entry, between the two moments beside it.

    An entry that corrects has that mark alone, and only the first one of a correction: what it changes happened earlier.
    """
    if entry.is_correction:
        return (Mark(MarkKind.CORRECTION, entry.reason),) if begins_correction else ()
    return (*_said(entry.events, after), *_fallen(before, after))


def _said(recorded: Sequence[Event], after: Status) -> Iterator[Mark]:
    names = {who.character: who.label for who in people(after)}
    arrived = {event.character for event in recorded if isinstance(event, events.CharacterJoined)}
    for event in recorded:
        match event:
            case events.SessionOpened():
                yield Mark(MarkKind.SESSION, event.title or f"session {event.session}")
            case events.SceneFramed():
                yield Mark(MarkKind.SCENE, event.title)
            case events.RoundBegan():
                yield Mark(MarkKind.ROUND, str(after.fight.round) if after.fight else "")
            case events.LevelGained() if event.levels > 0 and event.character not in arrived:
                yield Mark(MarkKind.LEVEL, names.get(event.character, event.character))
            case events.XCardRaised():
                yield Mark(MarkKind.X_CARD)


def _fallen(before: Status | None, after: Status) -> Iterator[Mark]:
    """Those whose hit points have gone down to nothing."""
    stood = {who.character for who in people(before) if who.left is not None and who.left > 0} if before else set()
    for who in people(after):
        if who.character in stood and who.left is not None and who.left <= 0:
            yield Mark(MarkKind.FALL, who.label)


def people(status: Status) -> tuple[CharacterStatus, ...]:
    """Everybody in play: those in the fight in their order, then the others."""
    return (*(status.fight.fighters if status.fight else ()), *status.characters)
