"""Tired pips, and Weariness at the third (R3.37–R3.39, R3.43, Q3.33)."""

from rollbook.kit import conditions, d20
from rollbook.plugin import Character, CharacterKind, Table
from rollbook.rulesets.russell.counters import change
from rollbook.rulesets.russell.delve.encumbrance import is_overloaded

TIRED = "tired"
"""The pool of Tired pips."""

WEARIED = "wearied"
MOST_PIPS = 3
ALL = 10**9
"""More pips than anybody has."""
WEARY = d20.Advantage(disadvantage=(WEARIED,))


def pips(who: Character) -> int:
    """Tired pips, 0 to 3."""
    return max(0, min(who.pools.get(TIRED, 0), MOST_PIPS))


def weary_ease(who: Character) -> d20.Advantage:
    """Disadvantage on every test for the Wearied (R3.38, Q3.20); beside a heavy load it counts a second time (R3.39)."""
    return WEARY if who.has(WEARIED) else d20.NO_ADVANTAGE


def tire(table: Table, name: str) -> None:
    """The die shows Tired: a pip, two for the Overloaded, three at most; the third makes Wearied (R3.37, R3.38)."""
    who = table.character(name)
    if who.kind is CharacterKind.THING or who.has(conditions.DEAD):
        return
    marks = min(2 if is_overloaded(who) else 1, MOST_PIPS - pips(who))
    change(table, name, TIRED, max(marks, 0), "Tired")
    if pips(table.character(name)) == MOST_PIPS:
        conditions.begin(table, name, WEARIED)


def wipe(table: Table, name: str, most: int = ALL, *, reason: str) -> None:
    """Erase all pips, or at most ``most``."""
    change(table, name, TIRED, -min(max(table.character(name).pools.get(TIRED, 0), 0), most), reason)


def refreshed(table: Table, name: str, *, reason: str) -> None:
    """All pips and Weariness are gone (R3.41)."""
    wipe(table, name, reason=reason)
    conditions.end(table, name, WEARIED)
