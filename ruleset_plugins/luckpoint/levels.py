"""Experience and levels, and the choices that a level brings (R1.58–R1.60, Q1.24, Q1.25, QG.7)."""

from collections.abc import Sequence

import attrs

from rollbook.kit import data, levels, open_choices
from rollbook.plugin import ABILITIES, Table, events
from rollbook.rulesets.luckpoint.abilities import BASIC, LOCATION, SKILLS, TAKES_PLACE
from rollbook.rulesets.luckpoint.settings import Settings


@attrs.frozen(kw_only=True)
class LevelRow(levels.Threshold):
    """A row: the experience points needed, how many skills rise, and whether an ability does."""

    skills: int
    ability: bool


LEVELS = data.load(__package__, "levels.json", LevelRow)
HIGHEST_LEVEL = LEVELS[-1].level


def level_row(level: int) -> LevelRow:
    """The row of a level from 1 to the last; what lies beyond has the last one."""
    return LEVELS[min(max(level, 1), HIGHEST_LEVEL) - 1]


def highest_level(settings: Settings) -> int:
    """The highest level at this table (Q1.30)."""
    return min(settings.level_cap, HIGHEST_LEVEL)


def level_for(experience: int, settings: Settings) -> int:
    """The highest level whose threshold a total reaches."""
    reached = levels.reached(LEVELS, experience)
    return min(reached, highest_level(settings))


def next_threshold(level: int, settings: Settings) -> int | None:
    """The experience points of the next level; None if there is none."""
    return level_row(level + 1).experience if level < highest_level(settings) else None


SKILL, ABILITY = "skill", "ability"
"""The kinds of choices that levels and creation bring."""

OTHERS, HIGHEST = "others", "highest"
"""Data of these choices: the choices whose skills must differ, and the highest modifier that an ability may reach."""

CREATION = "creation"
HIGHEST_AT_CREATION = 3


def experience_awarded(table: Table, name: str) -> None:
    """The hook of an award: every level that the new total reaches, one after the other.

    A monster without a level gains none; experience alone never takes a level away (QG.7).
    """
    who = table.character(name)
    due = level_for(who.experience, Settings.of(table))
    for level in range(who.level + 1, due + 1) if who.level > 0 else ():
        table.record(events.LevelGained(character=name, levels=1))
        offer_level(table, name, level)


def offer_level(table: Table, name: str, level: int, *, with_ability: bool = True) -> None:
    """Offer what a level brings: two different skills +1, and at some levels an ability +1."""
    offer_skills(table, name, f"level-{level}", range(1, level_row(level).skills + 1), tuple(SKILLS))
    if level_row(level).ability and with_ability:
        offer_ability(table, name, f"level-{level}-{ABILITY}", ABILITIES, reason=f"level {level}")


def offer_ability(
    table: Table, name: str, choice: str, options: Sequence[str], *, reason: str, capped: bool = False
) -> None:
    """A point for an ability; ``capped`` at what a new character may have (R1.50)."""
    data = {HIGHEST: HIGHEST_AT_CREATION} if capped else {}
    open_choices.offer(table, name, choice, options, kind=ABILITY, reason=reason, data=data)


def offer_skills(table: Table, name: str, source: str, places: range, keys: tuple[str, ...]) -> None:
    """Points for skills that are still to be chosen; the places of one source go to different skills."""
    choices = [f"{source}-{SKILL}-{place}" for place in places]
    options = [events.Option(key=key, data={TAKES_PLACE: True} if key == LOCATION else {}) for key in keys]
    for choice in choices:
        others = tuple(other for other in choices if other != choice)
        reason = source.replace("-", " ")
        open_choices.offer(table, name, choice, options, kind=SKILL, reason=reason, data={OTHERS: others})


def offer_first_skills(table: Table, name: str, places: range, *, only_basic: bool) -> None:
    """The skills of a new character that are still to be chosen (R1.51, R1.52)."""
    held = table.character(name).stats
    options = BASIC if only_basic else tuple(SKILLS)
    offer_skills(table, name, CREATION, places, tuple(key for key in options if not held.get(key)))
