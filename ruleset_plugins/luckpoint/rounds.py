"""Rounds: initiative anew in each, by sides or for everybody, and open wounds bleed at the end (R1.14, R1.15, Q1.12)."""

from __future__ import annotations

from collections.abc import Sequence

from ruleset_plugins import EVEN, Character, Table, conditions, events, fighting, let_pass, ranked, set_order, who_can
from ruleset_plugins.conditions import ARRIVING, DEAD
from ruleset_plugins.luckpoint.luck import TaskRolls
from ruleset_plugins.luckpoint.settings import INDIVIDUAL, house
from ruleset_plugins.luckpoint.sides import by_side, in_order_of_sides, initiative_terms
from ruleset_plugins.luckpoint.turns import start_turn

KEPT_OUT = (DEAD, ARRIVING)
"""Conditions that keep somebody out of a round; those with critical wounds may still crawl (R1.46)."""


def begin_round(table: Table, rolls: TaskRolls, participants: Sequence[str]) -> bool:
    """A round begins with initiative; whether anybody can act in it. Everyone else stays in the order, last."""
    table.record(events.RoundBegan())
    able = who_can(table, participants, KEPT_OUT)

    def score(who: Character) -> tuple[int, int]:
        roll = rolls.task(who, initiative_terms(who), purpose="initiative", ease=EVEN)
        return roll.total, roll.modifier

    if house(table).initiative_mode == INDIVIDUAL:
        order = ranked(able, score)
    else:
        sides = by_side(able)
        order = in_order_of_sides(sides, ranked([members[0] for members in sides.values()], score))
    set_order(table, order, participants)
    if order:
        start_turn(table, order[0][0].id)
    return bool(order)


def end_round(table: Table) -> None:
    """All have acted: latecomers may join in, and a round's time has passed."""
    table.record(events.RoundEnded())
    conditions.end_for_all(table, fighting(table).order, ARRIVING)
    let_pass(table, house(table).round_seconds)
