"""Hit points: five tiers of wounds, harm, bleeding, healing and time (R1.12, R1.42–R1.49, Q1.1, Q1.2, Q1.13–Q1.15)."""

import enum
from functools import partial

from rollbook.kit import clock, conditions, dying, equipment, hit_points, sheet_lines, stat_entry, verbs
from rollbook.plugin import Character, CharacterKind, Table, Term
from rollbook.rulesets.luckpoint import abilities, luck
from rollbook.rulesets.luckpoint.settings import OWN_TURN, Settings

CRITICAL = "critical"
"""The condition at 0 hit points or fewer: no task actions, a crawl and a whisper (R1.46)."""

MAX_HP = "max_hp"
"""The stat that holds hit points entered for monsters, or added by ruling."""

PER_ENDURANCE, LEAST, MOST_DICE = 5, 5, 100


class Tier(enum.StrEnum):
    """A state of health, from unhurt to dead."""

    FULL = "Full Health"
    LIGHT = "Light Wounds"
    SERIOUS = "Serious Wounds (Bloodied)"
    CRITICAL = "Critical Wounds"
    DEAD = "Dead"


def max_hp_terms(who: Character) -> tuple[Term, ...]:
    """Five for each point of Endurance, at least five in all (R1.42, Q1.1), and a number that was entered."""
    endurance = abilities.rating(who, abilities.ENDURANCE)
    terms = [Term(PER_ENDURANCE * endurance, f"Endurance {endurance:+d} x 5", "R1.42", f"stat.{abilities.ENDURANCE}")]
    if terms[0].amount < LEAST:
        terms.append(Term(LEAST - terms[0].amount, f"at least {LEAST}", "R1.42"))
    if who.stats.get(MAX_HP):
        terms.append(Term(who.stats[MAX_HP], "as entered", "QG.8", f"stat.{MAX_HP}"))
    return sheet_lines.at_least(terms, 1, "QG.8")


def max_hp(who: Character) -> int:
    """The most hit points that a character can have: the sum of those terms."""
    return max(derived_hp(who) + who.stats.get(MAX_HP, 0), 1)


def derived_hp(who: Character) -> int:
    """The maximum that follows from Endurance."""
    return max(PER_ENDURANCE * abilities.rating(who, abilities.ENDURANCE), LEAST)


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
    """Give hit points back, up to the maximum; above 0 a character is not critical (Q1.13)."""
    if hit_points.regain(table, name, amount, tags=tags, source=source):
        update_conditions(table, name)


def lines(who: Character) -> dying.Lines:
    """Critical at 0, dead at the maximum below 0 (R1.46, R1.48)."""
    return dying.Lines(down=CRITICAL, dies_at=-max_hp(who))


def update_conditions(table: Table, name: str, *, struck: bool = False) -> None:
    """Record the conditions that hit points bring. A character ``struck`` while critical bleeds again (Q1.13)."""
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


SetCondition = verbs.condition_verb(
    help="Begin or end a condition by ruling: prone, stunned or any other that no wound brings.",
    examples=f"{conditions.PRONE}, {conditions.STUNNED}",
    follows=(CRITICAL, conditions.DEAD, conditions.BLEEDING, conditions.STABLE, conditions.ARRIVING),
)


def bleed(table: Table, name: str, rounds: int) -> None:
    """1d6 hit points for every round, until death (R1.47). As many dice fall at once as cannot kill before the last of them."""
    while rounds > 0 and table.character(name).has(conditions.BLEEDING):
        who = table.character(name)
        to_death = hit_points_left(who) + max_hp(who)
        dice = max(1, min(rounds, -(-to_death // 6), MOST_DICE))
        lost = table.roll(f"{dice}d6", roller=name, purpose="bleeding").total
        hurt(table, name, lost, tags=("bleeding",), source="critical wounds")
        rounds -= dice


HEALING = "healing"
"""The stat by which powers raise the healing of an hour, and the use of things that do: ``healing:3``."""


def healing_terms(who: Character) -> list[Term]:
    """Healing by the hour: the better of Level and Endurance, at least 1, powers and devices; none for things (R1.49, Q1.32)."""
    if who.kind is CharacterKind.THING:
        return [Term(0, "a thing", "R1.49")]
    level, endurance = who.level, abilities.rating(who, abilities.ENDURANCE)
    if endurance >= max(level, 1):
        terms = [Term(endurance, abilities.named(abilities.ENDURANCE), "R1.49", f"stat.{abilities.ENDURANCE}")]
    else:
        terms = [Term(level, "Level", "R1.49", "level") if level else Term(1, "usual", "Q1.32")]
    devices = [
        Term(int(use[0]), item, "R1.49", f"gear.{item}")
        for item, use in equipment.used_as(who, HEALING)
        if use and use[0].isdecimal()
    ]
    return [*terms, *devices, *stat_entry.terms(who, HEALING, rule="R1.49")]


def time_passed(table: Table, before: int, *, rest: bool) -> None:  # noqa: ARG001 - hours heal whether one rests or not
    """The hook of the clock. Those who bleed do not heal (Q1.13); the dead do not change (QG.9)."""
    for who in table.characters():
        if who.has(conditions.DEAD):
            continue
        if who.has(conditions.BLEEDING):
            _bleed_rounds(table, who, before)
        hours = clock.completed(before, table.clock, clock.HOUR, who.stats.get(luck.JOINED_AT, 0))
        if hours and not table.character(who.id).has(conditions.DEAD):
            if who.has_lost(1) and not who.has(conditions.BLEEDING):
                an_hour = max(sum(term.amount for term in healing_terms(who)), 0)
                restore(table, who.id, hours * an_hour, tags=("rest",))
            luck.regain_luck(table, who.id, hours)
        conditions.expire(table, who.id)


def _bleed_rounds(table: Table, who: Character, before: int) -> None:
    """Once for every round since the wound, the round in which it was struck included (Q1.12)."""
    fight = table.encounter
    if fight is not None and who.id in fight.order and Settings.of(table).bleed_at == OWN_TURN:
        return
    since = who.conditions[conditions.BLEEDING].since
    bleed(table, who.id, clock.completed(max(before, since), table.clock, Settings.of(table).round_seconds, since))
