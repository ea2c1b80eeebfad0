"""Roles, and their bonuses at a level (R0.110, R0.158–R0.178)."""

from collections import defaultdict
from functools import lru_cache
from typing import Literal, TypeAlias

from rollbook.kit import data
from rollbook.plugin import Character, Table, Term
from rollbook.rulesets.storytoken.character.heritages import HERITAGES, heritage_of
from rollbook.rulesets.storytoken.settings import Settings

ROLE = "role"
"""The kind of trait that a role is."""

Formula: TypeAlias = Literal["", "L", "L+2", "L/2", "2L", "3L"]
"""A number that goes by the level, which is L."""


class RolePower(data.Row):
    """A number that a role gives for one purpose, say for a ``rally`` or its ``questions`` a day."""

    name: str
    formula: Formula


class CharacterRole(data.Row):
    """A role of a character: ``topics`` get the ``topic_bonus``, as does the key; ``words`` name a level's numbers."""

    name: str
    rule: str
    words: str
    topics: tuple[str, ...] = ()
    topic_bonus: Formula = ""
    to_hit: Formula = ""
    damage: Formula = ""
    max_hp: Formula = ""
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
_NAMED = {topic for role in ROLES.values() for topic in ((role.key,) if role.topic_bonus else ()) + role.topics}
TOPICS = tuple(sorted(_NAMED.union(*(heritage.topics for heritage in HERITAGES.values()))))
"""The topics of tasks, for the bonus of a role (QG.14)."""

_GIVEN: dict[str, dict[str, str]] = defaultdict(dict)
"""The formulas of the bonuses and powers of roles, by bonus or power and then by role."""

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
    by_level = {"L": level, "L+2": level + 2, "L/2": settings.half_level(level), "2L": 2 * level, "3L": 3 * level}
    return Term(by_level.get(formula, 0), ROLES[role].name, ROLES[role].rule, f"trait.{role}")


def role_terms(who: Character, what: str, settings: Settings) -> list[Term]:
    """Terms that roles add to ``to_hit``, ``damage``, ``max_hp`` or a power: all of them (Q0.50)."""
    given = _GIVEN.get(what, {})
    return [_term(trait, given[trait], who.level, settings) for trait in who.traits_of(ROLE) if trait in given]


def power(who: Character, what: str, settings: Settings) -> int:
    """The total of a power over a character's roles; 0 without such a role."""
    return sum([term.amount for term in role_terms(who, what, settings)])


def check_power(table: Table, who: Character, what: str) -> int:
    """The total of a power. Refused without a role for it, and if it is 0 (Q0.77)."""
    settings = Settings.of(table)
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
