"""Hit point by hit point through a stretch of time, in the order of the clock (Q0.29).

At the same instant: what hurts, then whether that kills, then what grows back, then what rest heals. What heals and what
thirst takes is added up and recorded once; what hurts is recorded each time, because it may have consequences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from ruleset_plugins import DAY, HOUR, MINUTE, Character, Kind, Table, conditions, events, next_end
from ruleset_plugins.storytoken.abilities import bonus, change_score, score
from ruleset_plugins.storytoken.conditions import DORMANT, EMBODIED, SILVERED, State, heals, states_of
from ruleset_plugins.storytoken.heritages import heritage_of
from ruleset_plugins.storytoken.hit_points import SLAIN, max_hp
from ruleset_plugins.storytoken.injury import BURNS, REGENERATION, THIRST, after_change, die, hurt, settle, soothe
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.spirit_body import BODY, mend_body

REST = "rest"
RETURN = "return"

ROUND = "round"


def healing_per_hour(who: Character) -> int:
    """Hit points for each completed hour of rest: the Constitution modifier, at least 1; none for things (Q0.82)."""
    return 0 if who.kind is Kind.THING else max(bonus(who, "con"), 1)


def time_matters(who: Character) -> bool:
    """Whether anything can happen to somebody while time goes by, rest apart."""
    heritage = heritage_of(who)
    return bool(who.conditions or heritage.daily_thirst or heritage.regenerates)


@attrs.frozen
class _Process:
    """Something that happens ``every`` round, minute, hour or day, counted from ``since``."""

    kind: str
    every: str
    since: int = 0
    state: State | None = None


HARM, DRAIN = "harm", "drain"


class Course:
    """Somebody's hit points while time goes by, resting since ``rested_from`` if at all.

    ``rounds`` says whether what happens every round is still to happen; in a fight it happens on one's turn.
    """

    def __init__(self, table: Table, name: str, *, rested_from: int | None, rounds: bool) -> None:
        self._table, self._name = table, name
        self._rested_from, self._rounds = rested_from, rounds
        self._length = {ROUND: house(table).round_seconds, "minute": MINUTE, "hour": HOUR, "day": DAY}
        self._sums: Counter[str] = Counter()
        self._look()

    def run(self, start: int, end: int) -> None:
        """Everything that happens after ``start`` and up to ``end``, in seconds of the clock."""
        now = start
        while due := [self._next(each, now) for each in self._processes if self._goes_on(each)]:
            before, now = now, min(due)
            if now > end:
                break
            for process in [each for each in self._processes if self._next(each, before) == now]:
                self._step(process)
        self._write()

    def _next(self, process: _Process, now: int) -> int:
        return next_end(now, self._length[process.every], process.since)

    def run_a_round(self) -> None:
        """What happens in one round, whatever the clock says."""
        for process in tuple(each for each in self._processes if each.every == ROUND):
            self._step(process)
        self._write()

    def _look(self) -> None:
        """How things stand, and what therefore goes on."""
        who, settings = self._table.character(self._name), house(self._table)
        heritage = heritage_of(who)
        self._most = max_hp(who, settings)
        self._in_body = who.has(EMBODIED)
        self._left = who.pools.get(BODY, 0) if self._in_body else self._most - who.lost
        self._thirst = who.pools.get(THIRST, 0) if settings.vampire_thirst == "blood_only" else 0
        self._burns = who.pools.get(BURNS, 0)
        self._regrowth = RETURN if heritage.slain_by else REGENERATION
        self._heals = healing_per_hour(who)
        up_to = heritage.regenerates.up_to if heritage.regenerates else None
        self._ceiling = self._most if up_to is None else up_to
        self._processes = () if who.has(conditions.DEAD) else tuple(self._going_on(who))

    def _going_on(self, who: Character) -> Iterator[_Process]:
        heritage = heritage_of(who)
        for state, condition in () if who.has(DORMANT) else states_of(who):
            is_harm = bool(state.damage or (state.sun and heritage.sunlight))
            if (is_harm or state.drains) and (self._rounds or state.every != ROUND):
                yield _Process(HARM if is_harm else DRAIN, state.every, condition.since, state)
        if heritage.daily_thirst:
            yield _Process(THIRST, "day")
        if not heals(who):
            return
        regrows = heritage.regenerates
        if regrows and not who.has(SLAIN) and not who.has(SILVERED) and (self._rounds or regrows.every != ROUND):
            yield _Process(self._regrowth, regrows.every)
        if self._rested_from is not None and self._heals:
            yield _Process(REST, "hour", self._rested_from)

    def _goes_on(self, process: _Process) -> bool:
        """Whether it would change anything now. Who cannot die and burns at the bottom of the track stays there."""
        if process.kind in (HARM, THIRST):
            return self._left > (0 if self._in_body else -self._most)
        if process.kind == self._regrowth:
            is_held_down = self._left <= -self._most and any(each.kind == HARM for each in self._processes)
            return self._left < min(self._ceiling, self._most - self._thirst - self._burns) and not is_held_down
        return process.kind == DRAIN or self._left < self._most - self._thirst

    def _step(self, process: _Process) -> None:
        if process not in self._processes or not self._goes_on(process):
            return
        if process.state is not None:
            self._write()
            self._suffer(process.state)
            self._look()
        elif process.kind == THIRST:
            self._left -= 1
            self._thirst += house(self._table).vampire_thirst == "blood_only"
            self._sums[THIRST] += 1
        else:
            amount = min(self._heals, self._most - self._thirst - self._left) if process.kind == REST else 1
            self._left += amount
            self._burns -= min(self._burns, amount) if process.kind == REST else 0
            self._sums[process.kind] += amount

    def _suffer(self, state: State) -> None:
        table, name = self._table, self._name
        who = table.character(name)
        if state.drains:
            change_score(table, who, state.drains, -1, state.key)
            after_change(table, who)
            if score(table.character(name), state.drains) <= 0 and not table.character(name).has(conditions.DEAD):
                die(table, name, state.key)
            return
        dice = state.damage or heritage_of(who).sunlight
        dealt = int(dice) if dice.isdecimal() else table.roll(dice, roller=name, purpose=state.tags[0]).total
        hurt(table, name, dealt, tags=state.tags, source=state.key)

    def _write(self) -> None:
        """One fact of each kind for what has added up."""
        table, name, sums = self._table, self._name, self._sums
        if not sums:
            return
        thirst = sums[THIRST]
        if thirst:
            table.record(events.DamageTaken(character=name, amount=thirst, dealt=thirst, tags=(THIRST,)))
        if thirst and house(table).vampire_thirst == "blood_only":
            table.record(events.PoolGained(holder=name, pool=THIRST, amount=thirst, reason=THIRST))
        for kind in (self._regrowth, REST):
            if sums[kind] and self._in_body:
                mend_body(table, table.character(name), sums[kind], most=self._most)
            elif sums[kind]:
                table.record(events.HitPointsRestored(character=name, amount=sums[kind], tags=(kind,)))
        soothe(table, name, sums[REST])
        self._sums = Counter()
        settle(table, name)
