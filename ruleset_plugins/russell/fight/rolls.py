"""Tests: advantage and double advantage, 2d6, and a d6 that must reach 6 (R3.93, R3.94).

Attacks, saves, skills, initiative, stunts, chases and Morale are tests and are rolled here; damage, hit points, usage,
exploration and treasure are not (Q3.20). Two more reasons for than against are Double Advantage: the better of two dice,
and 4 more. Those 4 never make or undo a natural 1 or 20 (QG.3).
"""

from collections.abc import Iterable
from typing import Final

from rollbook.kit import d20
from rollbook.plugin import Character, Table, Term, events
from rollbook.rulesets.russell.delve.encumbrance import load_ease
from rollbook.rulesets.russell.delve.light import light_ease
from rollbook.rulesets.russell.delve.weariness import weary_ease
from rollbook.rulesets.russell.settings import house

DOUBLE: Final = 4
"""How much better a roll of double Advantage is, or worse one of double Disadvantage (R3.94)."""

PASS: Final = 6
"""What a skill, and first aid, must reach on a d6 (R3.27, R3.92)."""

LISTEN = "listen"
"""A kind of test, like "attack", "save", "skill" and others: loads, weariness and darkness affect some of them."""


def standing_ease(who: Character, kind: str, table: Table) -> d20.Advantage:
    """What makes every test of this kind easier or harder for somebody: load, weariness, darkness."""
    return load_ease(who, kind) + weary_ease(who) + light_ease(table.campaign, who, kind)


def roll_test(
    table: Table,
    who: Character,
    terms: Iterable[Term] = (),
    *,
    kind: str,
    purpose: str,
    die: str = "d20",
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    low_is_better: bool = False,
) -> events.DiceRolled:
    """One die of a test and what is added, with advantage, single or double; ``natural`` is the die kept (R3.93, R3.94)."""
    ease += standing_ease(who, kind, table)
    sway, terms = d20.stacking_advantage(ease, house(table).adv_clamp), tuple(terms)
    if abs(sway) > 1:
        better = DOUBLE if (sway > 0) != low_is_better else -DOUBLE
        terms = (*terms, Term(better, "double advantage" if sway > 0 else "double disadvantage", "R3.94"))
    dice = d20.advantage_dice(ease, sway, die=die, low_is_better=low_is_better)
    return table.roll(d20.notation(dice, terms), roller=who.id, purpose=purpose, natural=True)


def roll_2d6(
    table: Table,
    who: Character,
    terms: Iterable[Term] = (),
    *,
    kind: str,
    purpose: str,
    ease: d20.Advantage = d20.NO_ADVANTAGE,
) -> int:
    """Two d6 of a test where low is better; with Advantage or Disadvantage the whole 2d6 are rolled twice (Q3.18)."""
    ease += standing_ease(who, kind, table)
    sway = d20.stacking_advantage(ease, house(table).adv_clamp)
    expression = d20.notation("2d6", terms)
    first = table.roll(expression, roller=who.id, purpose=purpose).total
    if not sway:
        return first
    second = table.roll(expression, roller=who.id, purpose=f"{purpose}, again").total
    flat = DOUBLE if abs(sway) > 1 else 0
    return min(first, second) - flat if sway > 0 else max(first, second) + flat


def roll_d6_test(
    table: Table,
    who: Character,
    terms: Iterable[Term],
    *,
    kind: str,
    check: str,
    goal: int = PASS,
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    one_fails: bool = False,
    against: str = "",
) -> bool:
    """1d6 and what is added must reach the goal; with ``one_fails`` a die that shows 1 always fails (R3.28)."""
    roll = roll_test(table, who, terms, kind=kind, purpose=check, die="d6", ease=ease)
    passed = roll.total >= goal and not (one_fails and roll.natural == 1)
    outcome = "success" if passed else "natural 1" if one_fails and roll.natural == 1 else "failure"
    d20.record_check(table, who.id, check, roll.total, goal, success=passed, outcome=outcome, against=against)
    return passed
