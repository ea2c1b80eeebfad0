"""The sheet: what a character comes to, every number with the terms that it is made of (R1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset_plugins import ABILITIES, Campaign, Character, Sheet, Term, Value, summed, written
from ruleset_plugins.luckpoint.armour import armour_terms
from ruleset_plugins.luckpoint.creation import BUDGETS, METHOD, STANDARD
from ruleset_plugins.luckpoint.levels import LEVELS, next_threshold
from ruleset_plugins.luckpoint.luck import LUCK, an_hour, cap, held
from ruleset_plugins.luckpoint.movement import pace_terms
from ruleset_plugins.luckpoint.rounds import initiative_terms
from ruleset_plugins.luckpoint.settings import Settings, house_of
from ruleset_plugins.luckpoint.skills import NAMES, SKILLS, known_skills, modifier, terms_of, word
from ruleset_plugins.luckpoint.specials import SPECIAL, specials_of
from ruleset_plugins.luckpoint.weapons import CLASSES, Weapon, damage_terms, held_weapons
from ruleset_plugins.luckpoint.wounds import healing_per_hour, max_hp, max_hp_terms, tier

ABILITY_GROUP, SKILL_GROUP, BODY, ATTACKS, PROGRESS = "Abilities", "Skills", "Body", "Attacks", "Progress"


def sheet(who: Character, campaign: Campaign) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = house_of(campaign)
    return Sheet(
        character=who.id,
        name=who.name,
        title=f"level {who.level}" if who.level else str(who.kind),
        values=tuple(_values(who, settings)),
        words=tuple(_words(who)),
    )


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    for ability in ABILITIES:
        amount = modifier(who, ability)
        term = Term(amount, NAMES[ability], "R1.35", f"stat.{ability}")
        yield Value(ability, ability.upper(), amount, f"{amount:+d} {word(amount)}", (term,), ABILITY_GROUP)
    for skill in known_skills(who):
        yield summed(skill.key, skill.name, terms_of(who, skill.key), group=SKILL_GROUP, signed=True)
    yield from _body(who)
    yield from _attacks(who, settings)
    yield from _progress(who, settings)


def _body(who: Character) -> Iterator[Value]:
    yield summed("ac", "Armour class", tuple(armour_terms(who)), group=BODY)
    most = max_hp(who)
    left = most - who.lost
    terms = (Term(most, "maximum", "R1.42"), Term(-who.lost, "lost", "R1.48", "lost"))
    yield Value("hp", "Hit points", left, f"{left} of {most}", terms, BODY)
    yield Value("max_hp", "Maximum hit points", most, terms=_exactly(most, max_hp_terms(who)), group=BODY)
    metres = _exactly_positive(pace_terms(who))
    pace = sum([term.amount for term in metres])
    yield Value("speed", "Speed", pace, f"{pace} m", metres, BODY)
    yield summed("initiative", "Initiative", initiative_terms(who), group=BODY, signed=True)
    yield Value("healing", "Healing an hour", healing_per_hour(who), group=BODY)
    sight = next((special for special in specials_of(who) if special.darkvision), None)
    if sight is not None:
        term = Term(sight.darkvision, sight.name, sight.rule, f"trait.{sight.key}")
        yield Value("darkvision", "Darkvision", sight.darkvision, f"{sight.darkvision} m", (term,), BODY)


def _exactly(total: int, terms: list[Term]) -> tuple[Term, ...]:
    """Terms that add up to a total which has a floor."""
    missing = total - sum([term.amount for term in terms])
    return (*terms, Term(missing, "at least")) if missing else tuple(terms)


def _exactly_positive(terms: list[Term]) -> tuple[Term, ...]:
    return _exactly(max(sum([term.amount for term in terms]), 0), terms)


def _attacks(who: Character, settings: Settings) -> Iterator[Value]:
    yield summed("to_hit", "To hit", terms_of(who, "maneuvers"), group=ATTACKS, signed=True)
    held = held_weapons(who) or [Weapon(CLASSES[key].name, CLASSES[key]) for key in ("light", "medium", "heavy")]
    for weapon in held:
        terms = tuple(damage_terms(who, weapon, settings))
        total = sum([term.amount for term in terms])
        shown = written(weapon.kind.dice, (Term(total, ""),)).replace(" ", "")
        yield Value(f"damage:{weapon.item}", f"Damage with {weapon.item}", total, shown, terms, ATTACKS)


def _progress(who: Character, settings: Settings) -> Iterator[Value]:
    most = cap(who)
    luck = (Term(held(who), "luck points", "R1.13", f"pool.{LUCK}"),)
    yield Value("luck", "Luck", held(who), f"{held(who)} of {most}, {an_hour(who)} an hour", luck, PROGRESS)
    yield Value(
        "level", "Level", who.level, terms=(Term(who.level, "levels gained", "R1.60", "level"),), group=PROGRESS
    )
    goal = next_threshold(who, settings)
    shown = f"{who.experience:,} of {goal:,}" if goal else f"{who.experience:,}"
    terms = (Term(who.experience, "awards", "R1.60", "experience"),)
    yield Value("xp", "Experience", who.experience, shown, terms, PROGRESS)
    if who.traits_of(METHOD):
        yield from _spent(who)


def _spent(who: Character) -> Iterator[Value]:
    """The points that lie in abilities and skills, of those that creation and levels gave (R1.65)."""
    rows = [row for row in LEVELS if row.level <= who.level]
    method = who.traits_of(METHOD)[0]
    given = BUDGETS.get(method, BUDGETS[STANDARD]) - len(who.traits_of(SPECIAL)) + sum(row.abilities for row in rows)
    spent = tuple(Term(modifier(who, ability), NAMES[ability], "R1.65", f"stat.{ability}") for ability in ABILITIES)
    total = sum(term.amount for term in spent)
    yield Value("ability_points", "Ability points", total, f"{total} of {given}", spent, PROGRESS)
    put = [(skill, who.stats.get(skill.stat, 0)) for skill in SKILLS.values()]
    terms = tuple(Term(many, skill.name, "R1.65", f"stat.{skill.stat}") for skill, many in put if many)
    points = sum(term.amount for term in terms)
    allowed = 2 + sum(row.skills for row in rows)
    yield Value("skill_points", "Skill points", points, f"{points} of {allowed}", terms, PROGRESS)


def _words(who: Character) -> Iterator[tuple[str, str]]:
    yield "Status", tier(who)
    if who.traits_of(SPECIAL):
        yield "Special", "; ".join(f"{special.name}: {special.words}" for special in specials_of(who))
    if who.conditions:
        yield "Conditions", ", ".join(who.conditions)
    held_things = {item: gear.count for item, gear in who.gear.items() if gear.count > 0}
    if held_things:
        yield "Gear", ", ".join(f"{item} x {count}" if count > 1 else item for item, count in held_things.items())
    for choice, options in who.choices.items():
        few = ", ".join(options[:8]) + (" …" if len(options) > 8 else "")
        yield f"Open: {choice}", few or "to be said"
