"""Crossing into this game and out of it: an ability is its modifier, and hit points follow from Endurance.

Who had a level gets the one that their experience is worth here, with its skills still to be chosen; abilities come as they are.
Those whose numbers were written down elsewhere keep them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleset_plugins import ABILITIES, Campaign, Character, Crossing, Kind, Passport, Table, conditions, events
from ruleset_plugins.luckpoint.armour import (
    ARMOUR,
    ARMOUR_CLASS,
    ARMOURS,
    SHIELD,
    SHIELD_BONUS,
    armour_class,
    shield_of,
    worn,
)
from ruleset_plugins.luckpoint.creation import PROCEDURES, STANDARD, enter_hp
from ruleset_plugins.luckpoint.distances import feet, metres
from ruleset_plugins.luckpoint.experience import level_for
from ruleset_plugins.luckpoint.levels import offer_first_skills, offer_level
from ruleset_plugins.luckpoint.luck import LUCK, count_hours, held, luck_cap
from ruleset_plugins.luckpoint.movement import SPEED_BASE, USUAL, speed
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.weapons import TO_HIT, WEAPON, held_weapons, to_hit_terms
from ruleset_plugins.luckpoint.wounds import CRITICAL, max_hp

HERE = {"light": "light", "medium": "medium-melee", "heavy": "heavy-melee", "ranged": "medium-ranged"}
"""What weapons of other games are taken for."""

LOCALLY = {
    "unconscious": CRITICAL,
    "dead": conditions.DEAD,
    "prone": conditions.PRONE,
    "bleeding": conditions.BLEEDING,
    "stable": conditions.STABLE,
}


def describe(who: Character, campaign: Campaign) -> Passport:  # noqa: ARG001 - whatever describes takes both
    """Somebody's passport."""
    item, armour = worn(who)
    most = max_hp(who)
    return Passport(
        max_hp=most,
        dies_at=-most,
        level=who.level,
        modifiers={ability: who.stats.get(ability, 0) for ability in ABILITIES},
        armour_class=armour_class(who),
        is_entered=ARMOUR_CLASS in who.stats,
        armour=armour.key,
        worn=item,
        shield=shield_of(who),
        weapons={weapon.item: weapon.kind.meaning for weapon in held_weapons(who)},
        attack=_attack(who),
        speed=feet(speed(who)),
        luck=held(who),
        conditions=tuple(meaning for meaning, own in LOCALLY.items() if who.has(own)),
    )


def _attack(who: Character) -> int:
    return sum([term.amount for term in to_hit_terms(who)])


def set_modifier(table: Table, name: str, ability: str, wanted: int) -> None:
    """An ability is its modifier."""
    change = wanted - table.character(name).stats.get(ability, 0)
    if change:
        _change(table, name, ability, change)


def _change(table: Table, name: str, stat: str, amount: int) -> None:
    table.record(events.StatChanged(character=name, stat=stat, amount=amount, reason="from another game"))


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Things by what they mean, a level with its choices, and numbers for those who had them written down."""
    for item, use in _uses(passport):
        table.record(events.GearGained(character=name, item=item, count=0, use=use))
    count_hours(table, name)
    who = table.character(name)
    is_player_character = who.kind is Kind.PLAYER_CHARACTER
    if is_player_character or passport.level > 0:
        _take_level(table, who, choosing=is_player_character)
    if passport.is_entered:
        shield = SHIELD_BONUS if passport.shield else 0
        _change(table, name, ARMOUR_CLASS, passport.armour_class - shield)
    if passport.is_entered or not is_player_character:
        enter_hp(table, name, passport.max_hp)
    if not is_player_character:
        _enter_numbers(table, name, passport)


def _uses(passport: Passport) -> Iterator[tuple[str, str]]:
    """What worn and held things count as here."""
    if passport.worn and passport.armour in ARMOURS:
        yield passport.worn, f"{ARMOUR}{passport.armour}"
    if passport.shield:
        yield passport.shield, SHIELD
    for item, meaning in passport.weapons.items():
        yield item, f"{WEAPON}{HERE.get(meaning, HERE['medium'])}"


def _take_level(table: Table, who: Character, *, choosing: bool) -> None:
    """The level of the experience that there is; ``choosing`` leaves its skills open, as for a new character (R1.51)."""
    level = level_for(who.experience, house(table))
    if level != who.level:
        table.record(events.LevelGained(character=who.id, levels=level - who.level))
    if not choosing:
        return
    procedure = PROCEDURES[STANDARD]
    offer_first_skills(table, who.id, range(1, procedure.skills + 1), only_basic=procedure.only_basic)
    for each in range(2, level + 1):
        offer_level(table, who.id, each, with_ability=False)


def _enter_numbers(table: Table, name: str, passport: Passport) -> None:
    """The attack and the speed of those who are not made by the rules."""
    missing = passport.attack - _attack(table.character(name))
    if missing:
        _change(table, name, TO_HIT, missing)
    if passport.speed != feet(USUAL):
        _change(table, name, SPEED_BASE, metres(passport.speed))


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=set_modifier,
    luck=LUCK,
    luck_cap=lambda who, campaign: luck_cap(who),  # noqa: ARG005 - a cap takes what all caps take
    conditions=LOCALLY,
)
