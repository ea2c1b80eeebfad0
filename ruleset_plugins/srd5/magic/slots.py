"""Spell slots and pact slots: how many there are, which a spell takes, what is spent (R5.229, R5.230, R5.235, R5.487).

On record is what is SPENT: the pools ``slots spent:LEVEL`` and ``pact slots spent``, so that a level up needs no event
and a rest empties them; ``slots made:LEVEL`` are what features make on top until a long rest.
"""

from typing import NamedTuple

from rollbook.kit import counters
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import classes

SPENT, MADE, PACT = "slots spent", "slots made", "pact slots spent"
FULL = "full"
LEVELS = range(1, 10)


class Slot(NamedTuple):
    """A slot of a level; ``pact`` for one of pact magic. Level 0 is no slot."""

    level: int
    pact: bool = False


NO_SLOT = Slot(0)


def table_of(who: Character) -> tuple[int, ...]:
    """The slots by level that the classes of a character give, spent ones too (R5.229)."""
    casting = [(row, level) for row, level in classes.classes_of(who) if level and row.levels[-1].slots]
    if len(casting) == 1:
        row, level = casting[0]
        return tuple(row.levels[level - 1].slots)
    together = sum(level if row.casting and row.casting.share == FULL else (level + 1) // 2 for row, level in casting)
    return catalogue.advancement()[str(min(together, 20))].slots if together else ()


def number_of(who: Character, level: int) -> int:
    """All slots of a level, those that were made too."""
    row = table_of(who)
    return (row[level - 1] if level <= len(row) else 0) + counters.count(who.pools, MADE, str(level))


def left(who: Character, level: int) -> int:
    """The slots of a level that are not spent."""
    return max(number_of(who, level) - who.pools.get(counters.counter(SPENT, str(level)), 0), 0)


def pact_of(who: Character) -> Slot | None:
    """The level of pact slots, None without pact magic (R5.487)."""
    level = classes.level_in(who, "warlock")
    return Slot(catalogue.classes()["warlock"].levels[level - 1].pact_level, pact=True) if level else None


def pact_number(who: Character) -> int:
    """All pact slots."""
    level = classes.level_in(who, "warlock")
    return catalogue.classes()["warlock"].levels[level - 1].pact_slots if level else 0


def pact_left(who: Character) -> int:
    """The pact slots that are not spent."""
    return max(pact_number(who) - who.pools.get(PACT, 0), 0)


def free(who: Character) -> list[Slot]:
    """The slots that a character could spend, one of each sort, the lowest first (R5.230)."""
    found = [Slot(level) for level in LEVELS if left(who, level)]
    pact = pact_of(who)
    return sorted([*found, *([pact] if pact is not None and pact_left(who) else ())])


def choose(table: Table, who: Character, name: str, least: int, wanted: int) -> Slot:
    """The slot that a spell takes: of the level that is ``wanted``, else the lowest that fits (R5.235). Refused without one."""
    if wanted and wanted < least:
        table.refuse(f"{name} takes a slot of level {least} or higher, not {wanted}.", "slot")
    fits = [each for each in free(who) if each.level >= least and wanted in (0, each.level)]
    if not fits:
        have = ", ".join(str(each.level) for each in free(who)) or "none"
        level = wanted or least
        table.refuse(f"{who.name} has no slot of level {level} left for {name}. Slots left: {have}.", "slot")
    return fits[0]


def spend(table: Table, who: Character, slot: Slot, reason: str) -> None:
    """Spend a slot."""
    if slot.level:
        pool = PACT if slot.pact else counters.counter(SPENT, str(slot.level))
        counters.change(table, who.id, pool, 1, reason)


def spend_one(table: Table, who: Character, level: int, reason: str) -> int:
    """Spend a slot of a level, the lowest that is left for 0. Returns its level."""
    slot = choose(table, who, reason, 1, level)
    spend(table, who, slot, reason)
    return slot.level
