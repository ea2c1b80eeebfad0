"""The order in which the dice of a verb fall, and in which real dice are typed (QG.5).

Dice that fall together come in three sorts: first those of tests, then what they do, then tables. A verb has
several steps only where the dice of a later one hang on the faces of an earlier one, or where time passes between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import attrs

from rollbook.domain.base.records import ReadOnly, Record

NONE: Mapping[str, str] = ReadOnly()
ANY = "*"
"""The purposes of rolls that the verb cannot know: those of a hook of the ruleset, or in a person's own words."""


@attrs.frozen(kw_only=True)
class DiceStep(Record):
    """Dice that fall together. Each sort names its rolls as people call them, with the purposes that they are recorded under.

    Purposes may be several (``damage|missile *``); a reroll is named after its roll and belongs to it. ``tests`` are the d20s
    (and other dice of checks, saves and initiative) and what they aim at, ``effects`` damage, healing and durations, ``tables``
    what is looked up. A step with ``each`` falls for one after the other: "enemy in reach". ``after`` says why a step does not
    fall together with the one before. ``ties`` are the purposes of rolls that break a tie; one that is also that of the first
    rolls breaks it where it comes once more. ``whose`` says of rolls that befall only some characters who those are, so that a
    table without any need not read of them.
    """

    tests: Mapping[str, str] = NONE
    effects: Mapping[str, str] = NONE
    tables: Mapping[str, str] = NONE
    each: str = ""
    after: str = ""
    ties: tuple[str, ...] = ()
    whose: Mapping[str, Callable[[Any], bool]] = ReadOnly()

    @property
    def rolls(self) -> tuple[tuple[str, str], ...]:
        """The names of its rolls and their purposes, in order."""
        return (*self.tests.items(), *self.effects.items(), *self.tables.items())

    def said(self, people: Collection[object] | None = None) -> str:
        """The step in words: "for each enemy in reach the d20 to hit, then the damage".

        Only what may befall these ``people`` (None: anybody); "" if nothing does.
        """
        names = (name for name, _ in self.rolls if people is None or self._befalls(name, people))
        rolls = ", then ".join(names)
        return f"for each {self.each} {rolls}" if self.each and rolls else rolls

    def _befalls(self, name: str, people: Collection[object]) -> bool:
        return name not in self.whose or any(map(self.whose[name], people))


def said(steps: Sequence[DiceStep], people: Collection[object] | None = None) -> str:
    """The order of a verb's dice in words, "" for a verb without any; ``people`` as for a step."""
    return "; after that ".join(filter(None, (step.said(people) for step in steps)))


_AGAIN = r"( with luck| rerolled.*|, again| [0-9]+)$"
"""Ending of a purpose that is rolled for again: by a second thought, with Advantage, for the next target."""


class Place(NamedTuple):
    """A place in the order: which step, and which of its rolls."""

    step: int
    roll: int


def places_of(steps: Sequence[DiceStep], purpose: str) -> tuple[Place, ...]:
    """The places where a roll for this purpose may stand."""
    return tuple(
        Place(number, place)
        for number, step in enumerate(steps)
        for place, (_, purposes) in enumerate(step.rolls)
        for known in purposes.split("|")
        if fnmatchcase(purpose, known) or fnmatchcase(re.sub(_AGAIN, "", purpose), known)
    )


def out_of_order(steps: Sequence[DiceStep], purposes: Iterable[str]) -> str:
    """The purpose of the first roll that does not stand where the steps have it; "" if all do."""
    before: set[Place] = {Place(0, 0)}
    for purpose in purposes:
        before = {
            place
            for place in places_of(steps, purpose)
            for at in before
            if place >= at or (place.step == at.step and steps[at.step].each)
        }
        if not before:
            return purpose
    return ""


def is_test(steps: Sequence[DiceStep], purpose: str) -> bool:
    """True if a roll for this purpose may be one of a test."""
    return any(place.roll < len(steps[place.step].tests) for place in places_of(steps, purpose))


def is_effect(steps: Sequence[DiceStep], purpose: str) -> bool:
    """True if a roll for this purpose may be one of what the verb does if its test succeeds."""
    return any(
        0 <= place.roll - len(steps[place.step].tests) < len(steps[place.step].effects)
        for place in places_of(steps, purpose)
    )


def tied(steps: Sequence[DiceStep], purpose: str, *, again: bool) -> str:
    """The purpose of the first rolls, where a roll for this purpose breaks a tie between them. "" where it breaks none."""
    for step in steps:
        first = step.rolls[0][1].split("|") if step.rolls else []
        if purpose in step.ties and (again or purpose not in first):
            return purpose if purpose in first else first[0]
    return ""
