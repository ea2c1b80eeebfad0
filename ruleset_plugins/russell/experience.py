"""How much experience a level takes, and what a level is worth (R3.13, R3.23, R3.26, R3.47)."""

from __future__ import annotations

from functools import lru_cache

import attrs

from ruleset_plugins import level_reached, load
from ruleset_plugins.russell.settings import Settings

EACH_FURTHER_LEVEL = 5_000
"""Points for each level past the table (R3.47)."""

FLAT_HIT_POINTS = 2
"""Hit points of each level past the table, instead of a die (R3.13, Q3.8)."""

HIGHEST_RANK = 6
FARTHEST = 1_000
"""No level above this is counted."""


@attrs.frozen(kw_only=True)
class Level:
    """A row of the table: the points that it takes, whether it brings a template, and the highest rank of a skill."""

    level: int
    experience: int
    max_skill: int
    template: bool = False


LEVELS = load(__package__, "levels.json", Level)
LAST_DIE = LEVELS[-1].level
"""The last level that rolls a hit die."""


@lru_cache(maxsize=1024)
def experience_for(level: int) -> int:
    """The points that a level takes, 0 for level 0."""
    if level <= 0:
        return 0
    if level <= LAST_DIE:
        return LEVELS[level - 1].experience
    return LEVELS[-1].experience + (level - LAST_DIE) * EACH_FURTHER_LEVEL


def level_for(experience: int) -> int:
    """The level that so much experience reaches; at least 1, because everybody begins there (Q3.2)."""
    if experience >= LEVELS[-1].experience:
        return min(LAST_DIE + (experience - LEVELS[-1].experience) // EACH_FURTHER_LEVEL, FARTHEST)
    return level_reached(LEVELS, experience)


def flat_hit_points(level: int) -> int:
    """Hit points of the levels past the last die (R3.13)."""
    return max(level - LAST_DIE, 0) * FLAT_HIT_POINTS


def weapon_skill_of(level: int, settings: Settings) -> int:
    """Weapon Skill by level alone: 1, and 1 more at every even level (R3.23, Q3.4, Q3.5)."""
    counted = level if settings.ws_after_10 == "even" else min(level, LAST_DIE)
    return 1 + max(counted, 0) // 2


def highest_rank(level: int) -> int:
    """The highest rank of a skill at a level (R3.26)."""
    return max(0, min(level, HIGHEST_RANK))
