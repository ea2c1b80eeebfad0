"""Wounds and death by the second; floored, stunned and helpless, and for how long (R3.15, R3.16, R3.89–R3.91, Q3.11, Q3.13)."""

from rollbook.kit import conditions, counters, d20, dying, random_tables
from rollbook.plugin import Character, DiceStep, Table
from rollbook.rulesets.russell.settings import house

FLOORED = "floored"
SCREENED = "screened"
"""The condition, by ruling, of a foe behind others or an obstacle, who cannot be charged at (R3.85)."""

DOWN = (FLOORED, conditions.STUNNED, conditions.HELPLESS, conditions.BLEEDING)

ROUNDS = "stunned rounds"
"""The pool that counts the Rounds for which a character is still stunned."""

STUN_DIE = "1d6"
AT_FLOORED = d20.Advantage(advantage=("the foe is floored",))
AT_STUNNED = d20.Advantage(advantage=("the foe is stunned", "the foe is stunned"))


def prey_ease(target: Character) -> d20.Advantage:
    """Advantage on an attack from the state of its target (R3.89, R3.90)."""
    if target.has(conditions.STUNNED):
        return AT_STUNNED
    return AT_FLOORED if target.has(FLOORED) else d20.NO_ADVANTAGE


def stun(table: Table, name: str, *, source: str = "") -> None:
    """Stun a character for 1d6 Rounds, at most for a Turn (Q3.13)."""
    rounds = table.roll(STUN_DIE, roller=name, purpose="stunned rounds").total
    left = table.character(name).pools.get(ROUNDS, 0)
    counters.change(table, name, ROUNDS, max(rounds - left, 0), conditions.STUNNED)
    conditions.begin(table, name, conditions.STUNNED, source=source, until=table.clock + house(table).turn_seconds)


def knock_out(table: Table, name: str, *, source: str = "", again: bool = False) -> None:
    """Make a character helpless, without bleeding, for a Turn (R3.81, Q3.13)."""
    until = table.clock + house(table).turn_seconds
    conditions.begin(table, name, conditions.HELPLESS, source=source, until=until, again=again)


def needs_care(who: Character) -> bool:
    """Tell if a character is helpless and will not recover without help (Q3.13)."""
    return who.has(conditions.HELPLESS) and not who.conditions[conditions.HELPLESS].until


def recovered_from_stun(table: Table, name: str) -> None:
    """The stunned come round, and their Rounds are not counted any more."""
    counters.empty(table, name, ROUNDS, "over")
    conditions.end(table, name, conditions.STUNNED)


def wear_off(table: Table, name: str) -> None:
    """A Round is over for the stunned (Q3.13)."""
    who = table.character(name)
    if who.has(conditions.STUNNED):
        if who.pools.get(ROUNDS, 0) > 1:
            counters.change(table, name, ROUNDS, -1, "a Round")
        else:
            recovered_from_stun(table, name)


WOUNDED = "wounded"
FAILURES = "bleeding"
"""The pool that counts failed saves against bleeding; they add up (Q3.14)."""


WOUNDING = DiceStep(tables={"the d6 of a Wound": "wound"}, after="damage decides whether there is one (R3.15)")
STUNNING = DiceStep(effects={"the d6 of the Rounds that it stuns": "stunned rounds"}, after="the Wound says so (R3.16)")
"""The dice of a blow that wounds."""


class Wound(random_tables.Band):
    """A row of the chart, or a Wound of the GM's own: its name and the conditions that it brings."""

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
        if condition == conditions.STUNNED:
            stun(table, name, source=source)
        elif condition == conditions.HELPLESS and conditions.BLEEDING not in found.conditions:
            knock_out(table, name, source=source)
        else:
            conditions.begin(table, name, condition, source=source)
    who = table.character(name)
    if who.has(conditions.BLEEDING) and who.has(conditions.HELPLESS) and not needs_care(who):
        # A character knocked out who bleeds now does not come round without help (Q3.13).
        conditions.begin(table, name, conditions.HELPLESS, source=source, again=True)


def fall(table: Table, name: str, *, source: str = "", spare: bool = False) -> None:
    """Defeat a character without Wounds at 0 hit points: dead, or helpless if spared (Q3.11)."""
    if spare:
        knock_out(table, name, source=source)
    else:
        die(table, name, source=source)


def die(table: Table, name: str, *, source: str = "") -> None:
    """Dead; all lesser conditions end."""
    counters.empty(table, name, ROUNDS, "over")
    counters.empty(table, name, FAILURES, "over")
    dying.die(table, name, source=source, ends=DOWN)
