"""storytoken: light d20 rules with story tokens, heritages and roles."""

from rollbook.plugin import Ruleset
from rollbook.rulesets.storytoken.board import board
from rollbook.rulesets.storytoken.body import afflictions, conditions, harm, hit_points, time_passing
from rollbook.rulesets.storytoken.character import creation, heritage_powers, levels, role_powers, travel
from rollbook.rulesets.storytoken.crossing import CROSSING
from rollbook.rulesets.storytoken.fight import attack, encounter, movement
from rollbook.rulesets.storytoken.magic import casting, spells, turning
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.sheet import sheet
from rollbook.rulesets.storytoken.story import social, spending, tokens
from rollbook.rulesets.storytoken.tasks import checks, task_rolls
from rollbook.rulesets.storytoken.vocabulary import VOCABULARY

__all__ = ["RULESET"]

TASKS = (checks.Check, checks.Save, checks.Oppose)
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

RULESET = Ruleset(
    key="storytoken",
    title="Story Token",
    version="3",
    summary="Light d20 rules: six abilities, 25 levels, heritages and roles, and tokens that bend the story.",
    actions=(
        *(creation.BringIn, creation.Join, *TASKS, *INJURY, *CONDITIONS, *FIGHT, conditions.TakeTime, travel.Travel),
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
    overview=("hp", "ac", "xp", "tokens", "Status", "Conditions"),
)
