"""The table of experience and levels (R0.113–R0.139)."""

import attrs

from rollbook.kit import data, levels
from rollbook.rulesets.storytoken.settings import Settings

LAST_DIE, BEYOND = 9, 120_000
"""Levels up to this one bring a hit die (R0.139); experience points for each level past the table, if there are any (Q0.48)."""


@attrs.frozen(kw_only=True)
class LevelRow(levels.Threshold):
    """A row: experience points needed, hit dice, the bonus printed behind them, and whether there is a pick."""

    dice: int
    printed_bonus: int
    pick: bool
    rule: str


LEVELS = data.load(__package__, "levels.json", LevelRow)
HIGHEST = LEVELS[-1].level

FARTHEST = 1_000_000
"""A level out of reach, where there is no highest."""


def row(level: int) -> LevelRow:
    """The row of a level from 1; past the table it continues like the last row."""
    if level <= HIGHEST:
        return LEVELS[level - 1]
    last, beyond = LEVELS[-1], level - HIGHEST
    experience, printed_bonus = last.experience + beyond * BEYOND, last.printed_bonus + beyond
    return attrs.evolve(last, level=level, experience=experience, printed_bonus=printed_bonus, pick=False, rule="Q0.48")


def level_for(experience: int, settings: Settings) -> int:
    """The highest level whose threshold a total reaches (R0.138)."""
    if settings.extrapolate_levels and experience >= LEVELS[-1].experience:
        return HIGHEST + (experience - LEVELS[-1].experience) // BEYOND
    return levels.reached(LEVELS, experience)


def highest_level(settings: Settings) -> int:
    """The highest level at this table (Q0.48)."""
    return FARTHEST if settings.extrapolate_levels else HIGHEST


def next_threshold(level: int, settings: Settings) -> int | None:
    """The experience points of the next level; None if there is none."""
    return row(max(level, 0) + 1).experience if level < HIGHEST or settings.extrapolate_levels else None


def flat_hit_points(level: int, settings: Settings) -> int:
    """Hit points past level 9: 2 a level as the text has it, or those of the printed table (R0.51, Q0.15)."""
    if level <= LAST_DIE:
        return 0
    return 2 * (level - LAST_DIE) if settings.hp_flat_above_9 == "text" else row(level).printed_bonus
