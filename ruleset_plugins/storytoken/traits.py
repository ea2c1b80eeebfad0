"""Heritages and roles: what somebody is by birth and by trade, and what that adds (R0.109, R0.110, R0.141–R0.178)."""

from __future__ import annotations

import attrs

from ruleset_plugins import Character, Term, load
from ruleset_plugins.storytoken.settings import Settings

HERITAGE = "heritage"
ROLE = "role"
ATTITUDE = "attitude"
"""The kinds of traits that storytoken knows."""

HERITAGE_ABILITY = "heritage-ability"
"""The open choice of the one ability that a demigod, a superhuman or a vampire excels in."""

FORMULAS = ("", "L", "L+2", "L/2", "2L", "3L")


def _is_formula(_: object, field: attrs.Attribute[str], value: str) -> None:
    if value not in FORMULAS:
        raise ValueError(f"{field.name} is {value!r}, not one of {', '.join(FORMULAS[1:])}")


def by_level(formula: str, level: int, settings: Settings) -> int:
    """What a formula of the roles comes to at a level; L is the level."""
    match formula:
        case "L":
            return level
        case "L+2":
            return level + 2
        case "L/2":
            return settings.half_level(level)
        case "2L":
            return 2 * level
        case "3L":
            return 3 * level
    return 0


@attrs.frozen(kw_only=True)
class Heritage:
    """What somebody is by birth.

    ``advantage`` names abilities, ``advantage_on`` the kinds of rolls it is for: check, save, or task for every task
    roll (Q0.51). ``darkvision`` and ``speed`` are in feet. Who has ``slain_by`` dies of nothing else (Q0.55).
    """

    key: str
    name: str
    rule: str
    words: str
    darkvision: int = 0
    armour_class: int = 0
    speed: int = 0
    advantage: tuple[str, ...] = ()
    advantage_on: tuple[str, ...] = ("check", "save")
    chooses_ability: bool = False
    score_bonus: int = 0
    extra_roles: int = 0
    topics: tuple[str, ...] = ()
    unarmed: str = "light"
    bite: str = ""
    slain_by: tuple[str, ...] = ()
    daily_thirst: int = 0


@attrs.frozen(kw_only=True)
class Role:
    """What somebody does: ``topics`` are the tasks that get the ``topic_bonus``, ``words`` name a level's numbers."""

    key: str
    name: str
    rule: str
    words: str
    topics: tuple[str, ...] = ()
    topic_bonus: str = attrs.field(default="", validator=_is_formula)
    to_hit: str = attrs.field(default="", validator=_is_formula)
    damage: str = attrs.field(default="", validator=_is_formula)
    max_hp: str = attrs.field(default="", validator=_is_formula)
    hidden_armour_class: str = attrs.field(default="", validator=_is_formula)
    carries_over: bool = False

    def covers(self, topic: str) -> bool:
        """Whether a task of this topic is the role's own; the role's key names all of them."""
        return bool(self.topic_bonus) and (topic == self.key or topic in self.topics)

    def told(self, level: int, settings: Settings) -> str:
        """What the role does, with the numbers of a level."""
        half = settings.half_level(level)
        return self.words.format(L=level, L2=level + 2, half=half, double=2 * level, triple=3 * level)


HERITAGES = {heritage.key: heritage for heritage in load(__package__, "heritages.json", Heritage)}
ROLES = {role.key: role for role in load(__package__, "roles.json", Role)}
TOPICS = tuple(
    sorted(
        {role.key for role in ROLES.values() if role.topic_bonus}
        | {topic for role in ROLES.values() for topic in role.topics}
        | {topic for heritage in HERITAGES.values() for topic in heritage.topics}
    )
)
"""What a task may be about, for the bonus of a role (QG.14)."""

NOBODY_IN_PARTICULAR = Heritage(key="", name="", rule="", words="")


def heritage_of(who: Character) -> Heritage:
    """The heritage, or one that gives nothing: monsters need none."""
    for trait, kind in who.traits.items():
        if kind == HERITAGE:
            return HERITAGES.get(trait, NOBODY_IN_PARTICULAR)
    return NOBODY_IN_PARTICULAR


def roles_of(who: Character) -> list[Role]:
    """The roles, in the order in which they were taken."""
    return [ROLES[trait] for trait, kind in who.traits.items() if kind == ROLE and trait in ROLES]


def chosen_ability(who: Character) -> str:
    """The one ability of a heritage that lets one choose; "" while it is open."""
    return who.chosen.get(HERITAGE_ABILITY, "")


def role_terms(who: Character, what: str, settings: Settings) -> list[Term]:
    """What roles add to ``to_hit``, ``damage``, ``max_hp`` or ``hidden_armour_class``: all of them (Q0.50)."""
    found = []
    for role in roles_of(who):
        formula: str = getattr(role, what)
        if formula:
            found.append(Term(by_level(formula, who.level, settings), role.name, role.rule, f"trait.{role.key}"))
    return found


def topic_terms(who: Character, topic: str, settings: Settings) -> tuple[Term, ...]:
    """What roles and heritage add to a task of this topic: the best of them, or all if the table says so (Q0.50)."""
    found = [
        Term(by_level(role.topic_bonus, who.level, settings), role.name, role.rule, f"trait.{role.key}")
        for role in roles_of(who)
        if role.covers(topic)
    ]
    heritage = heritage_of(who)
    if topic in heritage.topics:
        found.append(Term(who.level, heritage.name, heritage.rule, f"trait.{heritage.key}"))
    if settings.topic_bonus_stack == "sum" or len(found) < 2:
        return tuple(found)
    return (max(found, key=lambda term: term.amount),)
