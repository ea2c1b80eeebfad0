"""Crossing into this game and out of it: bonuses as they are, armour and weapons by what they mean, and a class to choose.

A newcomer with an entered armour class keeps it. A player character's hit points and attack serve until a class is chosen.
"""

import attrs

from rollbook.kit import conditions, crossing, equipment
from rollbook.plugin import ABILITIES, UNARMED, CampaignState, Character, CharacterKind, Crossing, Passport, Table
from rollbook.rulesets.grid.armour import ARMOURS, armour_of, armour_terms, shield_of
from rollbook.rulesets.grid.attack_rolls import attack_terms
from rollbook.rulesets.grid.creation import STOOD_IN, offer_class
from rollbook.rulesets.grid.hands import in_hands
from rollbook.rulesets.grid.hit_points import DIES_AT, HIDDEN, INCAPACITATED, max_hp
from rollbook.rulesets.grid.movement import speed_terms
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.stats import ARMOUR_CLASS, ATTACK, MAX_HP, SPEED, bonus, class_of, total
from rollbook.rulesets.grid.weapons import BOTH, BY_MEANING, DOWN, MAIN, OFF, SHEATH, WEAPONS, use_of, weapons_of
from rollbook.rulesets.grid.weapons import UNARMED as BARE_HANDS

BY_WEIGHT = {row.weight: row.key for row in ARMOURS.values() if row.weight != "none"}
"""What armour of another game counts as here."""

USUAL_SPEEDS = (20, 30)
LOCALLY = {
    "unconscious": INCAPACITATED,
    "dead": conditions.DEAD,
    "prone": conditions.PRONE,
    "stable": conditions.STABLE,
    "hidden": HIDDEN,
}


def describe(who: Character, campaign: CampaignState) -> Passport:
    """Write a character's passport."""
    settings = Settings.of(campaign)
    row = class_of(who, settings)
    worn, armour = armour_of(who)
    lasting = _without_conditions(who)
    return Passport(
        max_hp=max(max_hp(who, settings), 0),
        dies_at=DIES_AT,
        level=row.level if row else 0,
        modifiers={ability: bonus(who, ability) for ability in ABILITIES if ability in who.stats},
        armour_class=total(armour_terms(lasting)),
        is_entered=bool(who.stats.get(ARMOUR_CLASS)),
        armour=armour.weight,
        worn=worn,
        shield=shield_of(who)[0],
        weapons={weapon.item: weapon.kind.meaning for weapon in weapons_of(who) if weapon.kind.meaning},
        attack=_best_attack(who, settings),
        speed=max(total(speed_terms(lasting)), 0),
        conditions=crossing.shared_conditions(who, LOCALLY),
    )


def _best_attack(who: Character, settings: Settings) -> int:
    lasting = _without_conditions(who)
    return max(total(attack_terms(lasting, settings, melee=melee)) for melee in (True, False))


def _without_conditions(who: Character) -> Character:
    """The character as they are once every condition of the fight has passed."""
    return attrs.evolve(who, conditions={})


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Things first, then numbers; a class is a player's choice."""
    equipment.give(
        table, name, crossing.armour_for(passport, armours=BY_WEIGHT, shield=(equipment.SHIELD, "shield")), count=0
    )
    for item, meaning in passport.weapons.items():  # in hands and sheath as long as there is room (Q4.44)
        weapon = WEAPONS[BY_MEANING.get(meaning, "sword")]
        place = _room(table.character(name), both_hands=weapon.usual_grip == BOTH)
        equipment.give(table, name, ((item, use_of(weapon.key, place)),), count=0)
    if passport.is_entered:
        crossing.bring_stat(table, name, ARMOUR_CLASS, passport.armour_class)
    if passport.speed not in USUAL_SPEEDS:
        crossing.bring_stat(table, name, SPEED, max(passport.speed, 1))
    who = table.character(name)
    is_player = who.kind is CharacterKind.PLAYER_CHARACTER
    missing = {
        MAX_HP: max(passport.max_hp, 1) - max_hp(who, Settings.of(table)),
        ATTACK: passport.attack - _best_attack(who, Settings.of(table)),
    }
    for stat, amount in missing.items():
        if amount:
            crossing.bring_stat(table, name, stat, who.stats.get(stat, 0) + amount)
        if amount > 0 and is_player:
            crossing.bring_stat(table, name, STOOD_IN[stat], amount)
    if is_player:
        offer_class(table, name)


def _room(who: Character, *, both_hands: bool) -> str:
    full = in_hands(who)
    if MAIN not in full and not (both_hands and OFF in full):
        return BOTH if both_hands else MAIN
    return DOWN if any(weapon.place == SHEATH for weapon in weapons_of(who)) else SHEATH


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=crossing.bring_stat,
    conditions=LOCALLY,
    weapons={**BY_MEANING, UNARMED: BARE_HANDS},
    weapon_words={key: row.meaning or UNARMED for key, row in WEAPONS.items()},
)
