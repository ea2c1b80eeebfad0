"""storytoken: light d20 rules with story tokens, heritages and roles."""

from rollbook.kit import vocabulary
from rollbook.plugin import ABILITIES, Ruleset
from rollbook.rulesets.storytoken.board import board
from rollbook.rulesets.storytoken.body import afflictions, conditions, harm, hit_points, time_passing
from rollbook.rulesets.storytoken.character import creation, heritage_powers, heritages, levels, role_powers, roles
from rollbook.rulesets.storytoken.crossing import CROSSING
from rollbook.rulesets.storytoken.fight import arms, attack, encounter, movement, turns
from rollbook.rulesets.storytoken.magic import casting, spells, turning
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.sheet import sheet
from rollbook.rulesets.storytoken.story import social, spending, tokens
from rollbook.rulesets.storytoken.tasks import checks, saves, task_rolls

__all__ = ["RULESET"]

TASKS = (checks.Check, saves.Save, checks.Oppose)
INJURY = (attack.Attack, harm.Hazard, harm.Harm, harm.Heal)
CONDITIONS = (afflictions.Afflict, afflictions.Relieve, afflictions.Escape, afflictions.PutOut)
FIGHT = (
    *(encounter.BeginEncounter, encounter.JoinEncounter, movement.SetDistance, movement.Move),
    *(encounter.EndTurn, encounter.EndEncounter),
)
TOKENS = (spending.SpendToken, spending.TemptFate, spending.OwnSetback)
BARGAINS = (tokens.OfferBargain, tokens.Bargain, spending.Complicate)
PEOPLE = (social.Influence, social.SetAttitude)
ROLES = (role_powers.Inspire, role_powers.Investigate, role_powers.Gadget, role_powers.Rage, role_powers.Manoeuvre)
HERITAGES = (heritage_powers.ChangeForm, heritage_powers.Manifest, heritage_powers.Promise)
MAGIC = (turning.TurnUndead, spells.LearnSpell, spells.SetSpellEffects, casting.Cast)

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
"""The words that the rules of this game compare."""

RULESET = Ruleset(
    key="storytoken",
    title="Story Token",
    version="3",
    summary="Light d20 rules: six abilities, 25 levels, heritages and roles, and tokens that bend the story.",
    actions=(
        *(
            creation.BringIn,
            creation.Join,
            *TASKS,
            *INJURY,
            *CONDITIONS,
            *FIGHT,
            conditions.TakeTime,
            role_powers.Travel,
        ),
        *(*TOKENS, *BARGAINS, *PEOPLE, *ROLES, *HERITAGES, *MAGIC, levels.Choose),
    ),
    sheet=sheet,
    settings=Settings,
    second_thoughts=task_rolls.SECOND_THOUGHTS,
    session_opened=tokens.session_opened,
    time_passed=time_passing.time_passed,
    experience_awarded=levels.experience_awarded,
    character_changed=hit_points.after_change,
    crossing=CROSSING,
    round_seconds=lambda table: Settings.of(table).round_seconds,
    board=board,
    vocabulary=VOCABULARY,
    condition_words=conditions.condition_words,
    overview=("hp", "ac", "xp", "tokens", "Status", "Conditions"),
)
