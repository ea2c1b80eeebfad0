"""Hit points, the five tiers of wounds, and the verbs harm and heal (R1.42–R1.48, Q1.1, Q1.2, Q1.13–Q1.15)."""

import enum
from functools import partial

from rollbook.kit import conditions, dying, hit_points, verbs
from rollbook.plugin import Character, CharacterKind, Table, Term
from rollbook.rulesets.luckpoint.conditions import CRITICAL
from rollbook.rulesets.luckpoint.skills import ENDURANCE, rating

MAX_HP = "max_hp"
"""The stat that holds hit points entered for monsters, or added by ruling."""

PER_ENDURANCE = 5
LEAST = 5
MOST_DICE = 100


class Tier(enum.StrEnum):
    """How badly a character is hurt."""

    FULL = "Full Health"
    LIGHT = "Light Wounds"
    SERIOUS = "Serious Wounds (Bloodied)"
    CRITICAL = "Critical Wounds"
    DEAD = "Dead"


def max_hp_terms(who: Character) -> list[Term]:
    """Five for each point of Endurance, at least five in all (R1.42, Q1.1), and what was entered."""
    endurance = rating(who, ENDURANCE)
    terms = [Term(PER_ENDURANCE * endurance, f"Endurance {endurance:+d} x 5", "R1.42", f"stat.{ENDURANCE}")]
    if terms[0].amount < LEAST:
        terms.append(Term(LEAST - terms[0].amount, f"at least {LEAST}", "R1.42"))
    if who.stats.get(MAX_HP):
        terms.append(Term(who.stats[MAX_HP], "as entered", "QG.8", f"stat.{MAX_HP}"))
    missing = 1 - sum([term.amount for term in terms])
    return [*terms, Term(missing, "at least 1", "QG.8")] if missing > 0 else terms


def max_hp(who: Character) -> int:
    """The most hit points that a character can have: the sum of those terms."""
    return max(derived_hp(who) + who.stats.get(MAX_HP, 0), 1)


def derived_hp(who: Character) -> int:
    """The maximum that follows from Endurance."""
    return max(PER_ENDURANCE * rating(who, ENDURANCE), LEAST)


def hit_points_left(who: Character) -> int:
    """The hit points left."""
    return max_hp(who) - who.lost


def tier(who: Character) -> Tier:
    """The tier that the hit points left belong to; half is half of the maximum or less (Q1.15)."""
    most = max_hp(who)
    left = most - who.lost
    if who.has(conditions.DEAD) or left <= -most:
        return Tier.DEAD
    if left <= 0:
        return Tier.CRITICAL
    if left >= most:
        return Tier.FULL
    return Tier.SERIOUS if 2 * left <= most else Tier.LIGHT


def hurt(table: Table, name: str, dealt: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Take hit points, below 0 too."""
    hit_points.lose(table, name, dealt, tags=tags, source=source)
    update_conditions(table, name, struck=dealt > 0)


def restore(table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Give hit points back, up to the maximum; above 0 nobody is critical (Q1.13)."""
    if hit_points.regain(table, name, amount, tags=tags, source=source):
        update_conditions(table, name)


def lines(who: Character) -> dying.Lines:
    """Critical at 0, dead at the maximum below 0 (R1.46, R1.48)."""
    return dying.Lines(down=CRITICAL, dies_at=-max_hp(who))


def update_conditions(table: Table, name: str, *, struck: bool = False) -> None:
    """Record what follows from the hit points left. A character ``struck`` while critical bleeds again (Q1.13)."""
    before = table.character(name)
    dying.settle(table, name, most=max_hp(before), lines=lines(before))
    if not table.character(name).has(CRITICAL):
        conditions.end(table, name, conditions.BLEEDING)
        conditions.end(table, name, conditions.STABLE)
    elif (struck or not before.has(CRITICAL)) and before.kind is not CharacterKind.THING:
        conditions.end(table, name, conditions.STABLE)
        conditions.begin(table, name, conditions.PRONE)
        conditions.begin(table, name, conditions.BLEEDING)


def character_changed(table: Table, before: Character) -> None:
    """A maximum may have changed (Q1.2), or hit points by ruling, which may give life back (QG.8, QG.9)."""
    struck = table.character(before.id).lost > before.lost
    dying.follow_change(table, before, most=max_hp, lines=lines)
    update_conditions(table, before.id, struck=struck)


Harm = verbs.harm_verb(hurt)
Heal = verbs.heal_verb(
    partial(restore, tags=("care",)),
    help="A power, an item or a machine gives hit points back; hours do so by themselves (R1.49).",
)
