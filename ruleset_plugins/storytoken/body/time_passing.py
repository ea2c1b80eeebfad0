"""Effects of passing time on a body: it hurts, heals, and ends conditions (R0.25, R0.55, Q0.19, Q0.29).

Each character's time is cut where a condition ends. In between, ``TimeEffects`` steps through everything that happens each
round, minute, hour or day, by the clock. At the same instant: first what hurts, then whether that kills, then
regeneration, then healing by rest. Healing and thirst are summed and recorded once; damage is recorded each time, because
it may have consequences. In a fight, a character who has had a turn has had the effects of the round.
"""

from collections import Counter
from collections.abc import Collection, Iterator

import attrs

from rollbook.kit import clock
from rollbook.plugin import Character, CharacterKind, Condition, Record, Table, events
from rollbook.rulesets.storytoken.body import conditions, harm, hit_points
from rollbook.rulesets.storytoken.character.abilities import bonus, change_score, score
from rollbook.rulesets.storytoken.character.heritages import heritage_of
from rollbook.rulesets.storytoken.settings import Settings

STAGE_WORDS = ("then down", "then dead")
"""Words for the two stages of starving and the like (R0.72, R0.83, R0.85, R0.86)."""


def time_passed(table: Table, before: int, *, rest: bool, acted: Collection[str] = ()) -> None:
    """The hook of the clock, for all characters; those who ``acted`` have had the effects of the round.

    A rest in several stretches with nothing between is one rest, and ends what lasts until a long one (R0.55, Q0.19, Q0.76).
    """
    rested_from = clock.resting_since(table, before) if rest else None
    long = Settings.of(table).long_rest_hours * clock.HOUR
    for who in table.characters():
        since = rested_from if clock.rests(table, who) else None
        _apply_time_to(table, who.id, before, rested_from=since, rounds=who.id not in acted)
        if since is not None:
            for each in tuple(table.character(who.id).conditions.values()):
                is_over = table.clock - max(since, each.since) >= long
                if is_over and conditions.text(each, conditions.ENDS) == conditions.LONG_REST:
                    conditions.end(table, who.id, each.name)
        recruited = who.conditions.get(conditions.RECRUITED)
        if recruited is not None and conditions.number(recruited, conditions.SCENE) != this_scene(table):
            conditions.end(table, who.id, conditions.RECRUITED)


def this_scene(table: Table) -> int:
    """The number of the scene, 0 before the first. Reading ``scene`` makes a correction of scenes count."""
    return table.scene_number if table.scene else 0


def _apply_time_to(table: Table, name: str, before: int, *, rested_from: int | None, rounds: bool) -> None:
    """Apply the time from ``before`` to now to one character, in parts that end where a condition ends."""
    who = table.character(name)
    heritage = heritage_of(who)
    if rested_from is None and not (who.conditions or heritage.daily_thirst or heritage.regenerates):
        return
    now = before
    while now < table.clock and not table.character(name).has(conditions.DEAD):
        ends = (each.until for each in table.character(name).conditions.values() if each.until > now)
        until = min((*ends, table.clock))
        if any(_is_staged(each) and each.until == until for each in table.character(name).conditions.values()):
            TimeEffects(table, name, rested_from=rested_from, rounds=rounds).run(now, until - 1)
            # Stages that end in this second come before what heals in it (Q0.29).
            for over in tuple(table.character(name).conditions.values()):
                if _is_staged(over) and over.until == until:
                    conditions.end(table, name, over.name)
                    after_condition(table, name, over)
            now = until - 1
        TimeEffects(table, name, rested_from=rested_from, rounds=rounds).run(now, until)
        for over in conditions.expire(table, name, until):
            after_condition(table, name, over)
        now = until
    conditions.expire(table, name)


def _is_staged(condition: Condition) -> bool:
    """True for a condition that leads to 0 hit points and then to death."""
    return condition.name in conditions.CONDITIONS and bool(conditions.CONDITIONS[condition.name].stages)


def after_condition(table: Table, name: str, over: Condition) -> None:
    """Record the consequences of a condition whose time is over.

    A first stage ends in 0 hit points, a second in death, except for those who return from it (Q0.55).
    """
    who = table.character(name)
    if over.name == conditions.RAGING:
        hit_points.end_rage(table, name)
    elif over.name == conditions.EMBODIED:
        hit_points.decay(table, name, over=over)
    elif not _is_staged(over) or who.has(conditions.DORMANT) or who.has(conditions.DEAD):
        return
    elif not conditions.number(over, conditions.STAGE):
        hit_points.fall_to_zero(table, name, over.name)
        if not table.character(name).has(conditions.DORMANT):
            span = conditions.stage_seconds(who, conditions.CONDITIONS[over.name].stages[1], Settings.of(table))
            until, second = over.until + span, {conditions.STAGE: 1}
            conditions.change(table, name, over, detail=STAGE_WORDS[1], until=until, data=second)
    elif not hit_points.returns(who):
        hit_points.die(table, name, over.name)


REST, RETURN, HARM, DRAIN, ROUND = "rest", "return", "harm", "drain", "round"
"""Kinds of processes besides regeneration and thirst, and the stretch of time that fights count."""


@attrs.frozen
class _Process(Record):
    """Something that happens ``every`` round, minute, hour or day, counted from ``since``."""

    kind: str
    every: str
    since: int = 0
    state: conditions.State | None = None


