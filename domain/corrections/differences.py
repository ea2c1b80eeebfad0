"""What was changed in an action itself: other parameters, other faces of its dice, typed dice that it has no use for now."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import PHYSICAL
from rollbook.domain.dice.recorded import OrdinalKey, rolls_by_ordinal, sourced
from rollbook.domain.entries import WORDS, Entry
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.newcomer_ids import with_kept_id

Faces = Mapping[tuple[OrdinalKey, int], list[tuple[int, bool]]]
"""The faces of each roll by the sides of its dice, in the order in which they fell, and whether each was typed."""

SALT = WORDS[1]


@attrs.frozen
class Difference(Record):
    """A parameter, or a die by its purpose and sides (``attack d20``), before and after; None for what was not said."""

    name: str
    before: ParameterValue | None
    after: ParameterValue | None


def differences(before: Entry, after: Entry) -> tuple[Difference, ...]:
    """In what two outcomes of an action were asked for otherwise: its parameters, then the faces of dice that were changed."""
    return (*_parameters(before, after), *_dice(_faces(before), _faces(after)))


def unused_faces(before: Entry, after: Entry) -> tuple[int, ...]:
    """The faces that were typed for an outcome and that another outcome of the action has no use for."""
    now = _faces(after)
    return tuple(
        face
        for which, faces in _faces(before).items()
        for face, is_typed in faces[len(now.get(which, ())) :]
        if is_typed
    )


def _parameters(before: Entry, after: Entry) -> Iterator[Difference]:
    named = before.full_intent.params, after.full_intent.params
    had, has = (with_kept_id(params, before.events) for params in named)
    for name in dict.fromkeys(key for params in named for key in params):
        was, now = had.get(name), has.get(name)
        if was != now and name != SALT:
            yield Difference(name, was, now)


def _dice(before: Faces, after: Faces) -> Iterator[Difference]:
    for which, faces in before.items():
        (_, purpose, _), sides = which
        for (was, _), (now, _) in zip(faces, after.get(which, ()), strict=False):
            if was != now:
                yield Difference(f"{purpose} d{sides}", was, now)


def _faces(outcome: Entry) -> Faces:
    found: dict[tuple[OrdinalKey, int], list[tuple[int, bool]]] = defaultdict(list)
    for key, roll in rolls_by_ordinal(outcome.events):
        for die, source in sourced(roll):
            found[key, die.sides].append((die.face, source.kind == PHYSICAL))
    return found
