"""Rounds: initiative anew in each, by sides or for everybody, and open wounds bleed at the end (R1.14, R1.15, Q1.12)."""

from __future__ import annotations

from collections.abc import Sequence

from ruleset_plugins import EVEN, Character, Ranked, Table, ranked
from ruleset_plugins import begin_round as open_round
from ruleset_plugins import end_round as close_round
from ruleset_plugins.conditions import ARRIVING, DEAD
from ruleset_plugins.luckpoint.luck import TaskRolls
from ruleset_plugins.luckpoint.settings import INDIVIDUAL, house
from ruleset_plugins.luckpoint.sides import by_side, in_order_of_sides, initiative_terms
from ruleset_plugins.luckpoint.turns import start_turn

KEPT_OUT = (DEAD, ARRIVING)
"""Conditions that keep somebody out of a round; those with critical wounds may still crawl (R1.46)."""


def begin_round(table: Table, rolls: TaskRolls, participants: Sequence[str]) -> bool:
    """A round begins with initiative; whether anybody can act in it. Everyone else stays in the order, last."""

    def score(who: Character) -> tuple[int, int]:
        roll = rolls.task(who, initiative_terms(who), purpose="initiative", ease=EVEN)
        return roll.total, roll.modifier

    def in_order(able: Sequence[Character]) -> list[Ranked]:
        if house(table).initiative_mode == INDIVIDUAL:
            return ranked(able, score)
        sides = by_side(able)
        return in_order_of_sides(sides, ranked([members[0] for members in sides.values()], score))

    first = open_round(table, participants, KEPT_OUT, in_order)
    if first:
        start_turn(table, first)
    return bool(first)


def end_round(table: Table) -> None:
    """All have acted: latecomers may join in, and a round's time has passed."""
    close_round(table, ARRIVING, seconds=house(table).round_seconds)
