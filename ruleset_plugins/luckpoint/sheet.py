"""The sheet of a character: every number with the terms that it is made of."""

from collections.abc import Iterator

import attrs

from rollbook.kit import ability_scores, sheet_lines
from rollbook.plugin import ABILITIES, CampaignState, Character, Sheet, Term, Value, counted, summed
from rollbook.rulesets.luckpoint import arms, checks, encounter, hit_points, luck, movement
from rollbook.rulesets.luckpoint.abilities import (
    ability_term,
    can_succeed,
    listed_skills,
    named,
    points,
    rating_terms,
    special_abilities_of,
    word,
)
from rollbook.rulesets.luckpoint.levels import level_row, next_threshold
from rollbook.rulesets.luckpoint.settings import Settings

CRITICALLY = ": no task actions, a metre of crawling a round, no more than a whisper"
"""The effects of being critical, in words (R1.46)."""

ABILITY_GROUP, SKILL_GROUP, BODY, ATTACKS, PROGRESS = "Abilities", "Skills", "Body", "Attacks", "Progress"


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = Settings.of(campaign)
    title = f"level {who.level}" if who.level else str(who.kind)
    return sheet_lines.sheet(who, title, _values(who, settings), _words(who))


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    for ability in ABILITIES:
        term = attrs.evolve(ability_term(who, ability), label=ability_scores.NAMES[ability])
        shown = f"{term.amount:+d} ({word(term.amount)})"
        yield Value(ability, ability.upper(), term.amount, shown, (term,), ABILITY_GROUP)
    for key in listed_skills(who):
        yield _skill(who, key)
    yield from _body(who)
    yield from _attacks(who, settings)
    yield from _progress(who, settings)


def _skill(who: Character, key: str) -> Value:
    terms = tuple(rating_terms(who, key))
    amount = sum(term.amount for term in terms)
    shown = f"{amount:+d}" if can_succeed(who, key) else f"{amount:+d} (no points: cannot succeed)"
    return Value(key, named(key), amount, shown, terms, SKILL_GROUP)


def _body(who: Character) -> Iterator[Value]:
    yield summed("ac", "Armour class", tuple(arms.armour_terms(who)), group=BODY)
    most = summed("max_hp", "Maximum hit points", tuple(hit_points.max_hp_terms(who)), group=BODY)
    yield sheet_lines.hit_points(who, most.amount, rules=("R1.42", "R1.43"), group=BODY)
    yield most
    yield summed("healing", "Healing an hour", tuple(hit_points.healing_terms(who)), group=BODY)
    yield from _paces(who)
    for special in special_abilities_of(who):
        if special.sight:
            terms = (Term(special.sight, special.name, special.rule, special.path),)
            yield Value(special.key, special.name, special.sight, movement.in_both(special.sight), terms, BODY)
    yield summed("initiative", "Initiative", tuple(encounter.initiative_terms(who)), group=BODY, signed=True)


def _paces(who: Character) -> Iterator[Value]:
    """Metres a round with an action, at a run, and where the going is hard; those who are critical crawl (R1.46)."""
    if who.has(hit_points.CRITICAL):
        crawl = (Term(movement.CRAWL, hit_points.CRITICAL, "R1.46", f"condition.{hit_points.CRITICAL}"),)
        yield Value("speed", "Speed", movement.CRAWL, movement.in_both(movement.CRAWL), crawl, BODY)
        return
    pace = summed("speed", "Speed", tuple(movement.speed_terms(who)), group=BODY)
    yield Value("speed", "Speed", pace.amount, movement.in_both(pace.amount), pace.terms, BODY)
    for key, title, rule, metres in (
        ("run", "Running", "R1.16", 2 * pace.amount),
        ("hard_going", "Hard going", "R1.17", pace.amount // 2),
    ):
        yield Value(key, title, metres, movement.in_both(metres), (Term(metres, f"speed {pace.amount}", rule),), BODY)


def _attacks(who: Character, settings: Settings) -> Iterator[Value]:
    hit = tuple(arms.to_hit_terms(who))
    yield summed("to_hit", "To hit", hit, group=ATTACKS, signed=True)
    for suffix, name, weapon in sheet_lines.unnamed_then_named(arms.weapons_of(who)):
        harm = tuple(arms.damage_terms(who, weapon, settings))
        total = sum(term.amount for term in harm)
        shown = f"{weapon.kind.dice}{total:+d}" if total else weapon.kind.dice
        yield Value(f"damage{suffix}", f"Damage{name}", total, shown, harm, ATTACKS)


def _progress(who: Character, settings: Settings) -> Iterator[Value]:
    if who.level:
        yield sheet_lines.level(who, rule="R1.60", group=PROGRESS)
        yield sheet_lines.experience(who, rule="R1.60", group=PROGRESS)
        threshold = next_threshold(who.level, settings)
        if threshold is not None:
            yield Value("next_level", "Next level at", threshold, f"{threshold:,}", group=PROGRESS)
        yield from _spent(who)
    if luck.has_luck(who) or luck.held(who):
        terms = (Term(luck.held(who), "held", "R1.13", f"pool.{luck.LUCK}"),)
        yield Value("luck", "Luck points", luck.held(who), f"{luck.held(who)} of {luck.luck_cap(who)}", terms, PROGRESS)


def _spent(who: Character) -> Iterator[Value]:
    """The points that lie in abilities and in skills, and how many of them levels have brought (R1.65)."""
    levels = [level_row(level) for level in range(1, level_row(who.level).level + 1)]
    abilities = tuple(ability_term(who, key) for key in ABILITIES)
    skills = tuple(Term(points(who, key), named(key), "R1.65", f"stat.{key}") for key in listed_skills(who))
    for key, title, terms, brought in (
        ("ability_points", "Ability points", abilities, sum(each.ability for each in levels)),
        ("skill_points", "Skill points", skills, sum(each.skills for each in levels)),
    ):
        total = sum(term.amount for term in terms)
        yield Value(key, title, total, f"{total} ({brought} by levels)" if brought else "", terms, PROGRESS)


def _words(who: Character) -> Iterator[tuple[str, str]]:
    yield "Wounds", f"{hit_points.tier(who).value}{CRITICALLY if who.has(hit_points.CRITICAL) else ''}"
    if luck.luck_per_hour(who) > 1:
        yield "Luck", f"{counted(luck.luck_per_hour(who), 'point')} an hour"
    yield "Special", "; ".join(f"{each.name}: {each.words}" for each in special_abilities_of(who))
    yield "Under way", ", ".join(f"{task}: {done}" for task, done in checks.tasks_of(who))
    yield from sheet_lines.conditions(who)
    yield from sheet_lines.gear(who)
    yield from sheet_lines.open_choices(who)
