"""Whose turn it is and what it allows: one task action and a move, or a run; and one reaction between turns (R1.16, R1.21)."""

from __future__ import annotations

from ruleset_plugins import (
    Character,
    Encounter,
    Table,
    able,
    conditions,
    events,
    fighting,
    own_turn,
    spend,
)
from ruleset_plugins.luckpoint.speed import speed
from ruleset_plugins.luckpoint.wounds import CRITICAL

ACTION = "action"
METRES = "metres"
"""What ``TurnSpent`` counts in a turn."""

BUSY = "busy"
"""The condition of those whose task takes some rounds of a fight (R1.8)."""

REACTED = "out of reactions"
"""The condition of those who have used their reaction; it ends with their next turn (Q1.26)."""

NO_ACTIONS = {
    CRITICAL: "{name} can crawl a metre a round, whisper and make saving throws. Healing brings {name} back.",
}
BUSY_TOO = NO_ACTIONS | {
    BUSY: "{name}'s task goes on for some rounds. If {name} gives it up, the GM rules: --out-of-turn"
}


def has_run(encounter: Encounter, who: Character) -> bool:
    """Whether the turn's movement was so long that no action is left (R1.16)."""
    return encounter.spent.get(METRES, 0) > speed(who)


def take_action(table: Table, name: str, *, out_of_turn: bool = False) -> Character:
    """Somebody takes a task action: able to, and in an encounter on their turn, with the action left. Returns who."""
    who = able(table, name, NO_ACTIONS if out_of_turn else BUSY_TOO)
    encounter = own_turn(table, who, out_of_turn=out_of_turn)
    if encounter is None:
        return who
    if encounter.spent.get(ACTION, 0) or has_run(encounter, who):
        why = "has run this turn" if has_run(encounter, who) else "has acted this turn"
        table.refuse(f"{who.name} {why}: a turn is one task action and a move, or a run. The turn ends with: end-turn")
    spend(table, who, ACTION)
    return who


def react(table: Table, name: str) -> Character:
    """Somebody takes the one reaction between two of their turns (R1.21, Q1.26). Returns who."""
    who = able(table, name, BUSY_TOO)
    encounter = fighting(table)
    if who.id not in encounter.order:
        table.refuse(f"{who.name} does not take part in this encounter, and reactions are for those who do.")
    if encounter.current == who.id:
        table.refuse(f"It is {who.name}'s own turn; a reaction comes between turns. Attack without --opportunity.")
    if not conditions.begin(table, who.id, REACTED):
        table.refuse(f"{who.name} has reacted already; there is one reaction between two turns.")
    return who


def start_turn(table: Table, name: str) -> None:
    """A turn begins, and with it the right to another reaction."""
    table.record(events.TurnBegan(character=name))
    conditions.end(table, name, REACTED)
