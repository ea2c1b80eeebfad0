"""Roles, and what they add at a level (R0.110, R0.158–R0.178)."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

import attrs

from rollbook.kit import data
from rollbook.plugin import Character, Table, Term
from rollbook.rulesets.storytoken.character.heritages import HERITAGES, heritage_of
from rollbook.rulesets.storytoken.settings import Settings

ROLE = "role"
"""The kind of trait that a role is."""

FORMULAS = ("", "L", "L+2", "L/2", "2L", "3L")


def _is_formula(_: object, field: attrs.Attribute[str], value: str) -> None:
    if value not in FORMULAS:
        raise ValueError(f"{field.name} is {value!r}, not one of {', '.join(FORMULAS[1:])}")


def by_level(formula: str, level: int, settings: Settings) -> int:
    """The number that a formula of the roles comes to at a level; L is the level."""
    half = settings.half_level(level)
    return {"L": level, "L+2": level + 2, "L/2": half, "2L": 2 * level, "3L": 3 * level}.get(formula, 0)


class RolePower(data.Row):
    """A number that a role gives for one purpose, say for a ``rally`` or its ``questions`` a day."""

    name: str
    formula: str = attrs.field(validator=_is_formula)


class CharacterRole(data.Row):
    """A role of a character: ``topics`` get the ``topic_bonus``, as does the key; ``words`` name a level's numbers."""

    name: str
    rule: str
    words: str
    topics: tuple[str, ...] = ()
    topic_bonus: str = attrs.field(default="", validator=_is_formula)
    to_hit: str = attrs.field(default="", validator=_is_formula)
    damage: str = attrs.field(default="", validator=_is_formula)
    max_hp: str = attrs.field(default="", validator=_is_formula)
    powers: tuple[RolePower, ...] = ()
    carries_over: bool = False
    bonds_with_beasts: bool = False
    keeps_bearings: bool = False
    tradition: str = ""

    def describe(self, level: int, settings: Settings) -> str:
        """The words for the role, with the numbers of a level."""
        half = settings.half_level(level)
        return self.words.format(L=level, L2=level + 2, half=half, double=2 * level, triple=3 * level)


ROLES = data.by_key(__package__, "roles.json", CharacterRole)
POWERS = {power.key: power.name for role in ROLES.values() for power in role.powers}
TOPICS = tuple(
    sorted(
        {role.key for role in ROLES.values() if role.topic_bonus}
        | {topic for role in ROLES.values() for topic in role.topics}
        | {topic for heritage in HERITAGES.values() for topic in heritage.topics}
    )
)
"""What a task may be about, for the bonus of a role (QG.14)."""

_GIVEN: dict[str, dict[str, str]] = defaultdict(dict)
"""The formulas of what roles give, by what it is and then by role."""

for _role in ROLES.values():
    for _what in ("to_hit", "damage", "max_hp"):
        if getattr(_role, _what):
            _GIVEN[_what][_role.key] = getattr(_role, _what)
    for _power in _role.powers:
        _GIVEN[_power.key][_role.key] = _power.formula


def roles_of(who: Character) -> list[CharacterRole]:
    """The roles, in the order in which they were taken."""
    return [ROLES[trait] for trait in who.traits_of(ROLE) if trait in ROLES]


@lru_cache(maxsize=1024)
def _term(role: str, formula: str, level: int, settings: Settings) -> Term:
    return Term(by_level(formula, level, settings), ROLES[role].name, ROLES[role].rule, f"trait.{role}")


def role_terms(who: Character, what: str, settings: Settings) -> list[Term]:
    """Terms that roles add to ``to_hit``, ``damage``, ``max_hp`` or a power: all of them (Q0.50)."""
    given = _GIVEN.get(what, {})
    return [_term(trait, given[trait], who.level, settings) for trait in who.traits_of(ROLE) if trait in given]


def power(who: Character, what: str, settings: Settings) -> int:
    """The total of a power over a character's roles; 0 without such a role."""
    return sum([term.amount for term in role_terms(who, what, settings)])


def check_power(table: Table, who: Character, what: str, settings: Settings) -> int:
    """The total of a power. Refused without a role for it, and where it comes to 0 (Q0.77)."""
    roles = [role.name for role in ROLES.values() if role.key in _GIVEN.get(what, ())]
    if not role_terms(who, what, settings):
        table.refuse(f"{who.name} cannot do that: it takes the role {' or '.join(roles)}.")
    amount = power(who, what, settings)
    if amount < 1:
        why = "half a level is nothing yet. It takes level 2, or half_level_min = 1"
        why = why if who.level > 0 else "without a level there is nothing of it"
        table.refuse(f"{who.name}'s {POWERS[what].lower()} comes to {amount} at level {who.level}: {why}.")
    return amount


def topic_terms(who: Character, topic: str, settings: Settings) -> tuple[Term, ...]:
    """Terms that roles and heritage add to a task of this topic: the best of them, or all if the table says so (Q0.50)."""
    found = [
        _term(role.key, role.topic_bonus, who.level, settings)
        for role in roles_of(who)
        if role.topic_bonus and topic in (role.key, *role.topics)
    ]
    heritage = heritage_of(who)
    if topic in heritage.topics:
        found.append(Term(who.level, heritage.name, heritage.rule, f"trait.{heritage.key}"))
    if settings.topic_bonus_stack == "sum" or len(found) < 2:
        return tuple(found)
    return (max(found, key=lambda term: term.amount),)
