"""Crossing into this game and out of it.

Modifiers come over, each as a score that has it; the lowest score gives -4 (R0.13). Armour class that was entered stays a
number. A level comes with its experience, and 3.5 hit points a die.
"""

from rollbook.kit import crossing, equipment, levels
from rollbook.plugin import ABILITIES, UNARMED, CampaignState, Character, Crossing, Levels, Passport, Table, events
from rollbook.rulesets.storytoken.body import conditions, hit_points
from rollbook.rulesets.storytoken.character import abilities, experience
from rollbook.rulesets.storytoken.character.levels import offer_heritage_and_roles, offer_pick, picks_up_to
from rollbook.rulesets.storytoken.fight import arms, turns
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.story.tokens import TOKEN, held

TO_HIT = "to_hit"
WEAPONS = {"light": "light", "medium": "medium-melee", "heavy": "heavy-melee", "ranged": "medium-ranged"}
LOCALLY = {
    "unconscious": conditions.UNCONSCIOUS,
    "dead": conditions.DEAD,
    "stunned": conditions.STUNNED,
    "helpless": "paralysed",
    "hidden": arms.HIDDEN,
}


def describe(who: Character, campaign: CampaignState) -> Passport:
    """Write a character's passport."""
    settings = Settings.of(campaign)
    item, armour = equipment.worn(who, arms.ARMOURS)
    most = hit_points.max_hp(who, settings)
    return Passport(
        max_hp=most,
        dies_at=-most,
        level=who.level,
        modifiers={ability: abilities.bonus(who, ability) for ability in ABILITIES},
        armour_class=sum(term.amount for term in arms.lasting_armour_terms(who, settings)),
        is_entered=equipment.ARMOUR_CLASS in who.stats,
        armour="heavy" if armour.key == "superheavy" else armour.key,
        worn=item,
        shield=equipment.shield_of(who),
        weapons={weapon.item: weapon.kind.meaning for weapon in arms.held_weapons(who)},
        attack=_best_attack(who, settings),
        speed=turns.speed(campaign, who),
        luck=max(held(who), 0),
        conditions=crossing.shared_conditions(who, LOCALLY),
    )


def _best_attack(who: Character, settings: Settings) -> int:
    attacks = (arms.attack_terms(who, weapon, settings, TO_HIT) for weapon in arms.weapons_of(who))
    return max(sum(term.amount for term in terms) for terms in attacks)


def score_for(wanted: int) -> int:
    """A score with this modifier; the lowest score for modifiers below the table."""
    if wanted <= abilities.BANDS[0].modifier:
        return abilities.BANDS[0].lowest
    band = next((band for band in abilities.BANDS if band.modifier == wanted), None)
    if band is None:
        return 2 * (wanted + 6)
    return (band.lowest + band.highest) // 2


def set_modifier(table: Table, name: str, ability: str, amount: int) -> None:
    """Change a score until its modifier is this one; a score that has it already stays."""
    stats = table.character(name).stats
    if ability not in stats or abilities.modifier(stats[ability]) != amount:
        crossing.bring_stat(table, name, ability, score_for(amount))


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Enter gear, then a level by this game's table, or the numbers of those without levels."""
    equipment.give(table, name, crossing.gear_for(passport, weapons=WEAPONS), count=0)
    who = table.character(name)
    has_levels = who.kind is events.CharacterKind.PLAYER_CHARACTER or passport.level > 0
    if has_levels:
        _take_level(table, name)
    if passport.is_entered or not has_levels:
        _enter_hp(table, name, passport.max_hp)
    if passport.is_entered:
        _enter_defence(table, name, passport)
    if not has_levels:
        missing = passport.attack - _best_attack(table.character(name), Settings.of(table))
        if missing:
            crossing.bring_stat(table, name, TO_HIT, missing)
    if who.kind is events.CharacterKind.PLAYER_CHARACTER:
        offer_heritage_and_roles(table, name)


def _take_level(table: Table, name: str) -> None:
    """The level by experience, with 3.5 hit points a die, because no dice are rolled; picks stay open."""
    level = experience.level_for(table.character(name).experience, Settings.of(table))
    levels.set_level(table, name, level)
    crossing.bring_stat(table, name, hit_points.HIT_DICE, min(level, experience.LAST_DIE) * 7 // 2)
    for each in picks_up_to(level):
        offer_pick(table, name, each)


def _enter_hp(table: Table, name: str, most: int) -> None:
    who = table.character(name)
    missing = most - hit_points.derived_hp(who, Settings.of(table))
    if missing:
        crossing.bring_stat(table, name, hit_points.MAX_HP, who.stats.get(hit_points.MAX_HP, 0) + missing)


def _enter_defence(table: Table, name: str, passport: Passport) -> None:
    shield = 1 if equipment.shield_of(table.character(name)) else 0
    crossing.bring_stat(table, name, equipment.ARMOUR_CLASS, passport.armour_class - shield)
    if passport.speed not in crossing.HUMAN_SPEED:
        crossing.bring_stat(table, name, turns.SPEED_BASE, max(passport.speed, 0))


def luck_cap(who: Character, campaign: CampaignState) -> int:
    """The most story tokens: as many as levels, or any number where the table has no cap (R0.94, Q0.35)."""
    return max(who.level, 0) if Settings.of(campaign).token_cap == "level" else 1_000_000  # noqa: S105 - a story token


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=set_modifier,
    luck=TOKEN,
    luck_cap=luck_cap,
    conditions=LOCALLY,
    levels=Levels(
        experience_for=lambda level, _: experience.row(level).experience,
        highest=lambda campaign: experience.highest_level(Settings.of(campaign)),
    ),
    weapons={**WEAPONS, UNARMED: arms.UNARMED},
    weapon_words={**{key: row.meaning for key, row in arms.CLASSES.items()}, arms.UNARMED: UNARMED},
)
