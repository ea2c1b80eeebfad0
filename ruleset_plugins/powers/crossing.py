"""Crossing into this game and out of it: every number is entered by hand, so everything fits.

Armour and weapons keep their meaning in other games, and a best attack that is not Strength becomes a Strike of the
newcomer's own. Luck of any sort becomes reroll effects.
"""

import attrs

from rollbook.kit import conditions, crossing, equipment
from rollbook.plugin import ABILITIES, ARMOURS, WEAPONS, CampaignState, Character, Crossing, Passport, Table, events
from rollbook.rulesets.powers import checks, hit_points, powers, stats
from rollbook.rulesets.powers.settings import Settings

THINGS = {equipment.ARMOUR: ARMOURS, equipment.SHIELD: ("",), equipment.WEAPON: WEAPONS}
"""The uses of things, and the meanings of each."""

AS_MEANT = {meaning: meaning for meaning in (*ARMOURS, *WEAPONS)}
"""The local kind of each meaning, which is the meaning itself."""

SPEED, ATTACK = "speed", "attack"
USUAL_SPEED = 30
AS_WORN = "as-worn"
"""The trait of a character whose Defense another game derives: it goes back as it came."""

LOCALLY = {
    "unconscious": hit_points.DEFEATED,
    "dead": conditions.DEAD,
    **{word: word for word in ("prone", "stunned", "helpless", "weary", "poisoned", "hidden")},
}
"""Conditions are words that the table reads here, so most go by the same one."""


def describe(who: Character, campaign: CampaignState) -> Passport:
    """Write a character's passport: the numbers entered, and the meanings that other games gave to things."""
    things = [{item: (*words, "")[0] for item, words in equipment.used_as(who, sort)} for sort in THINGS]
    armour, shields, weapons = (
        {item: meaning for item, meaning in found.items() if meaning in known}
        for found, known in zip(things, THINGS.values(), strict=True)
    )
    attacks = [who.stats.get(power.rolls, 0) for power in powers.powers_of(who).values() if power.attack]
    return Passport(
        max_hp=hit_points.max_hp(who),
        modifiers={ability: who.stats[ability] for ability in ABILITIES if ability in who.stats},
        armour_class=stats.dc_of(who, stats.DEFENSE, Settings.of(campaign)),
        is_entered=AS_WORN not in who.traits,
        armour=next(iter(armour.values()), "none"),
        worn=next(iter(armour), ""),
        shield=next(iter(shields), ""),
        weapons=weapons,
        attack=max(attacks, default=0),
        speed=who.stats.get(SPEED, USUAL_SPEED),
        luck=max(who.pools.get(checks.REROLL, 0), 0),
        conditions=crossing.shared_conditions(who, LOCALLY),
    )


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Enter hit points and Defense as they are; there are no levels."""
    entered = {stats.MAX_HP: passport.max_hp, stats.DEFENSE: passport.armour_class}
    if passport.speed != USUAL_SPEED:
        entered[SPEED] = passport.speed
    for stat, amount in entered.items():
        crossing.bring_stat(table, name, stat, amount)
    if not passport.is_entered:
        table.record(events.TraitGained(character=name, trait=AS_WORN, kind=stats.DEFENSE))
    if passport.attack != table.character(name).stats.get(stats.STRENGTH, 0):
        crossing.bring_stat(table, name, ATTACK, passport.attack)
        own = attrs.evolve(powers.POWERS[powers.STRIKE], rolls=ATTACK)
        table.record(
            events.TraitGained(character=name, trait=powers.STRIKE, kind=powers.POWER, data=powers.as_data(own))
        )
    equipment.give(table, name, crossing.gear_for(passport, armours=AS_MEANT, weapons=AS_MEANT), count=0)


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=crossing.bring_stat,
    luck=checks.REROLL,
    luck_cap=lambda _, __: 1_000_000,  # the rulebook sets no limit
    conditions=LOCALLY,
)
