"""The sheet: every number of a character with its terms, and lines in words."""

from collections.abc import Iterator

from ruleset_plugins import CampaignState, Character, OpenChoice, Sheet, Term, Value, summed
from ruleset_plugins.kit import ability_scores, sheet_lines
from ruleset_plugins.russell.character import experience, skills, stat_line, templates
from ruleset_plugins.russell.character.attributes import ATTRIBUTES, bonus, score
from ruleset_plugins.russell.character.levels import is_due
from ruleset_plugins.russell.delve import encumbrance, exploration, light, speed, usage_dice, weariness
from ruleset_plugins.russell.delve.fire import ON_FIRE
from ruleset_plugins.russell.delve.meeting import REACTION
from ruleset_plugins.russell.fight import armour, encounter, weapons
from ruleset_plugins.russell.fight import hit_points as health
from ruleset_plugins.russell.settings import Settings, house
from ruleset_plugins.russell.wealth import hirelings, treasure


def journey_values(who: Character, settings: Settings) -> Iterator[Value]:
    """The numbers of a journey, for the sheet."""
    yield from speed.movement_values(who, settings)
    yield from encumbrance.load_values(who, settings)
    yield from weariness.weariness_values(who)
    yield from usage_dice.usage_values(who)
    yield from hirelings.hireling_values(who)
    yield from treasure.wealth_values(who, settings)


def journey_words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    """The lines of a journey that are not numbers, for the sheet."""
    yield from encumbrance.load_words(who, settings)
    yield from weariness.weariness_words(who)
    yield from light.light_words(who)
    yield from exploration.ongoing_words(who)
    yield from hirelings.hireling_words(who)
    if who.traits_of(REACTION):
        yield "Reaction", who.traits_of(REACTION)[-1]
    if who.has(ON_FIRE):
        yield "Burns", "1d6 at the end of every Round, until a 1 or somebody puts it out (R3.70)"


ATTRIBUTE_GROUP, BODY, FIGHTING, SKILLS, PROGRESS = "Attributes", "Body", "Fighting", "Skills", "Progress"


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = house(campaign)
    return Sheet(
        character=who.id,
        name=who.name,
        title=_title(who),
        values=tuple(_values(who, settings)),
        words=tuple(_words(who, settings)),
    )


def _title(who: Character) -> str:
    primary = templates.primary_class(who)
    if stat_line.has_profile(who):
        return f"{who.kind}, HD {who.stats['hit_dice']}"
    level = f"level {who.level}" if who.level else str(who.kind)
    name = templates.CLASSES[primary].name if primary in templates.CLASSES else primary.capitalize()
    return f"{name}, {level}" if name else level


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    for attribute in ATTRIBUTES:
        amount, modifier = score(who, attribute), bonus(who, attribute)
        yield ability_scores.score_value(attribute, amount, modifier, "R3.1", group=ATTRIBUTE_GROUP)
    yield from _body(who)
    yield from _fighting(who, settings)
    yield from _skills(who)
    yield from journey_values(who, settings)
    yield from _progress(who)


def _body(who: Character) -> Iterator[Value]:
    yield summed("ac", "Armour class", tuple(armour.armour_terms(who)), group=BODY)
    most = summed("max_hp", "Maximum hit points", tuple(health.max_hp_terms(who)), group=BODY)
    yield sheet_lines.hit_points(who, most.amount, rules=("R3.12", "R3.14"), group=BODY)
    yield most
    if stat_line.SAVE in who.stats:
        entered = Term(who.stats[stat_line.SAVE], "as entered", "R3.96", f"stat.{stat_line.SAVE}")
        yield summed("save", "Save", (entered, *templates.effect_terms(who, "save")), group=BODY)
    elif templates.effect_terms(who, "save"):
        yield summed("save_bonus", "To every save", templates.effect_terms(who, "save"), group=BODY, signed=True)


def _fighting(who: Character, settings: Settings) -> Iterator[Value]:
    yield summed("initiative", "Initiative", tuple(encounter.initiative_terms(who)), group=FIGHTING, signed=True)
    yield summed("weapon_skill", "Weapon Skill", tuple(weapons.weapon_skill_terms(who, settings)), group=FIGHTING)
    yield summed("shooting_skill", "Shooting Skill", tuple(weapons.shooting_skill_terms(who)), group=FIGHTING)
    if stat_line.attacks(who) > 1:
        terms = (Term(stat_line.attacks(who), "as entered", "R3.96", "stat.attacks"),)
        yield summed("attacks", "Attacks in a Round", terms, group=FIGHTING)
    for suffix, name, weapon in sheet_lines.unnamed_then_named(weapons.weapons_of(who)):
        hit = tuple(weapons.to_hit_terms(who, weapon, settings))
        yield summed(f"to_hit{suffix}", f"To hit{name}", hit, group=FIGHTING, signed=True)
        harm = tuple(weapons.damage_terms(who, weapon))
        total = sum(term.amount for term in harm)
        shown = f"{weapon.dice} {'+' if total > 0 else '-'} {abs(total)}" if total else weapon.dice
        yield Value(f"damage{suffix}", f"Damage{name}", total, shown, harm, FIGHTING)


def _skills(who: Character) -> Iterator[Value]:
    if stat_line.has_profile(who):
        return
    yield summed("skill_slots", "Skill slots", skills.slot_terms(who), group=SKILLS)
    for name in skills.skills_of(who):
        term, made = skills.rank_term(who, name), skills.marks(who, name)
        shown = f"{term.amount} ({made} mark{'' if made == 1 else 's'})" if made else str(term.amount)
        yield Value(f"skill:{name}", name, term.amount, shown, (term,), SKILLS)


def _progress(who: Character) -> Iterator[Value]:
    if stat_line.has_profile(who):
        terms = (Term(who.stats["hit_dice"], "as entered", "R3.96", "stat.hit_dice"),)
        yield summed("hit_dice", "Hit dice", terms, group=PROGRESS)
        return
    yield sheet_lines.level(who, rule="R3.49", group=PROGRESS)
    yield sheet_lines.experience(who, rule="R3.45", group=PROGRESS)
    threshold = experience.experience_for(who.level + 1)
    next_ = (Term(threshold, f"level {who.level + 1}", "R3.47", "level"),)
    yield Value("next_level", "Next level at", threshold, f"{threshold:,}", next_, PROGRESS)
    cap = (Term(experience.highest_rank(who.level), f"level {who.level}", "R3.26", "level"),)
    yield Value("highest_rank", "Highest rank of a skill", cap[0].amount, terms=cap, group=PROGRESS)


def _words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "Status", "; ".join(health.status_words(who))
    if stat_line.has_profile(who):
        entered = ((short, who.stats[stat]) for stat, short in stat_line.PRINTED.items() if stat in who.stats)
        yield "Profile", " ".join(f"{short} {number}" for short, number in entered)
    for _, ability in templates.abilities(who):
        yield ability.name, ability.words
    if is_due(who) and not stat_line.has_profile(who):
        yield "Level due", f"level {who.level + 1}, after a week of downtime (R3.48)"
    yield from journey_words(who, settings)
    yield from sheet_lines.conditions(who)
    yield from sheet_lines.gear(who)
    if who.choices:
        yield "Open choices", "; ".join(f"{name}: {_options(choice)}" for name, choice in who.choices.items())


def _options(choice: OpenChoice) -> str:
    return ", ".join(sheet_lines.with_detail(option.key, option.label) for option in choice.options)
