"""The sheet of a character, in numbers with their terms and in words."""

from collections.abc import Iterator
from functools import lru_cache

from rollbook.kit import ability_scores, d20, sheet_lines
from rollbook.kit.clock import DAY, HOUR, MINUTE
from rollbook.plugin import ABILITIES, CampaignState, Character, Condition, Sheet, Term, Value, summed
from rollbook.rulesets.storytoken.body import conditions, hit_points
from rollbook.rulesets.storytoken.character import abilities, experience, heritages, role_powers, roles
from rollbook.rulesets.storytoken.fight import arms, encounter, turns
from rollbook.rulesets.storytoken.magic.spells import TRADITIONS, innate_spell, known_spells, said_effects
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.story.social import ATTITUDE
from rollbook.rulesets.storytoken.story.tokens import TOKEN

ABILITY_GROUP, DEFENCE, ATTACKS, TOPIC_GROUP, POWER_GROUP, PROGRESS = (
    "Abilities", "Body", "Attacks", "Topics", "Powers", "Progress",
)  # fmt: skip


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = Settings.of(campaign)
    heritage, level = heritages.heritage_of(who).name, f"level {who.level}" if who.level else str(who.kind)
    title = f"{heritage}, {level}" if heritage else level
    return sheet_lines.sheet(who, title, _values(who, settings), _words(who, settings))


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    for ability in ABILITIES:
        score, bonus = abilities.score(who, ability), abilities.bonus(who, ability)
        yield ability_scores.score_value(ability, score, bonus, "R0.6", group=ABILITY_GROUP)
    yield from _body(who, settings)
    yield from _attacks(who, settings)
    topics = [(role.key, role.name) for role in roles.roles_of(who) if role.topic_bonus]
    for topic, name in (*topics, *((topic, topic) for topic in heritages.heritage_of(who).topics)):
        yield summed(f"topic:{topic}", name, roles.topic_terms(who, topic, settings), group=TOPIC_GROUP, signed=True)
    for key, name in roles.POWERS.items():
        terms = tuple(roles.role_terms(who, key, settings))
        if terms:
            yield summed(key, name, terms, group=POWER_GROUP)
    yield from _progress(who, settings)


def _body(who: Character, settings: Settings) -> Iterator[Value]:
    yield summed("ac", "Armour class", tuple(arms.armour_terms(who, settings)), group=DEFENCE)
    most = summed("max_hp", "Maximum hit points", tuple(hit_points.max_hp_terms(who, settings)), group=DEFENCE)
    yield sheet_lines.hit_points(who, most.amount, rules=("R0.50", "R0.52"), group=DEFENCE)
    yield most
    if who.has(conditions.EMBODIED):
        body = who.pools.get(hit_points.BODY, 0)
        left = (Term(body, "left", "R0.153", f"pool.{hit_points.BODY}"),)
        yield Value("body", "Conjured body", body, terms=left, group=DEFENCE)
    feet = summed("speed", "Speed", tuple(turns.speed_terms(who, settings)), group=DEFENCE)
    yield Value("speed", "Speed", feet.amount, f"{feet.amount} ft", feet.terms, DEFENCE)
    yield summed("initiative", "Initiative", tuple(encounter.initiative_terms(who)), group=DEFENCE, signed=True)


def _attacks(who: Character, settings: Settings) -> Iterator[Value]:
    for suffix, name, weapon in sheet_lines.unnamed_then_named(arms.weapons_of(who)):
        hit = (*arms.attack_terms(who, weapon, settings, "to_hit"), *conditions.bonus_terms(who, ("attack",)))
        yield summed(f"to_hit{suffix}", f"To hit{name}", hit, group=ATTACKS, signed=True)
        harm = tuple(arms.attack_terms(who, weapon, settings, "damage"))
        shown = d20.notation(arms.damage_dice(weapon, settings), (Term(sum(term.amount for term in harm), ""),))
        total = sum(term.amount for term in harm)
        yield Value(f"damage{suffix}", f"Damage{name}", total, shown.replace("[]", ""), harm, ATTACKS)


def _progress(who: Character, settings: Settings) -> Iterator[Value]:
    if who.level:
        yield sheet_lines.level(who, rule="R0.138", group=PROGRESS)
        yield sheet_lines.experience(who, rule="R0.112", group=PROGRESS)
        threshold = experience.next_threshold(who.level, settings)
        if threshold is not None:
            yield Value("next_level", "Next level at", threshold, f"{threshold:,}", group=PROGRESS)
    tokens = who.pools.get(TOKEN, 0)
    held = (Term(tokens, "held", "R0.93", f"pool.{TOKEN}"),)
    yield Value("tokens", "Story tokens", tokens, terms=held, group=PROGRESS)


def _words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "Status", hit_points.status(who, settings)
    heritage = heritages.heritage_of(who)
    if heritage.key:
        yield "Heritage", f"{heritage.name}. {_heritage_words(who)}"
    for role in roles.roles_of(who):
        yield role.name, role.describe(who.level, settings)
    yield from _power_words(who, settings)
    yield "Attitude", "".join(who.traits_of(ATTITUDE)[-1:])
    yield "Bearings", role_powers.bearings(who)
    held = who.conditions.values()
    shown = (each for each in held if conditions.text(each, conditions.STATE) != conditions.TRAVELLED)
    yield "Conditions", ", ".join(map(_condition_words, shown))
    yield from sheet_lines.gear(who)
    yield from sheet_lines.open_choices(who)


def _power_words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    for tradition in TRADITIONS:
        yield f"{tradition.title()} spells", ", ".join(spell.title for spell in known_spells(who, tradition))
    yield "Spell effects", "; ".join(said_effects(who))
    yield "Inborn spell", innate_spell(who)
    if role_powers.gadgets_held(who):
        yield "Gadgets", f"{role_powers.gadgets_held(who)} of {roles.power(who, 'gadgets', settings)} are out"


def _condition_words(condition: Condition) -> str:
    until = f"until {moment(condition.until)}" if condition.until > 0 else ""
    about = ", ".join(part for part in (condition.detail, until) if part)
    return sheet_lines.with_detail(condition.name, about)


def moment(clock: int) -> str:
    """A moment of the campaign's clock: ``day 2, 00:20``. It stays the same while time goes by, and so does the sheet."""
    day, second = divmod(clock, DAY)
    time = f"{second // HOUR:02}:{second % HOUR // MINUTE:02}"
    return f"day {day + 1}, {time}" + (f":{second % MINUTE:02}" if second % MINUTE else "")


@lru_cache(maxsize=256)
def _excels(abilities: tuple[str, ...], kinds: tuple[str, ...]) -> str:
    named = " and ".join(ability_scores.NAMES[ability] for ability in abilities)
    what = "task rolls" if "task" in kinds else "checks and saves"
    return f"advantage on {named} {what}"


def _heritage_words(who: Character) -> str:
    heritage = heritages.heritage_of(who)
    ability = heritages.chosen_ability(who) if not heritage.forms else ""
    excels = tuple(each for each in (heritage.advantage or (ability,)) if each in ability_scores.NAMES)
    gifts = [
        _excels(excels, heritage.advantage_on) if excels else "",
        f"armour class {heritage.armour_class:+d}" if heritage.armour_class else "",
        f"speed {heritage.speed:+d} ft" if heritage.speed else "",
        f"is in {heritages.form_of(who)} form" if heritage.forms else "",
        f"sees {heritage.darkvision} ft in the dark" if heritage.darkvision else "",
    ]
    listed = ", ".join(gift for gift in gifts if gift)
    return f"{heritage.words} {listed.capitalize()}." if listed else heritage.words
