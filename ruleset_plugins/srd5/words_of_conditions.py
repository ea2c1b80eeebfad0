"""The words of conditions after "is": what a spell, a feature or a thing leaves on somebody has its name ("bless")."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import attrs

from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.effects import fates
from rollbook.rulesets.srd5.fight import actions, attack_edges, encounter, mounts, movement, reactions, states, turns
from rollbook.rulesets.srd5.growth import special_rules, turning_points
from rollbook.rulesets.srd5.magic import aims, spells
from rollbook.rulesets.srd5.monsters import traits, uses
from rollbook.rulesets.srd5.time import journeys, perils

CONDITIONS = (
    *(*states.ROWS, turns.REACTED, turns.READIED, movement.DODGING, movement.DISENGAGED, attack_edges.HIDDEN),
    *(actions.HELPED, attack_edges.DISTRACTED, mounts.MOUNTED, reactions.PROVOKES, *spells.CONDITIONS),
)
"""Conditions of this game that people say, besides those of every game."""
SAID: Mapping[str, str] = {
    states.EXHAUSTION: "exhausted",
    reactions.PROVOKES: "open to opportunity attacks",
    turns.REACTED: "out of reactions",
    encounter.SECOND: "due a second turn",
    special_rules.SHAPE: "in wild shape",
    uses.TAKEN: "done with its legendary action",
    traits.SUPPRESSED: "unable to regenerate",
    aims.HANDS_FULL: "left without a free hand",
}
"""Conditions whose name is no word for how somebody is."""
KNOWN = frozenset(
    (
        *(states.STABLE, states.DEAD, states.SURPRISED, *states.STARVED, *CONDITIONS, *SAID),
        *(turns.RIDDEN, fates.SWALLOWED, turning_points.SEEN_THROUGH, perils.BURNING),
        *(journeys.HOLDING, journeys.SUFFOCATING, journeys.TRAVELLING),
    )
)
"""Conditions that are no names of causes: for these no file is read."""

SOURCES: tuple[Callable[[], Mapping[str, Any]], ...] = (
    *(catalogue.spells, catalogue.masteries, catalogue.classes, catalogue.species, catalogue.feats),
    *(catalogue.equipment, catalogue.hazards, catalogue.magic_items, catalogue.monsters),
)
"""The files in which the causes of conditions are, the long ones last: each is read only if none before has the name."""


def condition_words(condition: str) -> str:
    """The words for a condition of this game: "prone", "affected by bless", "affected by hex on wolf"."""
    plain = _TOLD_APART.sub("", condition)
    if plain in KNOWN:
        return SAID.get(plain, plain) + condition.removeprefix(plain)
    is_of_a_cause = any(not _names(read).isdisjoint((condition, plain)) for read in SOURCES)
    return f"affected by {condition}" if is_of_a_cause else condition


_TOLD_APART = re.compile(r" \(.*| by .*| on .*|, \d+$")
"""The part that tells a condition from another of that name: "restrained (Web)", "bless by mira", "bless, 2"."""


@cache
def _names(read: Callable[[], Mapping[str, Any]]) -> frozenset[str]:
    """The names, without capitals, of all in a file that may leave a condition, and the keys of its entries."""
    rows = read()
    return frozenset((*rows, *(name.casefold() for row in rows.values() for name in _names_in(row))))


def _names_in(part: object) -> Iterator[str]:
    if isinstance(part, (tuple, Mapping)):
        for each in part.values() if isinstance(part, Mapping) else part:
            yield from _names_in(each)
    elif attrs.has(kind := type(part)):
        if not isinstance(part, kinds.Special) and (name := getattr(part, "name", "")):
            yield name
        for field in attrs.fields(kind):
            yield from _names_in(getattr(part, field.name))
