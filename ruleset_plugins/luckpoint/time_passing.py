"""The passing of time: bleeding, healing by the hour, luck, and conditions that expire (R1.12, R1.47, R1.49)."""

from rollbook.kit import clock, conditions, equipment, stat_entry
from rollbook.plugin import Character, CharacterKind, Table, Term
from rollbook.rulesets.luckpoint.hit_points import MOST_DICE, hit_points_left, hurt, max_hp, restore
from rollbook.rulesets.luckpoint.luck import hours_completed, regain_luck
from rollbook.rulesets.luckpoint.settings import OWN_TURN, Settings
from rollbook.rulesets.luckpoint.skills import ENDURANCE, named, rating


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
"""The stat by which powers raise what an hour heals, and the use of things that do: ``healing:3``."""


def healing_terms(who: Character) -> list[Term]:
    """What an hour brings back: the better of Level and Endurance, at least 1, and what powers and devices add (R1.49, Q1.32).

    Things do not heal.
    """
    if who.kind is CharacterKind.THING:
        return [Term(0, "a thing", "R1.49")]
    level, endurance = who.level, rating(who, ENDURANCE)
    if endurance >= max(level, 1):
        terms = [Term(endurance, named(ENDURANCE), "R1.49", f"stat.{ENDURANCE}")]
    else:
        terms = [Term(level, "Level", "R1.49", "level") if level else Term(1, "usual", "Q1.32")]
    devices = [
        Term(int(use[0]), item, "R1.49", f"gear.{item}")
        for item, use in equipment.used_as(who, HEALING)
        if use and use[0].isdecimal()
    ]
    return [*terms, *devices, *stat_entry.terms(who, HEALING, rule="R1.49")]


def healing_per_hour(who: Character) -> int:
    """What an hour brings back, 0 or more."""
    return max(sum(term.amount for term in healing_terms(who)), 0)


def time_passed(table: Table, before: int, *, rest: bool) -> None:  # noqa: ARG001 - hours heal whether one rests or not
    """The hook of the clock. Those who bleed do not heal (Q1.13); the dead do not change (QG.9)."""
    for who in table.characters():
        if who.has(conditions.DEAD):
            continue
        if who.has(conditions.BLEEDING):
            _bleed_rounds(table, who, before)
        hours = hours_completed(table, who, before)
        if hours and not table.character(who.id).has(conditions.DEAD):
            if who.has_lost(1) and not who.has(conditions.BLEEDING):
                restore(table, who.id, hours * healing_per_hour(who), tags=("rest",))
            regain_luck(table, who.id, hours)
        conditions.expire(table, who.id)


def _bleed_rounds(table: Table, who: Character, before: int) -> None:
    """Once for every round since the wound, the round in which it was struck included (Q1.12)."""
    fight = table.encounter
    if fight is not None and who.id in fight.order and Settings.of(table).bleed_at == OWN_TURN:
        return
    since = who.conditions[conditions.BLEEDING].since
    bleed(table, who.id, clock.completed(max(before, since), table.clock, Settings.of(table).round_seconds, since))
