"""Whoever bleeds or burns counts in Rounds: until somebody helps there is no Turn, night or week to spare (R3.70, R3.92)."""

from __future__ import annotations

from collections.abc import Iterable

from ruleset_plugins import Character, Table
from ruleset_plugins.conditions import BLEEDING, DEAD
from ruleset_plugins.russell.fire import ON_FIRE

HELP = {
    BLEEDING: ("still bleeds", "Help first (stabilise FRIEND {who})", "bleed {who}"),
    ON_FIRE: ("still burns", "Put the fire out first (smother FRIEND {who})", "burn {who}"),
}
"""What is the matter with somebody, what helps, and how another Round of it passes outside a fight."""


def check_no_peril(table: Table, people: Iterable[Character]) -> None:
    """Refuse to let more than Rounds pass while any of these bleeds or burns."""
    for who in people:
        for condition, (state, first, another) in HELP.items():
            if who.present and who.has(condition) and not who.has(DEAD):
                go_on = another if table.encounter is None else "end-turn"
                table.refuse(
                    f"{who.name} {state}, and a Turn is many Rounds. {first.format(who=who.id)}, or play on: "
                    f"{go_on.format(who=who.id)}"
                )
