"""Experience and levels: what is due, and the choices that come with it (R1.58–R1.60, Q1.24, Q1.25, Q1.30)."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruleset_plugins import ABILITIES, Character, Table, events, load
from ruleset_plugins.luckpoint.settings import Settings, house
from ruleset_plugins.luckpoint.skills import SKILLS
from ruleset_plugins.luckpoint.wounds import after_change


@attrs.frozen(kw_only=True)
class LevelRow:
    """A row of the level table: how many skills and abilities rise by 1."""

    level: int
    experience: int
    skills: int
    abilities: int


LEVELS = load(__package__, "levels.json", LevelRow)
START = "start"
POINTS = "points"
"""The open choice of how a new character's points are spread."""


def level_for(experience: int, settings: Settings) -> int:
    """The level of so much experience (R1.60)."""
    reached = [row.level for row in LEVELS if row.experience <= experience]
    return min(reached[-1] if reached else 1, settings.level_cap)


def next_threshold(who: Character, settings: Settings) -> int:
    """The experience of the next level; 0 at the top."""
    if who.level >= settings.level_cap:
        return 0
    return next((row.experience for row in LEVELS if row.level > who.level), 0)


def experience_awarded(table: Table, name: str) -> None:
    """The hook of awards: each level that is due, one after the other, with its open choices (QG.7)."""
    due = level_for(table.character(name).experience, house(table))
    for level in range(table.character(name).level + 1, due + 1):
        table.record(events.LevelGained(character=name))
        offer_picks(table, name, level)


def offer_picks(table: Table, name: str, level: int, *, skills_only: bool = False) -> None:
    """The choices of one level: two skills, and every second level an ability."""
    row = LEVELS[level - 1]
    for place in range(1, row.skills + 1):
        _offer(table, name, f"level-{level}-skill-{place}", tuple(SKILLS), f"level {level}")
    for _ in range(0 if skills_only else row.abilities):
        _offer(table, name, f"level-{level}-ability", ABILITIES, f"level {level}")


def _offer(table: Table, name: str, choice: str, options: tuple[str, ...], reason: str) -> None:
    table.record(events.ChoiceOffered(character=name, choice=choice, options=options, reason=reason))


def offer_start_skills(table: Table, name: str, options: tuple[str, ...]) -> None:
    """The two skills of a new character (R1.51, R1.52)."""
    for place in (1, 2):
        _offer(table, name, f"{START}-skill-{place}", options, "creation")


def pick_skill(table: Table, name: str, choice: str, skill: str) -> None:
    """One skill rises by 1; the two of one level must differ (Q1.24)."""
    who = table.character(name)
    group = choice.rpartition("-")[0]
    taken = {picked for made, picked in who.chosen.items() if made != choice and made.rpartition("-")[0] == group}
    if skill in taken:
        table.refuse(
            f"The two skills of {group.removesuffix('-skill')} must differ, and {skill} is one of them already."
        )
    table.record(
        events.ChoiceMade(character=name, choice=choice, picked=skill),
        events.StatChanged(character=name, stat=SKILLS[skill].stat, amount=1, reason=choice),
    )
    after_change(table, who)


def start_at(table: Table, name: str, level: int) -> None:
    """A level and the experience that belongs to it, with every choice on the way open."""
    experience = LEVELS[min(level, len(LEVELS)) - 1].experience
    if experience:
        table.record(events.ExperienceAwarded(character=name, amount=experience, reason=f"starts at level {level}"))
    table.record(events.LevelGained(character=name, levels=level))


def levels_up_to(level: int) -> Iterator[int]:
    """The levels that come with choices."""
    return iter(range(2, min(level, len(LEVELS)) + 1))
