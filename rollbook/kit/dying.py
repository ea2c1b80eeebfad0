"""Falling, dying and coming round: every game gives its lines, and this module decides who crosses them (QG.8, QG.9).

Death is final: hit points that come back, and a maximum that rises, change nothing for the dead (Q0.83, Q1.2). Only a ruling on
their hit points, or an effect that says so, gives life back.
"""

from collections.abc import Callable, Iterable

import attrs

from rollbook.kit import conditions
from rollbook.plugin import Character, Record, Table, events

__all__ = ["Lines", "die", "follow_change", "revive", "settle"]


@attrs.frozen(kw_only=True)
class Lines(Record):
    """The lines of a game: with 0 hit points or fewer a character is ``down``, with ``dies_at`` or fewer dead.

    ``down`` is a condition, "" where there is none. ``dies_at`` is None for those whom lost hit points do not kill.
    """

    down: str = conditions.UNCONSCIOUS
    dies_at: int | None = None

    def has_died(self, left: int) -> bool:
        """True if so few hit points are death."""
        return self.dies_at is not None and left <= self.dies_at


def settle(table: Table, name: str, *, most: int, lines: Lines) -> None:
    """Record that a character with a maximum of ``most`` falls, dies or comes round; the dead stay dead (QG.9)."""
    who = table.character(name)
    if who.has(conditions.DEAD):
        return
    if lines.dies_at is not None and who.has_lost(most - lines.dies_at):
        die(table, name, ends=(lines.down,))
    elif not who.has_lost(most):
        conditions.end(table, name, lines.down)
    elif lines.down:
        conditions.begin(table, name, lines.down)


def die(table: Table, name: str, *, source: str = "", ends: Iterable[str] = ()) -> None:
    """Make a character dead, whatever hit points are left; lesser conditions end."""
    conditions.end_for_all(table, (name,), *ends)
    conditions.begin(table, name, conditions.DEAD, source=source)


def revive(table: Table, name: str, *, ends: Iterable[str] = ()) -> None:
    """Make a character alive again, and end what came with death; the hit points left decide on waking (``settle``)."""
    conditions.end_for_all(table, (name,), conditions.DEAD, *ends)


def follow_change(
    table: Table, before: Character, *, most: Callable[[Character], int], lines: Callable[[Character], Lines]
) -> bool:
    """Follow a changed sheet, which was ``before``. Hit points follow the maximum; those given by ruling may give life.

    ``most`` is the maximum of a character. Returns True if a dead character lives again.
    """
    given = before.lost - table.character(before.id).lost
    follow_maximum(table, before.id, before=most(before), after=most(table.character(before.id)))
    who = table.character(before.id)
    if given <= 0 or not who.has(conditions.DEAD):
        return False
    was, left, line = most(before) - before.lost, most(who) - who.lost, lines(who)
    lives = left > 0 or (line.has_died(was) and not line.has_died(left))
    if lives:
        revive(table, who.id)
    return lives


def follow_maximum(table: Table, name: str, *, before: int, after: int) -> None:
    """Follow a maximum: a rise lifts the hit points left, a fall clamps them; those of the dead stay (Q0.83, Q1.2)."""
    who = table.character(name)
    if who.has(conditions.DEAD) and before != after:
        amount = min(before - who.lost, after) - (after - who.lost)
        if amount:
            table.record(events.HitPointsCorrected(character=name, amount=amount, reason="the dead stay as they are"))
    elif before > after and who.lost > 0:
        amount = min(before - after, who.lost)
        table.record(events.HitPointsRestored(character=name, amount=amount, tags=("maximum fell",)))
