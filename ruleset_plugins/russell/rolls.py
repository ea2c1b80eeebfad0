"""Every test of the game: advantage twice over, saves at or under a score, and a d6 that wants a 6 (R3.9, R3.93, R3.94).

Attacks, saves, skills, initiative, stunts, chases and Morale are tests and come through here; damage, hit points, usage,
exploration and treasure are not (Q3.20). Two reasons more for than against make a roll doubly easy: the better of two dice,
and 4 better still. The flat 4 never makes or unmakes a natural 1 or 20 (QG.3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ruleset_plugins import (
    ABILITY_NAMES,
    EVEN,
    Character,
    Ease,
    Table,
    Term,
    events,
    kept,
    netted,
    record_check,
    written,
)
from ruleset_plugins.russell.attributes import ATTRIBUTES, AVERAGE
from ruleset_plugins.russell.light import light_ease
from ruleset_plugins.russell.load import load_ease
from ruleset_plugins.russell.movement import movement
from ruleset_plugins.russell.profile import MOVEMENT, SAVE
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.templates import effect
from ruleset_plugins.russell.weariness import weary_ease

DOUBLE: Final = 4
"""How much better a roll of double Advantage is, or worse one of double Disadvantage (R3.94)."""

PASS: Final = 6
"""What a skill, and first aid, must reach on a d6 (R3.27, R3.92)."""

LISTEN = "listen"
KINDS = (
    "attack",
    "save",
    "skill",
    "initiative",
    "stunt",
    "chase",
    "morale",
    LISTEN,
    "stealth",
    "athletics",
    "physical",
    "aid",
)
"""What a test is for; loads, weariness and darkness bear on some and not on others."""

_OF_SAVES = {"str": "physical", "dex": "physical", MOVEMENT: "athletics"}


def standing_ease(who: Character, kind: str, table: Table) -> Ease:
    """What makes every test of this kind easier or harder for somebody: load, weariness, darkness."""
    return load_ease(who, house(table), kind) + weary_ease(who) + light_ease(table.campaign, who, kind)


def swayed(table: Table, ease: Ease, die: str, terms: Iterable[Term], *, low_is_better: bool = False) -> str:
    """A roll in dice notation, with its advantage, single or double (R3.93, R3.94, Q3.19)."""
    sway = netted(ease, house(table).adv_clamp)
    terms = tuple(terms)
    if abs(sway) > 1:
        better = DOUBLE if (sway > 0) != low_is_better else -DOUBLE
        terms = (*terms, Term(better, "double advantage" if sway > 0 else "double disadvantage", "R3.94"))
    return written(kept(ease, sway, die=die, low_is_better=low_is_better), terms)


def roll_test(
    table: Table,
    who: Character,
    terms: Iterable[Term] = (),
    *,
    kind: str,
    purpose: str,
    die: str = "d20",
    ease: Ease = EVEN,
    low_is_better: bool = False,
) -> events.DiceRolled:
    """One die of a test and all that is added, with whatever makes it easier or harder; ``natural`` is the kept die."""
    ease += standing_ease(who, kind, table)
    expression = swayed(table, ease, die, terms, low_is_better=low_is_better)
    return table.roll(expression, roller=who.id, purpose=purpose, natural=True)


def roll_2d6(
    table: Table, who: Character, terms: Iterable[Term] = (), *, kind: str, purpose: str, ease: Ease = EVEN
) -> int:
    """Two d6 of a test where low is better; with Advantage or Disadvantage the whole 2d6 are rolled twice (Q3.18)."""
    ease += standing_ease(who, kind, table)
    sway = netted(ease, house(table).adv_clamp)
    expression = written("2d6", terms)
    first = table.roll(expression, roller=who.id, purpose=purpose).total
    if not sway:
        return first
    second = table.roll(expression, roller=who.id, purpose=f"{purpose}, again").total
    flat = DOUBLE if abs(sway) > 1 else 0
    return min(first, second) - flat if sway > 0 else max(first, second) + flat


def save_target(who: Character, attribute: str, table: Table) -> int:
    """What a save must not exceed: the score, Movement for athletics, or a monster's Save (R3.9, R3.11, Q3.56)."""
    if attribute == MOVEMENT:
        return movement(who, house(table))
    base = who.stats.get(attribute, who.stats.get(SAVE, AVERAGE))
    return base + effect(who, "save")


def save(
    table: Table,
    who: Character,
    attribute: str,
    *,
    kind: str = "",
    ease: Ease = EVEN,
    bonus: int = 0,
    against: str = "",
    purpose: str = "saving throw",
) -> bool:
    """A d20 at or under the score succeeds, so lower is better (R3.9, Q3.18); a ``bonus`` raises what may be rolled."""
    target = save_target(who, attribute, table) + bonus
    kind = kind or _OF_SAVES.get(attribute, "save")
    roll = roll_test(table, who, kind=kind, purpose=purpose, ease=ease, low_is_better=True)
    saved = roll.total <= target
    record_check(
        table,
        who.id,
        f"{ABILITY_NAMES.get(attribute, 'Movement')} save",
        roll.total,
        target,
        success=saved,
        outcome="saved" if saved else "not saved",
        against=against,
    )
    return saved


SAVES = (*ATTRIBUTES, MOVEMENT)
"""What can be saved with."""


def roll_d6_test(
    table: Table,
    who: Character,
    terms: Iterable[Term],
    *,
    kind: str,
    check: str,
    goal: int = PASS,
    ease: Ease = EVEN,
    one_fails: bool = False,
    against: str = "",
) -> bool:
    """1d6 and what is added must reach the goal; where ``one_fails`` a die that shows 1 does, whatever is added (R3.28)."""
    roll = roll_test(table, who, terms, kind=kind, purpose=check, die="d6", ease=ease)
    passed = roll.total >= goal and not (one_fails and roll.natural == 1)
    outcome = "success" if passed else "natural 1" if one_fails and roll.natural == 1 else "failure"
    record_check(table, who.id, check, roll.total, goal, success=passed, outcome=outcome, against=against)
    return passed
