"""Crossing into this game and out of it: modifiers are the numbers here, and hit points follow from Endurance.

Player characters keep their level, as far as there are levels here, and choose their skills. Others
keep the numbers that were entered: hit points, the best attack, the speed.
"""

from rollbook.kit import conditions, crossing, equipment, stat_entry
from rollbook.kit.levels import set_level
from rollbook.plugin import ABILITIES, UNARMED, CampaignState, Character, Crossing, Levels, Passport, Table, events
from rollbook.rulesets.luckpoint import abilities, arms, creation, hit_points, levels, luck, movement
from rollbook.rulesets.luckpoint.settings import Settings

WEAPONS = {"light": "light", "medium": "medium-melee", "heavy": "heavy-melee", "ranged": "medium-ranged"}

LOCALLY = {
    "unconscious": hit_points.CRITICAL,
    "dead": conditions.DEAD,
    "prone": conditions.PRONE,
    "bleeding": conditions.BLEEDING,
    "stable": conditions.STABLE,
}


def describe(who: Character, campaign: CampaignState) -> Passport:  # noqa: ARG001 - house rules change nothing that crosses
    """Write a character's passport."""
    item, armour = equipment.worn(who, arms.ARMOURS)
    most = hit_points.max_hp(who)
    return Passport(
        max_hp=most,
        dies_at=-most,
        level=max(who.level, 0),
        modifiers={ability: abilities.modifier(who, ability) for ability in ABILITIES},
        armour_class=arms.armour_class(who),
        is_entered=equipment.ARMOUR_CLASS in who.stats,
        armour=armour.key,
        worn=item,
        shield=equipment.shield_of(who),
        weapons={weapon.item: weapon.kind.meaning for weapon in arms.held_weapons(who)},
        attack=_attack(who),
        speed=movement.feet(movement.speed(who)),
        luck=max(luck.held(who), 0),
        conditions=crossing.shared_conditions(who, LOCALLY),
    )


def _attack(who: Character) -> int:
    return sum(term.amount for term in arms.to_hit_terms(who))


def set_stat(table: Table, name: str, stat: str, amount: int) -> None:
    """Change a number, if it is another. A modifier is the number itself."""
    change = amount - table.character(name).stats.get(stat, 0)
    stat_entry.add(table, name, {stat: change}, reason=crossing.FROM_ANOTHER_GAME)


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Bring in things, then a level and its choices, or the numbers of characters not made by the rules."""
    equipment.give(table, name, crossing.gear_for(passport, weapons=WEAPONS), count=0)
    luck.count_hours(table, name)
    if passport.is_entered:
        crossing.bring_stat(table, name, equipment.ARMOUR_CLASS, 0)  # what a shield adds here is subtracted
        set_stat(table, name, equipment.ARMOUR_CLASS, passport.armour_class - arms.armour_class(table.character(name)))
    who = table.character(name)
    is_player = who.kind is events.CharacterKind.PLAYER_CHARACTER
    level = levels.level_for(who.experience, Settings.of(table))
    if is_player or passport.level > 0:
        set_level(table, name, level)
    if is_player:
        # The skills of creation and of every level; abilities have come over as they are.
        procedure = levels.PROCEDURES[levels.STANDARD]
        levels.offer_first_skills(table, name, range(1, procedure.skills + 1), only_basic=procedure.only_basic)
        for each in range(2, level + 1):
            levels.offer_level(table, name, each, with_ability=False)
    else:
        creation.enter_hp(table, name, passport.max_hp)
        _enter_numbers(table, name, passport)


def _enter_numbers(table: Table, name: str, passport: Passport) -> None:
    missing = passport.attack - _attack(table.character(name))
    if missing:
        set_stat(table, name, arms.TO_HIT, table.character(name).stats.get(arms.TO_HIT, 0) + missing)
    if passport.speed not in crossing.HUMAN_SPEED:
        set_stat(table, name, movement.SPEED_BASE, movement.metres(max(passport.speed, 0)))


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=set_stat,
    luck=luck.LUCK,
    luck_cap=lambda who, _: luck.luck_cap(who),
    conditions=LOCALLY,
    levels=Levels(
        experience_for=lambda level, _: levels.level_row(level).experience,
        highest=lambda campaign: levels.highest_level(Settings.of(campaign)),
    ),
    weapons={**WEAPONS, UNARMED: arms.UNARMED},
    weapon_words={
        **{key: row.meaning for key, row in arms.CLASSES.items() if row.meaning},
        **dict.fromkeys(arms.ALWAYS, UNARMED),
    },
)
