"""Floored, stunned and helpless: what each does, and how long it lasts (R3.89–R3.91, Q3.13)."""

from rollbook.kit import conditions, d20
from rollbook.plugin import Character, Table
from rollbook.rulesets.russell.counters import change, empty
from rollbook.rulesets.russell.settings import house

FLOORED = "floored"
SCREENED = "screened"
"""The GM rules that a foe stands behind others or an obstacle, so that nobody can charge at them (R3.85)."""

DOWN = (FLOORED, conditions.STUNNED, conditions.HELPLESS, conditions.BLEEDING)

ROUNDS = "stunned rounds"
"""The pool that counts the Rounds for which somebody is still stunned."""

STUN_DIE = "1d6"
AT_FLOORED = d20.Advantage(advantage=("the foe is floored",))
AT_STUNNED = d20.Advantage(advantage=("the foe is stunned", "the foe is stunned"))


def prey_ease(target: Character) -> d20.Advantage:
    """What the target's state does to an attack (R3.89, R3.90)."""
    if target.has(conditions.STUNNED):
        return AT_STUNNED
    return AT_FLOORED if target.has(FLOORED) else d20.NO_ADVANTAGE


def stun(table: Table, name: str, *, source: str = "") -> None:
    """Stunned for 1d6 Rounds, at most for a Turn (Q3.13)."""
    rounds = table.roll(STUN_DIE, roller=name, purpose="stunned rounds").total
    left = table.character(name).pools.get(ROUNDS, 0)
    change(table, name, ROUNDS, max(rounds - left, 0), conditions.STUNNED)
    conditions.begin(table, name, conditions.STUNNED, source=source, until=table.clock + house(table).turn_seconds)


def knock_out(table: Table, name: str, *, source: str = "", again: bool = False) -> None:
    """Helpless and not bleeding: for a Turn (R3.81, Q3.13)."""
    until = table.clock + house(table).turn_seconds
    conditions.begin(table, name, conditions.HELPLESS, source=source, until=until, again=again)


def needs_care(who: Character) -> bool:
    """Whether somebody is helpless and will not recover without help (Q3.13)."""
    return who.has(conditions.HELPLESS) and not who.conditions[conditions.HELPLESS].until


def recovered_from_stun(table: Table, name: str) -> None:
    """The stunned come round, and their Rounds are not counted any more."""
    empty(table, name, ROUNDS, "over")
    conditions.end(table, name, conditions.STUNNED)


def wear_off(table: Table, name: str) -> None:
    """A Round is over for the stunned (Q3.13)."""
    who = table.character(name)
    if who.has(conditions.STUNNED):
        if who.pools.get(ROUNDS, 0) > 1:
            change(table, name, ROUNDS, -1, "a Round")
        else:
            recovered_from_stun(table, name)
