"""The table of experience and levels (R1.60)."""

from __future__ import annotations

import attrs

from ruleset_plugins import level_reached, load
from ruleset_plugins.luckpoint.settings import Settings


@attrs.frozen(kw_only=True)
class LevelRow:
    """A row: the experience points needed, how many skills rise, and whether an ability does."""

    level: int
    experience: int
    skills: int
    ability: bool


LEVELS = load(__package__, "levels.json", LevelRow)
HIGHEST = LEVELS[-1].level


def row(level: int) -> LevelRow:
    """The row of a level from 1 to the last; what lies beyond has the last one."""
    return LEVELS[min(max(level, 1), HIGHEST) - 1]


def highest(settings: Settings) -> int:
    """The highest level at this table (Q1.30)."""
    return min(settings.level_cap, HIGHEST)


def level_for(experience: int, settings: Settings) -> int:
    """The highest level whose threshold a total reaches."""
    reached = level_reached(LEVELS, experience)
    return min(reached, highest(settings))


def next_threshold(level: int, settings: Settings) -> int | None:
    """The experience points of the next level; None if there is none."""
    return row(level + 1).experience if level < highest(settings) else None
