"""What time does: rest heals, conditions run out, a vampire thirsts and returns (R0.25, R0.55, Q0.19, Q0.29, Q0.55)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from ruleset_plugins import Character, Kind, Table, events
from ruleset_plugins.storytoken.abilities import bonus
from ruleset_plugins.storytoken.injury import DEAD, SLAIN, THIRST, max_hp, restore, settle
from ruleset_plugins.storytoken.settings import Settings, house
from ruleset_plugins.storytoken.traits import heritage_of

MINUTE, HOUR, DAY = 60, 3_600, 86_400
UNTIL_LONG_REST = "until a long rest"
"""The detail of a condition that a long rest ends (Q0.76)."""

REST = "rest"
RETURN = "return"


def time_passed(table: Table, before: int, *, rest: bool) -> None:
    """The hook of the clock: for everybody, first what hurts, then what heals, then what runs out (Q0.29)."""
    settings = house(table)
    hours = (table.clock - before) // HOUR if rest else 0
    for who in table.characters():
        if not who.has(DEAD):
            if heritage_of(who).daily_thirst:
                _thirst_and_return(table, who, before, settings, rest=rest)
            elif hours:
                _heal(table, who, hours)
        _run_out(table, who.id, long_rest=hours >= settings.long_rest_hours)


def healing_per_hour(who: Character) -> int:
    """Hit points for each completed hour of rest: the Constitution modifier, at least 1; none for things (Q0.82)."""
    return 0 if who.kind is Kind.THING else max(bonus(who, "con"), 1)


def _heal(table: Table, who: Character, hours: int) -> None:
    restore(table, who.id, healing_per_hour(who) * hours, tags=(REST,))


def _run_out(table: Table, name: str, *, long_rest: bool) -> None:
    clock = table.clock
    for condition in tuple(table.character(name).conditions.values()):
        if 0 < condition.until <= clock or (long_rest and condition.detail == UNTIL_LONG_REST):
            table.record(events.ConditionEnded(character=name, condition=condition.name))


@attrs.define
class _Vampire:
    """A vampire's hit points while the hours go by: ``left`` of ``most``, of which ``thirst`` waits for blood."""

    left: int
    most: int
    thirst: int
    returns: bool
    keeps_thirst: bool

    @property
    def can_heal(self) -> bool:
        return self.left < self.most - (self.thirst if self.keeps_thirst else 0)


def _thirst_and_return(table: Table, who: Character, before: int, settings: Settings, *, rest: bool) -> None:
    most = max_hp(who, settings)
    vampire = _Vampire(
        left=most - who.lost,
        most=most,
        thirst=who.pools.get(THIRST, 0),
        returns=not who.has(SLAIN),
        keeps_thirst=settings.vampire_thirst == "blood_only",
    )
    sums: Counter[str] = Counter()
    for kind, amount in _steps(vampire, before, table.clock, heals=healing_per_hour(who), rest=rest):
        sums[kind] += amount
    _record(table, who, sums, keeps_thirst=vampire.keeps_thirst)


def _record(table: Table, who: Character, sums: Counter[str], *, keeps_thirst: bool) -> None:
    """One fact of each kind, however long it was."""
    thirst = sums[THIRST]
    if thirst:
        table.record(events.DamageTaken(character=who.id, amount=thirst, dealt=thirst, tags=(THIRST,)))
    if thirst and keeps_thirst:
        table.record(events.PoolGained(holder=who.id, pool=THIRST, amount=thirst, reason=THIRST))
    for kind in (RETURN, REST):
        if sums[kind]:
            table.record(events.HitPointsRestored(character=who.id, amount=sums[kind], tags=(kind,)))
    if sums:
        settle(table, who.id)


def _steps(vampire: _Vampire, start: int, end: int, *, heals: int, rest: bool) -> Iterator[tuple[str, int]]:
    """Hit point by hit point, in the order of the clock. Thirst stops at the bottom of the track, so this ends."""
    now = start
    while True:
        due = [(_next(now, DAY, 0), THIRST)] if vampire.left > -vampire.most else []
        if vampire.returns and vampire.left <= 0 and vampire.can_heal:
            due.append((_next(now, MINUTE, 0), RETURN))
        if rest and vampire.can_heal:
            due.append((_next(now, HOUR, start), REST))
        if not due or (now := min(due)[0]) > end:
            return
        for kind in (kind for kind in (THIRST, RETURN, REST) if (now, kind) in due):
            amount = heals if kind == REST else 1
            if kind == THIRST:
                vampire.left -= amount
                vampire.thirst += amount
            else:
                amount = min(amount, vampire.most - vampire.left)
                vampire.left += amount
            yield kind, amount


def _next(now: int, length: int, start: int) -> int:
    """The first full stretch of ``length`` seconds after ``now``, counted from ``start``."""
    return now + length - (now - start) % length
