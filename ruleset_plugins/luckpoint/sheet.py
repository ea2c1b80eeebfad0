"""The sheet: what a character comes to, every number with the terms that it is made of (R1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset_plugins import Campaign, Character, Sheet, Term, Value, summed, written
from ruleset_plugins.luckpoint.abilities import ABILITIES, NAMES, ability_term, modifier, word
from ruleset_plugins.luckpoint.armour import armour_terms
from ruleset_plugins.luckpoint.distances import in_both
from ruleset_plugins.luckpoint.experience import next_threshold, row
from ruleset_plugins.luckpoint.luck import LUCK, has_luck, held, luck_cap, luck_per_hour
from ruleset_plugins.luckpoint.movement import CRAWL, speed_terms
from ruleset_plugins.luckpoint.settings import Settings, house_of
from ruleset_plugins.luckpoint.sides import initiative_terms
from ruleset_plugins.luckpoint.skills import named, points, rating_terms, skills_of
from ruleset_plugins.luckpoint.special_abilities import specials_of
from ruleset_plugins.luckpoint.weapons import damage_terms, to_hit_terms, weapons_of
from ruleset_plugins.luckpoint.wounds import CRITICAL, healing_terms, max_hp, max_hp_terms, tier

ABILITY_GROUP, SKILL_GROUP, BODY, ATTACKS, PROGRESS = "Abilities", "Skills", "Body", "Attacks", "Progress"
SHOWN_OPTIONS = 8
"""So many options of an open choice stand on the sheet; the others are in the list of skills."""


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
        terms = (ability_term(who, ability),)
        yield Value(ability, NAMES[ability], amount, f"{amount:+d} {word(amount)}", terms, ABILITY_GROUP)
    for skill in skills_of(who):
        yield summed(skill, named(skill), tuple(rating_terms(who, skill)), group=SKILL_GROUP, signed=True)
    yield from _body(who)
    yield from _attacks(who, settings)
    yield from _progress(who, settings)


def _body(who: Character) -> Iterator[Value]:
    most = max_hp(who)
    left = most - who.lost
    terms = (Term(most, "maximum", "R1.42"), Term(-who.lost, "lost", "R1.43", "lost"))
    yield Value("hp", "Hit points", left, f"{left} of {most}", terms, BODY)
    yield summed("max_hp", "Maximum hit points", tuple(max_hp_terms(who)), group=BODY)
    yield summed("healing", "Healing an hour", tuple(healing_terms(who)), group=BODY)
    yield summed("ac", "Armour class", tuple(armour_terms(who)), group=BODY)
    yield summed("initiative", "Initiative", tuple(initiative_terms(who)), group=BODY, signed=True)
    yield from _paces(who)
    for special in specials_of(who):
        if special.sight:
            seen = (Term(special.sight, special.name, special.rule, special.path),)
            yield Value("darkvision", special.name, special.sight, in_both(special.sight), seen, BODY)


def _paces(who: Character) -> Iterator[Value]:
    """How far a round goes: with an action, without one, and where the going is hard."""
    if who.has(CRITICAL):
        crawl = (Term(CRAWL, CRITICAL, "R1.46", f"condition.{CRITICAL}"),)
        yield Value("speed", "Speed", CRAWL, in_both(CRAWL), crawl, BODY)
        return
    terms = tuple(speed_terms(who))
    metres = sum([term.amount for term in terms])
    yield Value("speed", "Speed", metres, in_both(metres), terms, BODY)
    for key, title, rule, amount in (
        ("run", "Running", "R1.16", 2 * metres),
        ("hard_going", "Hard going", "R1.17", metres // 2),
    ):
        yield Value(key, title, amount, in_both(amount), (Term(amount, f"speed {metres}", rule),), BODY)


def _attacks(who: Character, settings: Settings) -> Iterator[Value]:
    yield summed("to_hit", "To hit", tuple(to_hit_terms(who)), group=ATTACKS, signed=True)
    for weapon in weapons_of(who):
        terms = tuple(damage_terms(who, weapon, settings))
        total = sum([term.amount for term in terms])
        shown = written(weapon.kind.dice, (Term(total, ""),)).replace(" ", "")
        yield Value(f"damage:{weapon.item}", f"Damage: {weapon.item}", total, shown, terms, ATTACKS)


def _progress(who: Character, settings: Settings) -> Iterator[Value]:
    if has_luck(who):
        terms = (Term(held(who), "held", "R1.13", f"pool.{LUCK}"),)
        shown = f"{held(who)} of {luck_cap(who)}, {luck_per_hour(who)} an hour"
        yield Value(LUCK, "Luck", held(who), shown, terms, PROGRESS)
    if not (who.level or who.experience):
        return
    yield summed("level", "Level", (Term(who.level, "levels gained", "R1.60", "level"),), group=PROGRESS)
    goal = next_threshold(who.level, settings)
    shown = f"{who.experience:,} of {goal:,}" if goal else f"{who.experience:,}"
    earned = (Term(who.experience, "awards", "R1.60", "experience"),)
    yield Value("xp", "Experience", who.experience, shown, earned, PROGRESS)
    yield from _spent(who)


def _spent(who: Character) -> Iterator[Value]:
    """The points that lie in abilities and in skills, and how many of them levels have brought (R1.65)."""
    levels = [row(level) for level in range(1, row(who.level).level + 1)]
    abilities = tuple(Term(modifier(who, key), NAMES[key], "R1.65", f"stat.{key}") for key in ABILITIES)
    skills = tuple(Term(points(who, key), named(key), "R1.65", f"stat.{key}") for key in skills_of(who))
    for key, title, terms, brought in (
        ("ability_points", "Ability points", abilities, sum(each.ability for each in levels)),
        ("skill_points", "Skill points", skills, sum(each.skills for each in levels)),
    ):
        total = sum(term.amount for term in terms)
        yield Value(key, title, total, f"{total}, levels bring {brought}" if brought else "", terms, PROGRESS)


def _words(who: Character) -> Iterator[tuple[str, str]]:
    status = str(tier(who))
    yield "Status", f"{status}: no task actions, crawls a metre a round, whispers" if who.has(CRITICAL) else status
    if specials_of(who):
        yield "Special ability", "; ".join(f"{special.name} ({special.words})" for special in specials_of(who))
    if who.conditions:
        yield "Conditions", ", ".join(_told(name, held.detail) for name, held in who.conditions.items())
    things = [f"{item} x {gear.count}" if gear.count > 1 else item for item, gear in who.gear.items() if gear.count > 0]
    if things:
        yield "Gear", ", ".join(things)
    for choice, options in who.choices.items():
        more = f" … ({len(options)} in all)" if len(options) > SHOWN_OPTIONS else ""
        yield f"Open choice: {choice}", (", ".join(options[:SHOWN_OPTIONS]) or "anything") + more


def _told(condition: str, detail: str) -> str:
    return f"{condition} ({detail})" if detail else condition
