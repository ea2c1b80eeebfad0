"""Crossing into this game and out of it: descending armour class, hit dice, and a level by this game's own table.

Human size walks 30 feet a round in most games and has Movement 12 here, so the two are converted. Modifiers come over as they
are, each as a score, also beyond 3 to 18.
"""

from rollbook.kit import conditions, crossing, equipment, levels
from rollbook.plugin import ABILITIES, UNARMED, CampaignState, Character, Crossing, Levels, Passport, Table, events
from rollbook.rulesets.russell.character import attributes, experience, stat_line, templates
from rollbook.rulesets.russell.delve.encumbrance import WEARIED, movement
from rollbook.rulesets.russell.fight import arms, hit_points, wounds
from rollbook.rulesets.russell.settings import house

ASCENDING = 19
"""An ascending armour class and a descending one add up to this."""

PACE = (5, 2)
"""Feet a round for each point of Movement, as other games count them: 30 for 12."""

SCORES = {-3: 3, -2: 5, -1: 8, 0: 10, 1: 14, 2: 16, 3: 18}
"""A score for every modifier of the table."""

ARMOUR_MEANT = {row.meaning: row.key for row in arms.ARMOURS.values()}
WEAPONS = {"light": "light", "medium": "melee", "heavy": "two-handed", "ranged": "ranged"}

LOCALLY = {
    "unconscious": conditions.HELPLESS,
    "helpless": conditions.HELPLESS,
    "dead": conditions.DEAD,
    "prone": wounds.FLOORED,
    "stunned": conditions.STUNNED,
    "bleeding": conditions.BLEEDING,
    "weary": WEARIED,
}


def describe(who: Character, campaign: CampaignState) -> Passport:
    """A character's passport. Armour class leaves out the stances of a fight."""
    settings = house(campaign)
    item, row = arms.worn(who)
    descending = sum(term.amount for term in arms.resting_armour_terms(who))
    held, (feet, points) = arms.weapons_of(who), PACE
    return Passport(
        max_hp=hit_points.max_hp(who),
        level=who.level,
        modifiers={ability: attributes.bonus(who, ability) for ability in ABILITIES},
        armour_class=ASCENDING - descending,
        is_entered=stat_line.ARMOUR_CLASS in who.stats,
        armour=row.meaning,
        worn=item,
        shield=equipment.shield_of(who),
        weapons={each.item: each.kind.meaning for each in equipment.read_all(who, arms.read) if each.kind.meaning},
        attack=max(sum(term.amount for term in arms.to_hit_terms(who, each, settings)) for each in held),
        speed=movement(who, settings) * feet // points,
        conditions=crossing.shared_conditions(who, LOCALLY),
    )


def set_modifier(table: Table, name: str, ability: str, amount: int) -> None:
    """Change a score until its modifier is this one; a score that has it already stays."""
    if attributes.bonus(table.character(name), ability) != amount or ability not in table.character(name).stats:
        crossing.bring_stat(table, name, ability, score_for(amount))


def score_for(wanted: int) -> int:
    """A score with this modifier; beyond the table a point for each."""
    if wanted in SCORES:
        return SCORES[wanted]
    nearest = max(-3, min(wanted, 3))
    return SCORES[nearest] + wanted - nearest


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Things, then a level by this game's table, or a stat line for those without levels."""
    equipment.give(table, name, crossing.gear_for(passport, armours=ARMOUR_MEANT, weapons=WEAPONS), count=0)
    if passport.is_entered:
        crossing.bring_stat(table, name, stat_line.ARMOUR_CLASS, ASCENDING - passport.armour_class)
        if passport.speed not in crossing.HUMAN_SPEED:
            feet, points = PACE
            crossing.bring_stat(table, name, stat_line.MOVEMENT, max(passport.speed * points // feet, 0))
    who = table.character(name)
    if who.kind is events.CharacterKind.PLAYER_CHARACTER or passport.level > 0:
        _take_level(table, name, passport)
    else:
        _take_profile(table, name, passport)


def _take_level(table: Table, name: str, passport: Passport) -> None:
    """The level by experience; 3.5 hit points a die, without rolling; templates stay open choices."""
    who = table.character(name)
    level = experience.level_for(who.experience)
    levels.set_level(table, name, level)
    if passport.is_entered:
        _enter_hp(table, name, passport.max_hp)
    else:
        dice = min(level, experience.LAST_DIE)
        con = max(attributes.bonus(who, "con"), house(table).min_hp_gain - 3)
        crossing.bring_stat(table, name, hit_points.ROLLED, dice * 7 // 2)
        crossing.bring_stat(table, name, hit_points.FROM_CON, con * dice)
    for each in range(1, min(level, templates.LAST_TEMPLATE_LEVEL) + 1):
        templates.offer_template(table, name, each)


def _take_profile(table: Table, name: str, passport: Passport) -> None:
    """Hit dice by hit points, 3.5 each; skill by the attack there was."""
    if table.character(name).kind is not events.CharacterKind.THING:
        crossing.bring_stat(table, name, stat_line.HIT_DICE, max(1, (passport.max_hp * 2 + 3) // 7))
        if passport.attack > 0:
            crossing.bring_stat(table, name, stat_line.WEAPON_SKILL, passport.attack)
    _enter_hp(table, name, passport.max_hp)


def _enter_hp(table: Table, name: str, most: int) -> None:
    """The maximum as it was, less the hit points of levels past the tenth."""
    who = table.character(name)
    crossing.bring_stat(table, name, hit_points.MAX_HP, most - hit_points.flat_hit_points(who.level))


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=set_modifier,
    conditions=LOCALLY,
    levels=Levels(
        experience_for=lambda level, _: experience.experience_for(level), highest=lambda _: experience.FARTHEST
    ),
    weapons={**WEAPONS, UNARMED: hit_points.UNARMED},
    weapon_words={**{key: row.meaning for key, row in arms.KINDS.items() if row.meaning}, hit_points.UNARMED: UNARMED},
)
