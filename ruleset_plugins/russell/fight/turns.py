"""Turns in a Round: one thing in each, and nothing out of turn (R3.74, R3.89–R3.91)."""

from rollbook.kit import conditions, require, turn_order
from rollbook.plugin import Character, Table, events
from rollbook.rulesets.russell.character.stat_line import attacks
from rollbook.rulesets.russell.delve.light import check_nerve
from rollbook.rulesets.russell.fight import arms, wounds

ACTION, ATTACK, FEET = "action", "attack", "feet"
"""The counters of ``TurnSpent`` in a turn."""

UNABLE = {
    conditions.STUNNED: "It wears off in some Rounds, or a friend helps: stabilise FRIEND {id}",
    conditions.HELPLESS: "{name} comes round a Turn after any bleeding has stopped.",
}
KEPT_OUT = (conditions.DEAD, conditions.HELPLESS, conditions.STUNNED, conditions.SURPRISED, conditions.ARRIVING)
"""Characters in one of these take no turn."""

BRACED = "braced"

FREE_ATTACK = "free_attack_on"
"""The field of the condition of a character who may strike at once, out of turn: the foe."""


def can_act(table: Table, name: str, *, lying: bool = False) -> Character:
    """A character who can act. On the floor they can only defend themselves or stand up (R3.89)."""
    who = require.able(table, name, UNABLE)
    check_nerve(table, who)
    if who.has(wounds.FLOORED) and not lying:
        table.refuse(
            f"{who.name} is floored and can only stand up, which takes a Round (stand {who.id}), or defend "
            f"(defend {who.id})."
        )
    return who


def take_action(table: Table, name: str, *, out_of_turn: bool = False, lying: bool = False) -> Character:
    """Use the one action of a Round, in a fight on the character's turn. Returns the character."""
    return _spend(table, can_act(table, name, lying=lying), ACTION, attacks_left=1, out_of_turn=out_of_turn)


def take_attack(table: Table, name: str, *, out_of_turn: bool = False) -> Character:
    """Use an attack: like any action, but a monster may have several in a Round (Q3.43). Returns the character."""
    who = can_act(table, name)
    return _spend(table, who, ATTACK, attacks_left=attacks(who), out_of_turn=out_of_turn)


def _spend(table: Table, who: Character, what: str, *, attacks_left: int, out_of_turn: bool) -> Character:
    encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn)
    if encounter is None:
        return who
    if encounter.spent.get(ACTION, 0) > 0 or encounter.spent.get(ATTACK, 0) >= attacks_left:
        table.refuse(f"{who.name} has acted already: a Round has time for one thing. Go on with: end-turn")
    turn_order.spend(table, who, what)
    return who


def begin_turn(table: Table, name: str) -> None:
    """Begin a character's turn, and end their stance or brace (Q3.31)."""
    table.record(events.TurnBegan(character=name))
    conditions.end_for_all(table, (name,), BRACED, *arms.STANCES)


def grant_free_attack(table: Table, name: str, on: str) -> None:
    """Let a character strike at another at once, unless they are unable to (R3.79, R3.82, R3.86)."""
    who = table.character(name)
    if not any(who.has(state) for state in (*KEPT_OUT, wounds.FLOORED)):
        conditions.begin(table, name, f"owed a free attack on {on}", source=on, data={FREE_ATTACK: on})


def take_free_attack(table: Table, name: str, on: str) -> Character:
    """Use a free attack that a foe gave. Refused if none did. Returns the character."""
    who = can_act(table, name)
    is_owed_one = conditions.with_data(who, FREE_ATTACK, on)
    conditions.end_with_data(table, name, FREE_ATTACK, on)
    if not is_owed_one:
        table.refuse(
            f"{who.name} has no free attack on {table.character(on).name}. A fumble, a failed stunt, or coming within "
            f"reach of a foe who braced gives one."
        )
    return who


def end_moments(table: Table, name: str) -> None:
    """End conditions that last for Rounds: surprise, stances, a brace, free attacks that were not taken."""
    conditions.end_for_all(table, (name,), conditions.SURPRISED, BRACED, *arms.STANCES)
    conditions.end_with_data(table, name, FREE_ATTACK)
