"""Crossing into this game and out of it: modifiers as scores, armour and weapons by meaning, a level by this game's table.

Armour class that was entered stays a number; a level brings 5 hit points and Constitution until a class is chosen.
"""

import attrs

from rollbook.kit import crossing, equipment, levels
from rollbook.plugin import UNARMED, CampaignState, Character, CharacterKind, Crossing, Levels, Passport, Table
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.fight import armour, attack_edges, hit_points, movement, weapons
from rollbook.rulesets.srd5.monsters import actions
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of
from rollbook.rulesets.srd5.settings import Settings

ARMOURS = {"light": "leather-armor", "medium": "chain-shirt", "heavy": "chain-mail"}
WEAPONS = {"light": "shortsword", "medium": "longsword", "heavy": "greatsword", "ranged": "shortbow"}
A_LEVEL = 5
"""Hit points that a level brings before Constitution: the fixed number of a d8."""

ALIKE = ("unconscious", "dead", "prone", "stunned", "stable", "poisoned", attack_edges.HIDDEN)
LOCALLY = {**dict(zip(ALIKE, ALIKE, strict=True)), "helpless": "paralyzed"}
"""Conditions of other games, most of which are called the same here."""


def meaning_of(row: catalogue.kinds.Weapon) -> str:
    """The meaning of a weapon for other games."""
    if row.form == weapons.RANGED:
        return "ranged"
    return "light" if row.light else "heavy" if row.heavy or row.two_handed else "medium"


def describe(who: Character, campaign: CampaignState) -> Passport:
    """Write a character's passport, as they are once every condition has passed."""
    settings, resting = Settings.of(campaign), attrs.evolve(who, conditions={})
    item, row, _ = armour.armour_of(who)
    held = {each.item: meaning_of(each.row) for each in weapons.weapons_of(who) if each.key in catalogue.equipment()}
    return Passport(
        max_hp=hit_points.max_hp(resting, settings),
        level=who.level,
        modifiers={each: abilities.modifier(who, each) for each in abilities.ABILITIES if each in who.stats},
        armour_class=armour.armour_class(resting),
        is_entered=armour.ARMOUR_CLASS in who.stats,
        armour=row.training if row is not None else "none",
        worn=item,
        shield=armour.shield_of(who)[0],
        weapons=held,
        attack=best_attack(resting),
        speed=movement.speed(campaign, resting),
        conditions=crossing.shared_conditions(who, LOCALLY),
    )


def best_attack(who: Character) -> int:
    """The best bonus to hit that somebody has with anything."""
    block = block_of(who)
    own = [actions.strike_of(who, each.name) for each in actions.attacks_of(block)] if block is not None else []
    held = [weapons.strike_with(who, weapon) for weapon in (*weapons.weapons_of(who), weapons.BARE)]
    return max(sum(term.amount for term in each.terms) for each in (*own, *held) if each is not None)


def set_modifier(table: Table, name: str, ability: str, amount: int) -> None:
    """Change a score until its modifier is this one; a score that has it already stays (R5.2)."""
    who = table.character(name)
    if ability not in who.stats or abilities.modifier(who, ability) != amount:
        crossing.bring_stat(table, name, ability, max(10 + 2 * amount, 1))


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Bring in things, then a level by the experience, or the numbers of those without levels."""
    things = crossing.armour_for(passport, armours=ARMOURS, shield=(equipment.SHIELD, "shield"))
    equipment.give(table, name, things, count=0)
    swords = ((item, (equipment.WEAPON, WEAPONS[meaning])) for item, meaning in passport.weapons.items())
    equipment.give(table, name, swords, count=0)
    who = table.character(name)
    has_levels = who.kind is CharacterKind.PLAYER_CHARACTER or passport.level > 0
    if has_levels:
        level = LEVELS.level_at(who.experience, table.campaign)
        levels.set_level(table, name, level)
        crossing.bring_stat(table, name, hit_points.DICE_TOTAL, A_LEVEL * level + 3)
    if passport.is_entered:
        crossing.bring_stat(table, name, armour.ARMOUR_CLASS, passport.armour_class)
    if passport.is_entered and passport.speed not in crossing.HUMAN_SPEED:
        crossing.bring_stat(table, name, "speed", passport.speed - movement.USUAL)
    who, missing = table.character(name), {}
    if passport.is_entered or not has_levels:
        missing[hit_points.MAX_HP] = passport.max_hp - hit_points.max_hp(who, Settings.of(table))
    if not has_levels:
        missing["to_hit"] = passport.attack - best_attack(who)
    for stat, amount in missing.items():
        if amount:
            crossing.bring_stat(table, name, stat, amount)


LEVELS = Levels(experience_for=lambda level, _: catalogue.advancement()[str(level)].xp, highest=lambda _: 20)
CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=set_modifier,
    conditions=LOCALLY,
    levels=LEVELS,
    weapons={**WEAPONS, UNARMED: weapons.UNARMED},
    weapon_words={
        **{key: meaning_of(row.weapon) for key, row in catalogue.equipment().items() if row.weapon is not None},
        weapons.UNARMED: UNARMED,
    },
)
