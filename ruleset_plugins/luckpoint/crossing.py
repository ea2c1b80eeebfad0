"""Crossing into this game and out of it: abilities are modifiers as they stand, hit points follow from Endurance."""

from __future__ import annotations

from ruleset_plugins import (
    ABILITIES,
    Campaign,
    Character,
    Crossing,
    Kind,
    Passport,
    Table,
    conditions,
    events,
)
from ruleset_plugins.luckpoint.armour import ARMOUR_CLASS, ARMOURS, SHIELD, armour_terms, shield_of, worn
from ruleset_plugins.luckpoint.creation import METHOD, STANDARD
from ruleset_plugins.luckpoint.levels import level_for, levels_up_to, offer_picks, offer_start_skills
from ruleset_plugins.luckpoint.luck import LUCK, held, luck_cap
from ruleset_plugins.luckpoint.movement import FEET_A_METRE, SPEED_BASE, pace
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import BASICS, modifier, total
from ruleset_plugins.luckpoint.weapons import WEAPON, held_weapons
from ruleset_plugins.luckpoint.wounds import CRITICAL, MAX_HP, max_hp

HERE = {"light": "light", "medium": "medium", "heavy": "heavy", "ranged": "medium-ranged"}
"""What weapons of other games are taken for."""

USUAL_SPEED = 30
LOCALLY = {
    "unconscious": CRITICAL,
    "dead": conditions.DEAD,
    "prone": conditions.PRONE,
    "bleeding": conditions.BLEEDING,
    "stable": conditions.STABLE,
}


def describe(who: Character, campaign: Campaign) -> Passport:  # noqa: ARG001 - what describes takes both
    """Somebody's passport."""
    item, armour = worn(who)
    most = max_hp(who)
    weapons = {weapon.item: "ranged" if weapon.kind.is_ranged else weapon.kind.key for weapon in held_weapons(who)}
    return Passport(
        max_hp=most,
        dies_at=-most,
        level=who.level,
        modifiers={ability: modifier(who, ability) for ability in ABILITIES},
        armour_class=sum([term.amount for term in armour_terms(who)]),
        is_entered=ARMOUR_CLASS in who.stats,
        armour=armour.key,
        worn=item,
        shield=shield_of(who),
        weapons=weapons,
        attack=total(who, "maneuvers"),
        speed=pace(who) * FEET_A_METRE,
        luck=held(who),
        conditions=tuple(meaning for meaning, own in LOCALLY.items() if who.has(own)),
    )


def set_modifier(table: Table, name: str, ability: str, wanted: int) -> None:
    """An ability is its modifier."""
    change = wanted - modifier(table.character(name), ability)
    if change:
        table.record(events.StatChanged(character=name, stat=ability, amount=change, reason="from another game"))


def arrive(table: Table, name: str, passport: Passport) -> None:
    """The level of the experience, things by what they mean, and numbers for those who had them entered."""
    who = table.character(name)
    level = level_for(who.experience, house(table))
    table.record(events.LevelGained(character=name, levels=level))
    _take_things(table, name, passport)
    if who.kind is Kind.PLAYER_CHARACTER:
        table.record(events.TraitGained(character=name, trait=STANDARD, kind=METHOD))
        offer_start_skills(table, name, BASICS)
        for each in levels_up_to(level):
            offer_picks(table, name, each, skills_only=True)
        return
    numbers = {MAX_HP: passport.max_hp - max_hp(table.character(name))}
    if passport.speed != USUAL_SPEED:
        numbers[SPEED_BASE] = passport.speed // FEET_A_METRE
    for stat, amount in numbers.items():
        if amount:
            table.record(events.StatChanged(character=name, stat=stat, amount=amount, reason="from another game"))


def _take_things(table: Table, name: str, passport: Passport) -> None:
    uses = {item: f"{WEAPON}{HERE[meaning]}" for item, meaning in passport.weapons.items() if meaning in HERE}
    if passport.worn and passport.armour in ARMOURS:
        uses[passport.worn] = f"armour:{passport.armour}"
    if passport.shield:
        uses[passport.shield] = SHIELD
    for item, use in uses.items():
        table.record(events.GearGained(character=name, item=item, count=0, use=use))
    if passport.is_entered:
        shield = 2 if passport.shield else 0
        table.record(
            events.StatChanged(
                character=name, stat=ARMOUR_CLASS, amount=passport.armour_class - shield, reason="from another game"
            )
        )


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=set_modifier,
    luck=LUCK,
    luck_cap=luck_cap,
    conditions=LOCALLY,
)
