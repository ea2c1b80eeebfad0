"""The passing of time: bleeding, healing by the hour, luck, and conditions that expire (R1.12, R1.47, R1.49)."""

from ruleset_plugins import Character, CharacterKind, Table
from ruleset_plugins.kit import clock, conditions
from ruleset_plugins.luckpoint.hit_points import MOST_DICE, hit_points_left, hurt, max_hp, restore
from ruleset_plugins.luckpoint.luck import hours_completed, regain_luck
from ruleset_plugins.luckpoint.settings import OWN_TURN, Settings
from ruleset_plugins.luckpoint.skills import ENDURANCE, rating


def bleed(table: Table, name: str, rounds: int) -> None:
    """1d6 hit points for every round, until death (R1.47). As many dice fall at once as cannot kill before the last of them."""
    while rounds > 0 and table.character(name).has(conditions.BLEEDING):
        who = table.character(name)
        to_death = hit_points_left(who) + max_hp(who)
        dice = max(1, min(rounds, -(-to_death // 6), MOST_DICE))
        lost = table.roll(f"{dice}d6", roller=name, purpose="bleeding").total
        hurt(table, name, lost, tags=("bleeding",), source="critical wounds")
        rounds -= dice


def healing_per_hour(who: Character) -> int:
    """What an hour brings back: the better of Level and Endurance, at least 1; nothing for things (R1.49, Q1.32)."""
    return 0 if who.kind is CharacterKind.THING else max(who.level, rating(who, ENDURANCE), 1)


def time_passed(table: Table, before: int, *, rest: bool) -> None:  # noqa: ARG001 - hours heal whether one rests or not
    """The hook of the clock. Those who bleed do not heal (Q1.13); the dead do not change (QG.9)."""
    for who in table.characters():
        if who.has(conditions.DEAD):
            continue
        if who.has(conditions.BLEEDING):
            _bleed_rounds(table, who, before)
        hours = hours_completed(table, who, before)
        if hours and not table.character(who.id).has(conditions.DEAD):
            if who.lost > 0 and not who.has(conditions.BLEEDING):
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
