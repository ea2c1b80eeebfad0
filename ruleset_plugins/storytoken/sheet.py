"""The sheet: what a character comes to, every number with the terms that it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ruleset_plugins import Campaign, Character, Sheet, Term, Value, summed
from ruleset_plugins.storytoken.abilities import ABILITIES, NAMES, bonus, score
from ruleset_plugins.storytoken.armour import armour_terms
from ruleset_plugins.storytoken.experience import next_threshold
from ruleset_plugins.storytoken.initiative import initiative_terms
from ruleset_plugins.storytoken.injury import max_hp_terms, status
from ruleset_plugins.storytoken.settings import Settings, house_of
from ruleset_plugins.storytoken.speed import speed_terms
from ruleset_plugins.storytoken.task_rolls import written
from ruleset_plugins.storytoken.tokens import TOKEN
from ruleset_plugins.storytoken.traits import ATTITUDE, chosen_ability, heritage_of, roles_of, topic_terms
from ruleset_plugins.storytoken.weapons import attack_terms, damage_dice, weapons_of

ABILITY_GROUP, DEFENCE, ATTACKS, TOPIC_GROUP, PROGRESS = "Abilities", "Body", "Attacks", "Topics", "Progress"


def sheet(who: Character, campaign: Campaign) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = house_of(campaign)
    return Sheet(
        character=who.id,
        name=who.name,
        title=_title(who),
        values=tuple(_values(who, settings)),
        words=tuple(_words(who, settings)),
    )


def _title(who: Character) -> str:
    heritage = heritage_of(who).name
    level = f"level {who.level}" if who.level else str(who.kind)
    return f"{heritage}, {level}" if heritage else level


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    for ability in ABILITIES:
        yield _ability(who, ability)
    yield from _body(who, settings)
    yield from _attacks(who, settings)
    yield from _topics(who, settings)
    yield from _progress(who, settings)


def _ability(who: Character, ability: str) -> Value:
    amount = score(who, ability)
    terms = (Term(amount, NAMES[ability], "R0.6", f"stat.{ability}"),)
    return Value(ability, ability.upper(), amount, f"{amount} ({bonus(who, ability):+d})", terms, ABILITY_GROUP)


def _body(who: Character, settings: Settings) -> Iterator[Value]:
    yield summed("ac", "Armour class", tuple(armour_terms(who, settings)), group=DEFENCE)
    most = summed("max_hp", "Maximum hit points", tuple(max_hp_terms(who, settings)), group=DEFENCE)
    left = most.amount - who.lost
    terms = (Term(most.amount, "maximum", "R0.50"), Term(-who.lost, "lost", "R0.52", "lost"))
    yield Value("hp", "Hit points", left, f"{left} of {most.amount}", terms, DEFENCE)
    yield most
    feet = summed("speed", "Speed", tuple(speed_terms(who, settings)), group=DEFENCE)
    yield Value("speed", "Speed", feet.amount, f"{feet.amount} ft", feet.terms, DEFENCE)
    yield summed("initiative", "Initiative", tuple(initiative_terms(who)), group=DEFENCE, signed=True)


def _attacks(who: Character, settings: Settings) -> Iterator[Value]:
    weapons = weapons_of(who)
    for place, weapon in enumerate((weapons[0], *weapons)):
        suffix, name = (f":{weapon.item}", f" with {weapon.item}") if place else ("", "")
        hit = tuple(attack_terms(who, weapon, settings, "to_hit"))
        yield summed(f"to_hit{suffix}", f"To hit{name}", hit, group=ATTACKS, signed=True)
        harm = tuple(attack_terms(who, weapon, settings, "damage"))
        shown = written(damage_dice(weapon, settings), (Term(sum(term.amount for term in harm), ""),))
        total = sum(term.amount for term in harm)
        yield Value(f"damage{suffix}", f"Damage{name}", total, shown.replace("[]", ""), harm, ATTACKS)


def _topics(who: Character, settings: Settings) -> Iterator[Value]:
    for role in roles_of(who):
        if role.topic_bonus:
            terms = topic_terms(who, role.key, settings)
            yield summed(f"topic:{role.key}", role.name, terms, group=TOPIC_GROUP, signed=True)
    heritage = heritage_of(who)
    for topic in heritage.topics:
        yield summed(f"topic:{topic}", topic, topic_terms(who, topic, settings), group=TOPIC_GROUP, signed=True)


def _progress(who: Character, settings: Settings) -> Iterator[Value]:
    if who.level:
        yield Value(
            "level", "Level", who.level, terms=(Term(who.level, "levels gained", "R0.138", "level"),), group=PROGRESS
        )
        points = who.experience
        yield Value(
            "xp", "Experience", points, f"{points:,}", (Term(points, "awards", "R0.112", "experience"),), PROGRESS
        )
        threshold = next_threshold(who.level, settings)
        if threshold is not None:
            yield Value("next_level", "Next level at", threshold, f"{threshold:,}", group=PROGRESS)
    tokens = who.pools.get(TOKEN, 0)
    yield Value(
        "tokens", "Story tokens", tokens, terms=(Term(tokens, "held", "R0.93", f"pool.{TOKEN}"),), group=PROGRESS
    )


def _words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "Status", status(who, settings)
    heritage = heritage_of(who)
    if heritage.key:
        yield "Heritage", f"{heritage.name}. {_heritage_words(who)}"
    for role in roles_of(who):
        yield role.name, role.told(who.level, settings)
    attitudes = who.traits_of(ATTITUDE)
    if attitudes:
        yield "Attitude", attitudes[-1]
    if who.conditions:
        yield (
            "Conditions",
            ", ".join(_condition(condition.name, condition.detail) for condition in who.conditions.values()),
        )
    held = [f"{item} x {gear.count}" if gear.count > 1 else item for item, gear in who.gear.items() if gear.count > 0]
    if held:
        yield "Gear", ", ".join(held)
    if who.choices:
        yield "Open choices", ", ".join(who.choices)


def _condition(name: str, detail: str) -> str:
    return f"{name} ({detail})" if detail else name


@lru_cache(maxsize=256)
def _excels(abilities: tuple[str, ...], kinds: tuple[str, ...]) -> str:
    named = " and ".join(NAMES[ability] for ability in abilities)
    what = "task rolls" if "task" in kinds else "checks and saves"
    return f"advantage on {named} {what}"


def _heritage_words(who: Character) -> str:
    heritage = heritage_of(who)
    ability = chosen_ability(who)
    excels = heritage.advantage or ((ability,) if ability else ())
    gifts = [
        _excels(excels, heritage.advantage_on) if excels else "",
        f"armour class {heritage.armour_class:+d}" if heritage.armour_class else "",
        f"speed {heritage.speed:+d} ft" if heritage.speed else "",
        f"sees {heritage.darkvision} ft in the dark" if heritage.darkvision else "",
    ]
    told = ", ".join(gift for gift in gifts if gift)
    return f"{heritage.words} {told.capitalize()}." if told else heritage.words
