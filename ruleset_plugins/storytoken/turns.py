"""Whose turn it is and what it allows: one action and some movement, and nothing out of turn (R0.34, R0.46)."""

from __future__ import annotations

from ruleset_plugins import Character, Encounter, Table, events
from ruleset_plugins.storytoken.injury import DEAD, UNCONSCIOUS
from ruleset_plugins.storytoken.speed import speed

ACTION = "action"
FEET = "feet"
EXTRA_ACTION = "extra action"
"""What ``TurnSpent`` counts in a turn."""

SURPRISED = "surprised"
ARRIVING = "arriving"
"""Conditions that keep somebody out of a round (R0.31, Q0.10)."""


def able(table: Table, name: str) -> Character:
    """Somebody who can act. Refused for those who are dead, unconscious or gone (R0.52, R0.53)."""
    who = living(table, name)
    if who.has(UNCONSCIOUS):
        table.refuse(
            f"{who.name} is unconscious and cannot act. Rest, care or somebody else's story token brings "
            f"{who.name} round."
        )
    return who


def living(table: Table, name: str) -> Character:
    """Somebody who is in play and not dead (QG.9)."""
    who = table.character(name)
    if who.has(DEAD):
        table.refuse(f"{who.name} is dead: nothing acts on the dead but a ruling, or taking back what killed them.")
    if not who.present:
        table.refuse(f"{who.name} has left the campaign. Name somebody who is in play.")
    return who


def is_gm(table: Table) -> bool:
    """Whether the GM's seat acts, or nobody's in particular."""
    seat = table.seats.get(table.seat)
    return seat is None or seat.role is events.Role.GM


def check_ruling(table: Table, *, waived: bool, flag: str) -> None:
    """Refuse a flag that waives a rule, from anybody but the GM (QG.8)."""
    if waived and not is_gm(table):
        table.refuse(f"--{flag} waives a rule, and only the GM can; {table.seat} can ask for it.")


def check_turn(table: Table, who: Character, encounter: Encounter) -> None:
    """Refuse anything out of turn."""
    if encounter.current == who.id:
        return
    if who.id not in encounter.order:
        table.refuse(
            f"{who.name} does not take part in this encounter. The GM brings {who.name} in with: "
            f"join-encounter {who.id}"
        )
    if not encounter.current:
        table.refuse(f"It is nobody's turn yet, so {who.name} cannot act. The GM names who is next: end-turn --next ID")
    turn = table.character(encounter.current).name
    if who.id in encounter.acted:
        table.refuse(
            f"{who.name} has already acted in round {encounter.round}; it is {turn}'s turn. Nobody acts twice before "
            f"everybody has acted."
        )
    table.refuse(f"It is {turn}'s turn, so {who.name} cannot act yet. {turn} ends it with: end-turn --next {who.id}")


def actions_left(encounter: Encounter, who: Character, table: Table) -> int:
    """How many actions the current turn still has; moving farther than one's speed costs the turn's own action."""
    spent = encounter.spent
    left = 1 + spent.get(EXTRA_ACTION, 0) - spent.get(ACTION, 0)
    feet = spent.get(FEET, 0)
    return left - 1 if feet and feet > speed(table, who) else left


def take_action(table: Table, name: str, *, out_of_turn: bool = False) -> Character:
    """Somebody acts: able to, and in an encounter on their turn, with an action left. Returns who."""
    who = able(table, name)
    encounter = table.encounter
    check_ruling(table, waived=out_of_turn, flag="out-of-turn")
    if encounter is None or out_of_turn:
        return who
    check_turn(table, who, encounter)
    if actions_left(encounter, who, table) < 1:
        table.refuse(
            f"{who.name} has no action left this turn: one action, or twice the movement. A story token buys an extra "
            f"one: spend-token {who.id} extra-action"
        )
    table.record(events.TurnSpent(character=who.id, what=ACTION))
    return who
