"""Class templates A to D, the class that is somebody's first, and what all of them do (R3.50, R3.51, Q3.47).

The classes of ``classes.json`` are examples: a table that has its own writes them there. What a template does is a mapping
from what it changes to by how much (``ws``, ``ss``, ``hp``, ``ac`` better, ``initiative``, ``damage`` hand to hand, ``save``,
``skill_slots``, ``movement``, ``sees_in_dim``); the rest is in its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import attrs

from ruleset_plugins import Character, Term, load

TEMPLATE = "template"
"""The kind of the trait; the trait itself is ``sellsword A``."""

PRIMARY_CLASS = "primary-class"
LETTERS = ("A", "B", "C", "D")
LAST_TEMPLATE_LEVEL = 4
"""No templates after this level (R3.50)."""


@attrs.frozen(kw_only=True)
class Ability:
    """What a template, or being first in a class, brings."""

    name: str
    words: str
    effects: Mapping[str, int] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Class:
    """A class: the ability of those for whom it is the primary one, and templates A to D."""

    key: str
    name: str
    primary: Ability
    templates: tuple[Ability, ...]


CLASSES = {row.key: row for row in load(__package__, "classes.json", Class)}


def taken(who: Character, key: str) -> int:
    """How many templates of a class somebody has."""
    return sum(trait.partition(" ")[0] == key for trait, kind in who.traits.items() if kind == TEMPLATE)


def next_template(who: Character, key: str) -> str:
    """The trait that the next template of a class is, "" after D. They come in order (R3.50)."""
    has = taken(who, key)
    return f"{key} {LETTERS[has]}" if has < len(CLASSES[key].templates) else ""


def leading_classes(who: Character) -> tuple[str, ...]:
    """The classes from which somebody has most templates: one, or several in a tie (R3.51)."""
    counts = Counter(trait.partition(" ")[0] for trait, kind in who.traits.items() if kind == TEMPLATE)
    known = {key: many for key, many in counts.items() if key in CLASSES}
    most = max(known.values(), default=0)
    return tuple(key for key, many in known.items() if many == most)


def primary_class(who: Character) -> str:
    """The primary class: most templates, in a tie the player's choice, and until that is made none (R3.51)."""
    leading = leading_classes(who)
    if len(leading) == 1:
        return leading[0]
    chosen = who.chosen.get(PRIMARY_CLASS, "")
    return chosen if chosen in leading else ""


def abilities(who: Character) -> tuple[tuple[str, Ability], ...]:
    """What somebody has of templates, and of the primary class: the trait that brings it, and the ability."""
    traits = who.traits
    if TEMPLATE not in traits.values():
        return ()
    return _abilities(tuple(trait for trait, kind in traits.items() if kind == TEMPLATE), primary_class(who))


@lru_cache(maxsize=512)
def _abilities(traits: tuple[str, ...], primary: str) -> tuple[tuple[str, Ability], ...]:
    found = []
    for trait in traits:
        key, _, letter = trait.partition(" ")
        if key in CLASSES and letter in LETTERS[: len(CLASSES[key].templates)]:
            found.append((trait, CLASSES[key].templates[LETTERS.index(letter)]))
    if primary:
        first = next(trait for trait in traits if trait.partition(" ")[0] == primary)
        found.append((first, CLASSES[primary].primary))
    return tuple(found)


def effect_terms(who: Character, what: str) -> tuple[Term, ...]:
    """What templates and the primary class add to something, as summands."""
    return tuple(
        Term(ability.effects[what], ability.name, "R3.50", f"trait.{trait}")
        for trait, ability in abilities(who)
        if what in ability.effects
    )


def effect(who: Character, what: str) -> int:
    """The sum of what templates and the primary class add to something; 0 if none does."""
    return sum(ability.effects.get(what, 0) for _, ability in abilities(who))
