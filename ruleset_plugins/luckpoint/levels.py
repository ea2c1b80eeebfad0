"""Rising: experience becomes levels, and every level brings choices (R1.58–R1.60, Q1.24, Q1.25, QG.7)."""

from __future__ import annotations

from ruleset_plugins import ABILITIES, Table, events
from ruleset_plugins.luckpoint.experience import level_for, row
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import BASIC, SKILLS

SKILL, ABILITY = "skill", "ability"
"""The last part but one, and the last part, of the names of choices: ``level-3-skill-1``, ``level-3-ability``."""

CREATION = "creation"


def experience_awarded(table: Table, name: str) -> None:
    """The hook of an award: every level that the new total reaches, one after the other.

    Whoever has no level, a monster, rises no level; experience alone never takes a level away (QG.7).
    """
    who = table.character(name)
    due = level_for(who.experience, house(table))
    for level in range(who.level + 1, due + 1) if who.level > 0 else ():
        table.record(events.LevelGained(character=name, levels=1))
        offer_level(table, name, level)


def offer_level(table: Table, name: str, level: int, *, with_ability: bool = True) -> None:
    """What a level brings: two different skills +1, and at some levels an ability +1."""
    offer_skills(table, name, f"level-{level}", range(1, row(level).skills + 1), tuple(SKILLS))
    if row(level).ability and with_ability:
        offered(table, name, f"level-{level}-{ABILITY}", ABILITIES, f"level {level}")


def offer_skills(table: Table, name: str, source: str, places: range, options: tuple[str, ...]) -> None:
    """Points for skills that are still to be chosen; the places of one source go to different skills."""
    for place in places:
        offered(table, name, f"{source}-{SKILL}-{place}", options, source.replace("-", " "))


def offer_first_skills(table: Table, name: str, places: range, *, only_basic: bool) -> None:
    """The skills of a new character that are still to be chosen (R1.51, R1.52)."""
    held = table.character(name).stats
    options = BASIC if only_basic else tuple(SKILLS)
    offer_skills(table, name, CREATION, places, tuple(key for key in options if not held.get(key)))


def offered(table: Table, name: str, choice: str, options: tuple[str, ...], reason: str) -> None:
    """An open choice."""
    table.record(events.ChoiceOffered(character=name, choice=choice, options=options, reason=reason))
