"""Levels by a table of experience, and hit dice that were rolled before."""

from collections.abc import Iterable, Sequence

import attrs

from rollbook.plugin import Record, Table, events

__all__ = ["Threshold", "begin_at", "parse_hit_dice", "reached", "set_level"]

_HIT_DIE_FACES = ("1", "2", "3", "4", "5", "6")


def parse_hit_dice(table: Table, typed: Sequence[str], wanted: int, *, level: int) -> tuple[int, ...]:
    """Hit dice that were rolled before, 1 to 6 each. Refused unless there are as many as are ``wanted``."""
    if len(typed) != wanted or not all(face in _HIT_DIE_FACES for face in typed):
        table.refuse(
            f"Level {level} has {wanted} hit dice, each 1 to 6, as in --hit-dice {','.join('4' * wanted)}; "
            f"not {','.join(typed)!r}.",
            table.parameter_of(typed),
        )
    return tuple(map(int, typed))


@attrs.frozen(kw_only=True)
class Threshold(Record):
    """A row of a table of levels: the experience that its level takes."""

    level: int
    experience: int


def reached(rows: Iterable[Threshold], experience: int) -> int:
    """The highest level whose row so much experience reaches; 1 below the table."""
    return max((row.level for row in rows if row.experience <= experience), default=1)


def begin_at(table: Table, name: str, level: int, experience: int) -> None:
    """Give a newcomer this level, and the experience that belongs to it."""
    if experience:
        table.record(events.ExperienceAwarded(character=name, amount=experience, reason=f"starts at level {level}"))
    table.record(events.LevelGained(character=name, levels=level))


def set_level(table: Table, name: str, level: int) -> None:
    """Set a character's level, whatever it was."""
    change = level - table.character(name).level
    if change:
        table.record(events.LevelGained(character=name, levels=change))
