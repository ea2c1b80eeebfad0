"""The words that the rules of this game compare."""

from rollbook.kit import vocabulary
from rollbook.plugin import ABILITIES
from rollbook.rulesets.storytoken.body import conditions, harm, hit_points
from rollbook.rulesets.storytoken.character import heritages, role_powers, roles
from rollbook.rulesets.storytoken.fight import arms, turns
from rollbook.rulesets.storytoken.magic import casting, spells, turning
from rollbook.rulesets.storytoken.story import social
from rollbook.rulesets.storytoken.tasks import checks

VOCABULARY = vocabulary.of_game(
    uses=(
        *(*arms.ARMOURS, *arms.CLASSES, arms.TECH, *(band.key for band in arms.BANDS)),
        *(*harm.MENDING, turning.HOLY_SYMBOL, role_powers.GADGET),
        *(checks.SPECIALIZED, *checks.MADE_FOR, *(topic for topic in roles.TOPICS if topic)),
    ),
    conditions=(*conditions.CONDITIONS, *map(conditions.impaired, ABILITIES), hit_points.SLAIN),
    damages=(hit_points.MAGIC, hit_points.SILVER, hit_points.SUNLIGHT, hit_points.BLOOD),
    traits=(
        *(*heritages.HERITAGES, *roles.ROLES, *spells.SPELLS, *casting.PACTS, *social.TARGETS),
        *(turning.UNDEAD, heritages.BEAST, role_powers.SHIP),
    ),
    kinds=(heritages.HERITAGE, roles.ROLE, spells.SPELL, social.ATTITUDE),
    stats=(
        *(*ABILITIES, "to_hit", "damage", "armour_class", "speed", turns.SPEED_BASE, "initiative"),
        *(hit_points.HIT_DICE, hit_points.MAX_HP, turning.HIT_DICE_COUNT),
    ),
    ladder=checks.LADDER,
)
