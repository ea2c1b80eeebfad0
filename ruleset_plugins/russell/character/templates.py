"""Class templates A to D, the class that is somebody's first, and what all of them do (R3.50, R3.51, Q3.47).

The classes of ``classes.json`` are examples; a GM gives templates of the table's own with the verb own-template. What a
template does is a mapping from what it changes to by how much (see ``EFFECTS``); the rest is in its words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import attrs

from ruleset_plugins import Character, RulesetBroken, Term
from ruleset_plugins.kit import data

TEMPLATE = "template"
"""The kind of the trait; the trait itself is ``sellsword A``.

The kind of a template of the table's own goes on with what it does: ``template:hp=2,ws=1``.
"""

PRIMARY = "primary"
"""The kind, which goes on like that, of the trait ``ranger primary``: the Primary Ability of a class of the table's own."""

EFFECTS = {
    "ws": "Weapon Skill",
    "ss": "Shooting Skill",
    "hp": "hit points",
    "ac": "armour class, so much better",
    "initiative": "initiative",
    "damage": "damage hand to hand",
    "save": "saves with attributes",
    "skill_slots": "skill slots",
    "movement": "Movement",
    "sees_in_dim": "sees in dim light, if it is 1",
}
"""What a template may change."""

_EFFECT = re.compile(r"([a-z_]+)=([+-]?[0-9]{1,4})")

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


CLASSES = {row.key: row for row in data.load(__package__, "classes.json", Class)}
for _class in CLASSES.values():
    _unknown = {what for each in (_class.primary, *_class.templates) for what in each.effects} - set(EFFECTS)
    if _unknown or len(_class.templates) != len(LETTERS):
        raise RulesetBroken(f"classes.json, {_class.key}: four templates, and effects among {', '.join(EFFECTS)}.")


def templates_of(who: Character) -> tuple[tuple[str, str], ...]:
    """Somebody's templates in the order in which they were taken: the trait, and its kind."""
    return tuple([(trait, kind) for trait, kind in who.traits.items() if kind.startswith(TEMPLATE) and _is_one(kind)])


def _is_one(kind: str) -> bool:
    return kind == TEMPLATE or kind.startswith(f"{TEMPLATE}:")


def class_of(template: str) -> str:
    """The class that a template belongs to: ``sellsword`` of ``sellsword A``."""
    return template.rpartition(" ")[0]


def taken(who: Character, key: str) -> int:
    """How many templates of a class somebody has."""
    return sum(class_of(template) == key for template, _ in templates_of(who))


def next_template(who: Character, key: str) -> str:
    """The trait that the next template of a class is, "" after D. They come in order (R3.50)."""
    has = taken(who, key)
    return f"{key} {LETTERS[has]}" if has < len(LETTERS) else ""


def leading_classes(who: Character) -> tuple[str, ...]:
    """The classes from which somebody has most templates: one, or several in a tie (R3.51)."""
    return _leading(templates_of(who))


@lru_cache(maxsize=512)
def _leading(templates: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    counts = Counter(class_of(template) for template, _ in templates)
    most = max(counts.values(), default=0)
    return tuple(key for key, many in counts.items() if key and many == most)


def primary_class(who: Character) -> str:
    """The primary class: most templates, in a tie the player's choice, and until that is made none (R3.51)."""
    leading = leading_classes(who)
    if len(leading) == 1:
        return leading[0]
    chosen = who.chosen.get(PRIMARY_CLASS, "")
    return chosen if chosen in leading else ""


def abilities(who: Character) -> tuple[tuple[str, Ability], ...]:
    """What somebody has of templates, and of the primary class: the trait that brings it, and the ability."""
    templates = templates_of(who) if who.traits else ()
    if not templates:
        return ()
    leading = _leading(templates)
    primary = leading[0] if len(leading) == 1 else primary_class(who)
    own = f"{primary} {PRIMARY}"
    return _abilities(templates, primary, who.traits.get(own, ""))


@lru_cache(maxsize=512)
def _abilities(
    templates: tuple[tuple[str, str], ...], primary: str, own_primary: str
) -> tuple[tuple[str, Ability], ...]:
    found = [(trait, _ability(trait, kind)) for trait, kind in templates]
    if primary in CLASSES:
        first = next(trait for trait, _ in templates if class_of(trait) == primary)
        found.append((first, CLASSES[primary].primary))
    elif own_primary:
        own = f"{primary} {PRIMARY}"
        found.append((own, Ability(name=own, words=told(effects_in(own_primary)), effects=effects_in(own_primary))))
    return tuple(found)


def _ability(trait: str, kind: str) -> Ability:
    """What a template brings: as the class says, or as its own kind does."""
    key, _, letter = trait.rpartition(" ")
    if kind == TEMPLATE and key in CLASSES and letter in LETTERS:
        return CLASSES[key].templates[LETTERS.index(letter)]
    return Ability(name=trait, words=told(effects_in(kind)), effects=effects_in(kind))


def effects_in(kind: str) -> dict[str, int]:
    """What stands behind the colon of a kind, ``template:hp=2,ws=1``; anything else there does nothing."""
    found = (_EFFECT.fullmatch(each) for each in kind.partition(":")[2].split(","))
    return {match[1]: int(match[2]) for match in found if match is not None and match[1] in EFFECTS}


def told(effects: Mapping[str, int]) -> str:
    """What a template changes, in words."""
    return ", ".join(f"{amount:+d} {EFFECTS[what]}" for what, amount in effects.items()) or "What the table says."


def effect_terms(who: Character, what: str) -> tuple[Term, ...]:
    """What templates and the primary class add to something, as summands."""
    return tuple(
        [
            Term(ability.effects[what], ability.name, "R3.50", f"trait.{trait}")
            for trait, ability in abilities(who)
            if what in ability.effects
        ]
    )


def effect(who: Character, what: str) -> int:
    """The sum of what templates and the primary class add to something; 0 if none does."""
    return sum(ability.effects.get(what, 0) for _, ability in abilities(who))
