"""What a round and a turn begin and end with: initiative, flames, confusion, ten seconds (R0.24, R0.31–R0.35, Q0.29)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ruleset_plugins import Character, Table, Term, conditions, events, fighting, number_terms, ranked
from ruleset_plugins import begin_round as open_round
from ruleset_plugins import end_round as close_round
from ruleset_plugins.storytoken.abilities import ability_term
from ruleset_plugins.storytoken.conditions import CONDITIONS, CONFUSED, NO_TURN, bonus_terms
from ruleset_plugins.storytoken.manoeuvres import land
from ruleset_plugins.storytoken.passing_time import live_a_round, time_goes_by
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.task_rolls import TaskRolls, standing_ease
from ruleset_plugins.storytoken.turns import FLEES, FREEZES, STRIKES

KEPT_OUT = (conditions.UNCONSCIOUS, conditions.DEAD, conditions.SURPRISED, conditions.ARRIVING, *NO_TURN)
"""Who gets no turn in a round."""

INITIATIVE = "initiative"


def initiative_terms(who: Character) -> list[Term]:
    """What is added to the d20 of initiative (R0.32)."""
    return [ability_term(who, "dex"), *bonus_terms(who, (INITIATIVE,)), *number_terms(who, INITIATIVE, "ruling")]


def begin_round(table: Table, rolls: TaskRolls, participants: Sequence[str]) -> bool:
    """A round begins with initiative; whether anybody can act in it. Everyone else stays in the order, last.

    A tie goes to the higher modifier, and one for the first place is rolled again (R0.20, Q0.7).
    """

    def roll(who: Character) -> tuple[int, int]:
        ease = standing_ease(who, "dex", (INITIATIVE,))
        rolled = rolls.plain(who, initiative_terms(who), purpose=INITIATIVE, ease=ease)
        return rolled.total, rolled.modifier

    first = open_round(table, participants, KEPT_OUT, partial(ranked, roll=roll, only_first=True))
    if first:
        start_turn(table, first)
    return bool(first)


def end_round(table: Table) -> None:
    """All have acted: surprise is over, latecomers may join in, and about ten seconds have passed (R0.24)."""
    acted, before = fighting(table).acted, table.clock
    close_round(table, conditions.SURPRISED, conditions.ARRIVING)
    table.record(events.TimePassed(seconds=house(table).round_seconds))
    time_goes_by(table, before, rest=False, lived=acted)


def start_turn(table: Table, name: str) -> None:
    """A turn begins: manoeuvres end, what happens every round happens, and a confused mind makes itself up (Q0.29)."""
    table.record(events.TurnBegan(character=name))
    land(table, name)
    live_a_round(table, name)
    if table.character(name).has(CONFUSED):
        _be_confused(table, name)


def _be_confused(table: Table, name: str) -> None:
    """1 and 2: strikes whoever is nearest, 3 and 4: runs, 5 and 6: freezes (R0.69, Q0.30)."""
    dice = CONDITIONS[CONFUSED].each_turn
    face = table.roll(dice, roller=name, purpose="confusion").total
    confused = table.character(name).conditions[CONFUSED]
    does = (STRIKES, FLEES, FREEZES)[min(face - 1, 5) // 2]
    table.record(
        events.ConditionBegan(
            character=name, condition=CONFUSED, source=confused.source, detail=does, until=confused.until
        )
    )
