"""Steps of a replay: the status after each entry, today's status at the same place, and marks of what stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import compress
from operator import is_not

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import CharacterKind, Event
from rollbook.domain.state.sealing import NOTHING
from rollbook.projections.session_log import LogLine
from rollbook.projections.status import CharacterStatus, Status


class MarkKind(StrEnum):
    """Kind of a mark."""

    SESSION = "session"
    SCENE = "scene"
    ROUND = "round"
    FALL = "fall"
    LEVEL = "level"
    X_CARD = "x-card"
    CORRECTION = "correction"


@attrs.frozen
class Mark(Record):
    """A mark on a step. ``text``: a scene's or session's title, a round's number, a correction's reason, or a name."""

    kind: MarkKind
    text: str = ""


def marks_of(
    entry: RecordedEntry, before: Status | None, after: Status, *, begins_correction: bool
) -> tuple[Mark, ...]:
    """The marks of an entry, from its events and the statuses before and after it.

    A correcting entry has that mark alone, and only the first one of a correction: what it changes happened earlier.
    """
    if entry.is_correction:
        return (Mark(MarkKind.CORRECTION, entry.reason),) if begins_correction else ()
    return (*_said(entry.events, after), *_fallen(before, after))


def _said(recorded: Sequence[Event], after: Status) -> Iterator[Mark]:
    arrived = {event.character for event in recorded if isinstance(event, events.CharacterJoined)}
    for event in recorded:
        match event:
            case events.SessionOpened():
                yield Mark(MarkKind.SESSION, event.title or f"session {event.session}")
            case events.SceneFramed() | events.SceneResumed():
                yield Mark(MarkKind.SCENE, event.title)
            case events.RoundBegan():
                yield Mark(MarkKind.ROUND, str(after.fight.round) if after.fight else "")
            case events.LevelGained() if event.levels > 0 and event.character not in arrived:
                named = (who.label for who in people(after) if who.character == event.character)
                yield Mark(MarkKind.LEVEL, next(named, event.character))
            case events.XCardRaised():
                yield Mark(MarkKind.X_CARD)


def _fallen(before: Status | None, after: Status) -> Iterator[Mark]:
    were = people(before) if before else ()
    for who in changed(were, people(after)):
        if who.left is not None and who.left <= 0:
            stood = next((was for was in were if was.character == who.character), NOBODY)
            if stood.left is not None and stood.left > 0:
                yield Mark(MarkKind.FALL, who.label)


def changed(before: tuple[CharacterStatus, ...], after: tuple[CharacterStatus, ...]) -> Iterable[CharacterStatus]:
    """The characters of a moment who are another value than at the same place of an earlier one; all if places moved."""
    if len(before) != len(after):
        return after
    return compress(after, map(is_not, before, after))


def people(status: Status) -> tuple[CharacterStatus, ...]:
    """All characters in play: those in the fight in turn order, then the others."""
    return (*(status.fight.fighters if status.fight else ()), *status.characters)


THERE, GONE = "in play", "not in play"
NOBODY = CharacterStatus(character="", name="", label="", kind=CharacterKind.NPC)


@attrs.frozen(kw_only=True)
class Difference(Record):
    """A difference between two moments: ``what`` of a character ("": of the table) was ``before`` and is ``after``."""

    character: CharacterId = ""
    label: str = ""
    what: str
    before: str
    after: str


def differences(before: Status, after: Status) -> tuple[Difference, ...]:
    """The differences between two moments, as far as a page shows them."""
    return (*_of_the_table(before, after), *_of_people(before, after))


def _of_the_table(before: Status, after: Status) -> Iterator[Difference]:
    were = {"scene": before.scene, "fight": _fight(before), "turn": _turn(before), **dict(before.lines)}
    are = {"scene": after.scene, "fight": _fight(after), "turn": _turn(after), **dict(after.lines)}
    for what in {**were, **are}:
        was, now = were.get(what, ""), are.get(what, "")
        if was != now:
            yield Difference(what=what, before=was or "none", after=now or "none")


def _fight(status: Status) -> str:
    return f"round {status.fight.round}" if status.fight else ""


def _turn(status: Status) -> str:
    fight = status.fight
    return next((who.label for who in fight.fighters if who.character == fight.current), "") if fight else ""


def _of_people(before: Status, after: Status) -> Iterator[Difference]:
    were = {who.character: who for who in people(before)}
    are = {who.character: who for who in people(after)}
    for who in {**were, **are}:
        was, now = were.get(who), are.get(who)
        if was is None or now is None:
            label = (was or now or NOBODY).label
            here, there = (THERE, GONE) if now is None else (GONE, THERE)
            yield Difference(character=who, label=label, what="presence", before=here, after=there)
        elif was != now:
            yield from _of_one(was, now)


def hit_points(who: CharacterStatus) -> str:
    """``30 of 36``, or as the sheet writes them; "none" where a game has none."""
    if who.left is None:
        return who.hp or "none"
    return f"{who.left} of {who.most}" if who.most is not None else str(who.left)


_SHOWN: dict[str, Callable[[CharacterStatus], str]] = {
    "name": lambda who: who.name,
    "hit points": hit_points,
    "conditions": lambda who: ", ".join(f"{one.name} {one.detail}".rstrip() for one in who.conditions) or "none",
    "resources": lambda who: ", ".join(who.resources) or "none",
    "place": lambda who: who.where or "none",
    "turn": lambda who: who.turn.value or "none",
}
"""The values of a character that a page shows."""


def _of_one(was: CharacterStatus, now: CharacterStatus) -> Iterator[Difference]:
    for what, shown in _SHOWN.items():
        before, after = shown(was), shown(now)
        if before != after:
            yield Difference(character=now.character, label=now.label, what=what, before=before, after=after)


class Course(StrEnum):
    """The two courses of a replay."""

    THEN = "as it was then"
    CORRECTED = "as corrected"


@attrs.frozen(kw_only=True)
class Step(Record):
    """One entry: its line of the log, its marks, and the status after it on both courses.

    Where the courses do not differ, ``then`` and ``corrected`` are one value. ``counted`` is the entry whose outcome counts today
    for the action (0: it was undone); ``correction`` the first entry of the correction that it belongs to (0: of none). A step
    that ``is_taken`` took an action; the others only correct, and so they are no moments as corrected. ``sentence`` is the one
    that its verb gives, "" where the line is not made of it; ``conditions`` are the words of those that are not said by name.
    """

    line: LogLine
    marks: tuple[Mark, ...]
    then: Status
    corrected: Status
    counted: EntryNumber
    correction: EntryNumber = 0
    is_taken: bool
    sentence: str = ""
    conditions: Mapping[str, str] = NOTHING

    @property
    def number(self) -> EntryNumber:
        return self.line.entry

    @property
    def at(self) -> int:
        """Microseconds since 1970, UTC."""
        return self.line.at

    @property
    def round(self) -> int:
        """The round of the fight as it was then, 0 outside one."""
        return self.then.fight.round if self.then.fight else 0

    @property
    def turn(self) -> CharacterId:
        """The character whose turn it was then, "" between turns."""
        return self.then.fight.current if self.then.fight else ""

    def status(self, course: Course) -> Status:
        """The status on one of the courses."""
        return self.then if course is Course.THEN else self.corrected


def both_sides(steps: Sequence[Step], at: int) -> tuple[Difference, ...]:
    """The changes by the correction that the step at this place belongs to, as it was then; empty for any other step.

    The steps of a correction are neighbours, and all have the same changes.
    """
    first = steps[at].correction
    if not first:
        return ()
    begin = end = at
    while begin > 0 and steps[begin - 1].correction == first:
        begin -= 1
    while end + 1 < len(steps) and steps[end + 1].correction == first:
        end += 1
    return differences(steps[begin - 1].then, steps[end].then) if begin else ()
