"""Levels by a table of experience: which one a total reaches, and how somebody comes to have it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from domain import events
from domain.table import Table


class Threshold(Protocol):
    """A row of a table of levels: how much experience its level takes."""

    @property
    def level(self) -> int: ...
    @property
    def experience(self) -> int: ...


def level_reached(rows: Iterable[Threshold], experience: int) -> int:
    """The highest level whose row so much experience reaches; 1 below the table."""
    return max((row.level for row in rows if row.experience <= experience), default=1)


def begin_at_level(table: Table, name: str, level: int, experience: int) -> None:
    """A newcomer has this level, and the experience that belongs to it."""
    if experience:
        table.record(events.ExperienceAwarded(character=name, amount=experience, reason=f"starts at level {level}"))
    table.record(events.LevelGained(character=name, levels=level))


def reach_level(table: Table, name: str, level: int) -> None:
    """Somebody has this level from here on, whatever it was."""
    change = level - table.character(name).level
    if change:
        table.record(events.LevelGained(character=name, levels=change))
