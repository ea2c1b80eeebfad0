"""The two sides of a moment: in what they differ, character by character."""

from collections.abc import Callable, Iterator

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind
from rollbook.projections.replay.marks import people
from rollbook.projections.status import CharacterStatus, ConditionStatus, Status

THERE, GONE = "in play", "not in play"
NOBODY = CharacterStatus(character="", name="", label="", kind=CharacterKind.NPC)


@attrs.frozen(kw_only=True)
class Difference(Record):
    """In what two moments differ: ``what`` of a character ("" for all of the table) was ``before`` and is ``after``."""

    character: CharacterId = ""
    label: str = ""
    what: str
    before: str
    after: str


def differences(before: Status, after: Status) -> tuple[Difference, ...]:
    """In what two moments differ, as far as a page shows it."""
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


def _condition(one: ConditionStatus) -> str:
    return f"{one.name} {one.detail}".rstrip()


_SHOWN: dict[str, Callable[[CharacterStatus], str]] = {
    "name": lambda who: who.name,
    "hit points": hit_points,
    "conditions": lambda who: ", ".join(map(_condition, who.conditions)) or "none",
    "resources": lambda who: ", ".join(who.resources) or "none",
    "place": lambda who: who.where or "none",
    "turn": lambda who: who.turn.value or "none",
}
"""What a page shows of a character."""


def _of_one(was: CharacterStatus, now: CharacterStatus) -> Iterator[Difference]:
    for what, shown in _SHOWN.items():
        before, after = shown(was), shown(now)
        if before != after:
            yield Difference(character=now.character, label=now.label, what=what, before=before, after=after)
