"""Wounds: what they bring, and death by the second (R3.15, R3.16, Q3.11)."""

from rollbook.kit import conditions, dying, random_tables
from rollbook.plugin import DiceStep, Table
from rollbook.rulesets.russell.counters import empty
from rollbook.rulesets.russell.fight.conditions import DOWN, ROUNDS, knock_out, needs_care, stun

WOUNDED = "wounded"
FAILURES = "bleeding"
"""The pool that counts failed saves against bleeding; they add up (Q3.14)."""


WOUNDING = DiceStep(tables={"the d6 of a Wound": "wound"}, after="damage decides whether there is one (R3.15)")
STUNNING = DiceStep(effects={"the d6 of the Rounds that it stuns": "stunned rounds"}, after="the Wound says so (R3.16)")
"""The dice of a blow that wounds."""


class Wound(random_tables.Band):
    """A row of the chart, or a Wound of the GM's own: what it is and which conditions it brings."""

    name: str
    conditions: tuple[str, ...]


CHART = random_tables.load(__package__, "wounds.json", Wound)


def wound(table: Table, name: str, *, source: str = "", described: Wound | None = None) -> None:
    """One Wound: off the chart, or as the GM describes it; a second one kills (R3.15, R3.16)."""
    if table.character(name).has(WOUNDED):
        die(table, name, source=source)
        return
    found = described or random_tables.roll(table, CHART, "1d6", roller=name, purpose="wound")
    conditions.begin(table, name, WOUNDED, source=source, detail=found.name)
    for condition in found.conditions:
        _suffer(table, name, condition, source=source, bleeds=conditions.BLEEDING in found.conditions)
    _stay_down(table, name, source=source)


def _suffer(table: Table, name: str, condition: str, *, source: str, bleeds: bool) -> None:
    if condition == conditions.STUNNED:
        stun(table, name, source=source)
    elif condition == conditions.HELPLESS and not bleeds:
        knock_out(table, name, source=source)
    else:
        conditions.begin(table, name, condition, source=source)


def _stay_down(table: Table, name: str, *, source: str) -> None:
    """A knocked-out character who now bleeds does not come round without help (Q3.13)."""
    who = table.character(name)
    if who.has(conditions.BLEEDING) and who.has(conditions.HELPLESS) and not needs_care(who):
        conditions.begin(table, name, conditions.HELPLESS, source=source, again=True)


def fall(table: Table, name: str, *, source: str = "", spare: bool = False) -> None:
    """Somebody without Wounds is defeated at 0 hit points: dead, or helpless if spared (Q3.11)."""
    if spare:
        knock_out(table, name, source=source)
    else:
        die(table, name, source=source)


def die(table: Table, name: str, *, source: str = "") -> None:
    """Dead; all lesser conditions end."""
    empty(table, name, ROUNDS, "over")
    empty(table, name, FAILURES, "over")
    dying.die(table, name, source=source, ends=DOWN)
