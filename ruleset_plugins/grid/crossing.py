"""Crossing into this game and out of it: bonuses as they are, armour and weapons by meaning, and a class to choose.

A newcomer with an entered armour class keeps it. A player character's hit points and attack serve until a class is chosen.
"""

import attrs

from rollbook.kit import conditions, crossing, equipment
from rollbook.plugin import ABILITIES, UNARMED, CampaignState, Character, CharacterKind, Crossing, Passport, Table
from rollbook.rulesets.grid import attack_rolls, creation, hands, hit_points, movement, stats, weapons
from rollbook.rulesets.grid.armour import ARMOURS, armour_of, armour_terms, shield_of
from rollbook.rulesets.grid.settings import Settings

BY_WEIGHT = {row.weight: row.key for row in ARMOURS.values() if row.weight != "none"}
"""The armour that stands in for that of another game, by weight."""

USUAL_SPEEDS = (20, 30)
LOCALLY = {
    "unconscious": hit_points.INCAPACITATED,
    "dead": conditions.DEAD,
    "prone": conditions.PRONE,
    "stable": conditions.STABLE,
    "hidden": hit_points.HIDDEN,
}


def describe(who: Character, campaign: CampaignState) -> Passport:
    """Write a character's passport."""
    settings = Settings.of(campaign)
    row = stats.class_of(who, settings)
    worn, armour = armour_of(who)
    lasting = _without_conditions(who)
    return Passport(
        max_hp=max(hit_points.max_hp(who, settings), 0),
        dies_at=hit_points.DIES_AT,
        level=row.level if row else 0,
        modifiers={ability: stats.bonus(who, ability) for ability in ABILITIES if ability in who.stats},
        armour_class=stats.total(armour_terms(lasting)),
        is_entered=bool(who.stats.get(stats.ARMOUR_CLASS)),
        armour=armour.weight,
        worn=worn,
        shield=shield_of(who)[0],
        weapons={weapon.item: weapon.kind.meaning for weapon in weapons.weapons_of(who) if weapon.kind.meaning},
        attack=_best_attack(who, settings),
        speed=max(stats.total(movement.speed_terms(lasting)), 0),
        conditions=crossing.shared_conditions(who, LOCALLY),
    )


def _best_attack(who: Character, settings: Settings) -> int:
    lasting = _without_conditions(who)
    return max(stats.total(attack_rolls.attack_terms(lasting, settings, melee=melee)) for melee in (True, False))


def _without_conditions(who: Character) -> Character:
    """The character as they are once every condition of the fight has passed."""
    return attrs.evolve(who, conditions={})


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Bring a character in: things first, then numbers; a class is a player's choice."""
    equipment.give(
        table, name, crossing.armour_for(passport, armours=BY_WEIGHT, shield=(equipment.SHIELD, "shield")), count=0
    )
    for item, meaning in passport.weapons.items():  # in hands and sheath as long as there is room (Q4.44)
        weapon = weapons.WEAPONS[weapons.BY_MEANING.get(meaning, "sword")]
        place = _room(table.character(name), both_hands=weapon.usual_grip == weapons.BOTH)
        equipment.give(table, name, ((item, weapons.use_of(weapon.key, place)),), count=0)
    if passport.is_entered:
        crossing.bring_stat(table, name, stats.ARMOUR_CLASS, passport.armour_class)
    if passport.speed not in USUAL_SPEEDS:
        crossing.bring_stat(table, name, stats.SPEED, max(passport.speed, 1))
    who = table.character(name)
    is_player = who.kind is CharacterKind.PLAYER_CHARACTER
    missing = {
        stats.MAX_HP: max(passport.max_hp, 1) - hit_points.max_hp(who, Settings.of(table)),
        stats.ATTACK: passport.attack - _best_attack(who, Settings.of(table)),
    }
    for stat, amount in missing.items():
        if amount:
            crossing.bring_stat(table, name, stat, who.stats.get(stat, 0) + amount)
        if amount > 0 and is_player:
            crossing.bring_stat(table, name, creation.STOOD_IN[stat], amount)
    if is_player:
        creation.offer_class(table, name)


def _room(who: Character, *, both_hands: bool) -> str:
    full = hands.in_hands(who)
    if weapons.MAIN not in full and not (both_hands and weapons.OFF in full):
        return weapons.BOTH if both_hands else weapons.MAIN
    return weapons.DOWN if any(weapon.place == weapons.SHEATH for weapon in weapons.weapons_of(who)) else weapons.SHEATH


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=crossing.bring_stat,
    conditions=LOCALLY,
    weapons={**weapons.BY_MEANING, UNARMED: weapons.UNARMED},
    weapon_words={key: row.meaning or UNARMED for key, row in weapons.WEAPONS.items()},
)
