"""Whose turn it is and what it allows: one action and some movement, and nothing out of turn (R0.34, R0.46)."""

from __future__ import annotations

from ruleset_plugins import Character, Encounter, Table
from ruleset_plugins.kit import conditions, require, turn_order
from ruleset_plugins.storytoken.body.conditions import CONFUSED, DOES, HACKED, NO_ACTIONS, THING, UNABLE
from ruleset_plugins.storytoken.fight.speed import speed

ACTION = "action"
FEET = "feet"
EXTRA_ACTION = "extra action"
"""What ``TurnSpent`` counts in a turn."""

HAND_ON = " --next ID"
"""What the verb end-turn is handed on with."""

STRIKES, FLEES, FREEZES = "strikes", "flees", "freezes"
CONFUSED_TURNS = {STRIKES: "strikes whoever is nearest", FLEES: "runs", FREEZES: "freezes"}
"""What a confused turn may be, and how it is shown (R0.69, Q0.30)."""


def able(table: Table, name: str) -> Character:
    """Somebody who can act at all. Refused for those who are dead, unconscious, paralysed or gone (R0.52, R0.53)."""
    return require.able(table, name, UNABLE)


def check_control(table: Table, who: Character, thing: str = "") -> None:
    """Refuse what somebody else controls: all that a hacked character does, or their hacked ``thing`` (R0.73)."""
    hacked = conditions.text(who.conditions.get(HACKED), THING)
    if who.has(HACKED) and hacked in ("", thing) and not require.is_gm(table):
        what = f"{who.name}'s {thing}" if hacked else who.name
        table.refuse(f"{what} is hacked, and the GM says what it does until that ends.")


WAIVED = "The GM may rule otherwise: --out-of-turn"


def check_confusion(table: Table, who: Character, *doing: str, waived: str = WAIVED) -> None:
    """Refuse what a confused turn is not about; ``doing`` are the outcomes of the die that allow it (R0.69).

    ``waived`` says how else it could be done.
    """
    does = conditions.text(who.conditions.get(CONFUSED), DOES)
    if does in CONFUSED_TURNS and does not in doing:
        table.refuse(f"{who.name} is confused and {CONFUSED_TURNS[does]} this turn. {waived}")


def actions_left(encounter: Encounter, who: Character, table: Table) -> int:
    """How many actions the current turn still has; moving farther than one's speed costs the turn's own action."""
    spent = encounter.spent
    left = 1 + spent.get(EXTRA_ACTION, 0) - spent.get(ACTION, 0)
    feet = spent.get(FEET, 0)
    return left - 1 if feet and feet > speed(table, who) else left


def at_liberty(table: Table, name: str) -> Character:
    """Somebody who does what is no action, but takes a free hand and a clear head. Returns who."""
    who = require.able(table, name, UNABLE | NO_ACTIONS)
    check_control(table, who)
    if table.encounter is not None:
        check_confusion(table, who, waived="What needs a clear head waits until that is over.")
    return who


def take_action(table: Table, name: str, *, out_of_turn: bool = False, attack: bool = False) -> Character:
    """Somebody acts: able to, and in an encounter on their turn, with an action left. Returns who."""
    who = require.able(table, name, UNABLE | NO_ACTIONS)
    check_control(table, who)
    encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn, hand_on=HAND_ON)
    if encounter is None:
        return who
    check_confusion(table, who, STRIKES if attack else "")
    if actions_left(encounter, who, table) < 1:
        table.refuse(
            f"{who.name} has no action left this turn: one action, or twice the movement. A story token buys an extra "
            f"one: spend-token {who.id} extra-action"
        )
    turn_order.spend(table, who, ACTION)
    return who