class TimeEffects:
    """One character's hit points while time passes, resting since ``rested_from`` or not at all (None).

    ``rounds`` says whether to apply what happens every round; in a fight that is done on the character's turn.
    """

    def __init__(self, table: Table, name: str, *, rested_from: int | None = None, rounds: bool = True) -> None:
        self._table, self._name = table, name
        self._rested_from, self._rounds = rested_from, rounds
        self._length = conditions.SECONDS | {ROUND: Settings.of(table).round_seconds}
        self._sums: Counter[str] = Counter()
        self._look()

    def run(self, start: int, end: int) -> None:
        """Apply everything that is due after ``start`` and up to ``end``, in seconds of the clock."""
        now = start
        while due := [self._next(each, now) for each in self._processes if self._goes_on(each)]:
            before, now = now, min(due)
            if now > end:
                break
            for process in [each for each in self._processes if self._next(each, before) == now]:
                self._step(process)
        self._write()

    def _next(self, process: _Process, now: int) -> int:
        return clock.next_end(now, self._length[process.every], process.since)

    def run_a_round(self) -> None:
        """Apply what happens every round, at the start of the character's turn (Q0.29)."""
        for process in tuple(each for each in self._processes if each.every == ROUND):
            self._step(process)
        self._write()

    def _look(self) -> None:
        who, settings = self._table.character(self._name), Settings.of(self._table)
        heritage = heritage_of(who)
        self._most = hit_points.max_hp(who, settings)
        self._in_body = who.has(conditions.EMBODIED)
        self._left = who.pools.get(hit_points.BODY, 0) if self._in_body else self._most - who.lost
        self._thirst = who.pools.get(hit_points.THIRST, 0) if settings.vampire_thirst == "blood_only" else 0
        self._burns = who.pools.get(hit_points.BURNS, 0)
        self._regrowth = RETURN if heritage.slain_by else hit_points.REGENERATION
        self._heals = 0 if who.kind is CharacterKind.THING else max(bonus(who, "con"), 1)  # an hour of rest (Q0.82)
        up_to = heritage.regenerates.up_to if heritage.regenerates else None
        self._ceiling = self._most if up_to is None else up_to
        self._processes = () if who.has(conditions.DEAD) else tuple(self._going_on(who))

    def _going_on(self, who: Character) -> Iterator[_Process]:
        heritage = heritage_of(who)
        for state, condition in () if who.has(conditions.DORMANT) else conditions.states_of(who):
            is_harm = bool(state.damage or (state.sun and heritage.sunlight))
            if (is_harm or state.drains) and (self._rounds or state.every != ROUND):
                yield _Process(HARM if is_harm else DRAIN, state.every, condition.since, state)
        if heritage.daily_thirst:
            yield _Process(hit_points.THIRST, "day")
        if not conditions.heals(who):
            return
        regrows, is_stopped = heritage.regenerates, who.has(hit_points.SLAIN) or who.has(conditions.SILVERED)
        if regrows and not is_stopped and (self._rounds or regrows.every != ROUND):
            yield _Process(self._regrowth, regrows.every)
        if self._rested_from is not None and self._heals:
            yield _Process(REST, "hour", self._rested_from)

    def _goes_on(self, process: _Process) -> bool:
        """True if it would change anything now. One who cannot die stays at the lowest hit points while harmed."""
        if process.kind in (HARM, hit_points.THIRST):
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
        elif process.kind == hit_points.THIRST:
            self._left -= 1
            self._thirst += Settings.of(self._table).vampire_thirst == "blood_only"
            self._sums[hit_points.THIRST] += 1
        else:
            amount = min(self._heals, self._most - self._thirst - self._left) if process.kind == REST else 1
            self._left += amount
            self._burns -= min(self._burns, amount) if process.kind == REST else 0
            self._sums[process.kind] += amount

    def _suffer(self, state: conditions.State) -> None:
        table, name = self._table, self._name
        who = table.character(name)
        if state.drains:
            change_score(table, who, state.drains, -1, state.key)
            hit_points.after_change(table, who)
            if score(table.character(name), state.drains) <= 0 and not table.character(name).has(conditions.DEAD):
                hit_points.die(table, name, state.key)
            return
        dice = state.damage or heritage_of(who).sunlight
        dealt = int(dice) if dice.isdecimal() else table.roll(dice, roller=name, purpose=state.tags[0]).total
        harm.hurt(table, name, dealt, tags=state.tags, source=state.key)

    def _write(self) -> None:
        table, name, sums = self._table, self._name, self._sums
        if not sums:
            return
        thirst = sums[hit_points.THIRST]
        if thirst:
            pool = hit_points.THIRST
            table.record(events.DamageTaken(character=name, amount=thirst, dealt=thirst, tags=(pool,)))
            if Settings.of(table).vampire_thirst == "blood_only":
                table.record(events.PoolGained(holder=name, pool=pool, amount=thirst, reason=pool))
        for kind in (self._regrowth, REST):
            if sums[kind] and self._in_body:
                hit_points.mend_body(table, table.character(name), sums[kind], most=self._most)
            elif sums[kind]:
                table.record(events.HitPointsRestored(character=name, amount=sums[kind], tags=(kind,)))
        hit_points.heal_burns(table, name, sums[REST])
        self._sums = Counter()
        hit_points.update_conditions(table, name)
