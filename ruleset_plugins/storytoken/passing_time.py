"""What time does: it hurts, heals, and ends what lasts so long (R0.25, R0.55, Q0.19, Q0.29).

Everybody's time is cut where one of their conditions ends. In between, ``course`` goes from one thing to the next in the
order of the clock. In a fight, whoever has had a turn has lived the round already.
"""

from __future__ import annotations

from collections.abc import Collection

from ruleset_plugins import HOUR, Condition, Table, conditions, events
from ruleset_plugins.storytoken.conditions import CONDITIONS, DORMANT, EMBODIED, RAGING, RECRUITED
from ruleset_plugins.storytoken.course import Course, time_matters
from ruleset_plugins.storytoken.hit_points import returns
from ruleset_plugins.storytoken.injury import die, drop, end_rage
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.spans import stage_seconds
from ruleset_plugins.storytoken.spirit_body import decay

UNTIL_LONG_REST = "until a long rest"
"""The detail of a condition that a long rest ends (Q0.76)."""

THEN_DOWN, THEN_DEAD = "then down", "then dead"
"""The details of a condition that first takes all hit points and then the life (R0.72, R0.83, R0.85, R0.86)."""


def time_passed(table: Table, before: int, *, rest: bool) -> None:
    """The hook of the clock."""
    time_goes_by(table, before, rest=rest)


def time_goes_by(table: Table, before: int, *, rest: bool, lived: Collection[str] = ()) -> None:
    """For everybody, first what hurts, then what heals, then what runs out; ``lived`` have had the round's effects."""
    is_long = rest and (table.clock - before) // HOUR >= house(table).long_rest_hours
    for who in table.characters():
        _live(table, who.id, before, rest=rest, rounds=who.id not in lived)
        for condition in tuple(table.character(who.id).conditions.values()) if is_long else ():
            if condition.detail == UNTIL_LONG_REST:
                conditions.end(table, who.id, condition.name)
        recruited = who.conditions.get(RECRUITED)
        if recruited is not None and recruited.detail != this_scene(table):
            conditions.end(table, who.id, RECRUITED)


def this_scene(table: Table) -> str:
    """The detail of a condition that ends with the scene; time that passes in another one notices it (R0.160)."""
    return f"until scene {table.campaign.scenes if table.scene else 0} ends"


def _live(table: Table, name: str, before: int, *, rest: bool, rounds: bool) -> None:
    """Somebody's time from ``before`` to now, cut where a condition ends."""
    if not rest and not time_matters(table.character(name)):
        return
    now = before
    while now < table.clock and not table.character(name).has(conditions.DEAD):
        ends = (each.until for each in table.character(name).conditions.values() if each.until > now)
        until = min((*ends, table.clock))
        rested_from = before if rest else None
        if any(_is_staged(each) and each.until == until for each in table.character(name).conditions.values()):
            Course(table, name, rested_from=rested_from, rounds=rounds).run(now, until - 1)
            _end_stages(table, name, until)
            now = until - 1
        Course(table, name, rested_from=rested_from, rounds=rounds).run(now, until)
        for over in conditions.run_out(table, name, until):
            ended(table, name, over)
        now = until
    conditions.run_out(table, name)


def _is_staged(condition: Condition) -> bool:
    """Whether its time brings 0 hit points and then death."""
    return condition.name in CONDITIONS and bool(CONDITIONS[condition.name].stages)


def _end_stages(table: Table, name: str, until: int) -> None:
    """What takes all hit points, or the life, in this second comes before whatever heals in it (Q0.29)."""
    for over in tuple(table.character(name).conditions.values()):
        if _is_staged(over) and over.until == until:
            conditions.end(table, name, over.name)
            ended(table, name, over)


def live_a_round(table: Table, name: str) -> None:
    """What happens to somebody every round, at the start of their turn (Q0.29)."""
    Course(table, name, rested_from=None, rounds=True).run_a_round()


def ended(table: Table, name: str, over: Condition) -> None:
    """What comes of it that a condition has had its time."""
    who = table.character(name)
    if over.name == RAGING:
        end_rage(table, name)
    elif over.name == EMBODIED:
        decay(table, name, anchor=over.detail, at=over.until)
    elif (
        over.name in CONDITIONS and CONDITIONS[over.name].stages and not (who.has(DORMANT) or who.has(conditions.DEAD))
    ):
        _next_stage(table, name, over)


def _next_stage(table: Table, name: str, over: Condition) -> None:
    """The first stage ends in 0 hit points, the second in death, for those whom it can hold (Q0.55)."""
    who = table.character(name)
    if over.detail == THEN_DOWN:
        drop(table, name, over.name)
        if table.character(name).has(DORMANT):
            return
        span = stage_seconds(who, CONDITIONS[over.name].stages[1], house(table))
        table.record(
            events.ConditionBegan(
                character=name,
                condition=over.name,
                source=over.source,
                detail=THEN_DEAD,
                until=over.until + span,
            )
        )
    elif not returns(who):
        die(table, name, over.name)
