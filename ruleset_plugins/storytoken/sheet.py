"""The sheet: what a character comes to, every number with the terms that it is made of."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset_plugins import (
    ABILITIES,
    Campaign,
    Character,
    Sheet,
    Term,
    Value,
    experience_value,
    hit_points_value,
    level_value,
    named_after_the_first,
    score_value,
    summed,
    written,
)
from ruleset_plugins.storytoken.abilities import bonus, score
from ruleset_plugins.storytoken.armour import armour_terms
from ruleset_plugins.storytoken.conditions import EMBODIED, bonus_terms
from ruleset_plugins.storytoken.experience import next_threshold
from ruleset_plugins.storytoken.heritages import heritage_of
from ruleset_plugins.storytoken.hit_points import max_hp_terms
from ruleset_plugins.storytoken.roles import POWERS, role_terms, roles_of, topic_terms
from ruleset_plugins.storytoken.rounds import initiative_terms
from ruleset_plugins.storytoken.settings import Settings, house_of
from ruleset_plugins.storytoken.sheet_words import told
from ruleset_plugins.storytoken.speed import speed_terms
from ruleset_plugins.storytoken.spirit_body import BODY
from ruleset_plugins.storytoken.tokens import TOKEN
from ruleset_plugins.storytoken.weapons import attack_terms, damage_dice, weapons_of

ABILITY_GROUP, DEFENCE, ATTACKS, TOPIC_GROUP, POWER_GROUP, PROGRESS = (
    "Abilities", "Body", "Attacks", "Topics", "Powers", "Progress",
)  # fmt: skip


def sheet(who: Character, campaign: Campaign) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = house_of(campaign)
    return Sheet(
        character=who.id,
        name=who.name,
        title=_title(who),
        values=tuple(_values(who, settings)),
        words=tuple(told(who, settings)),
    )


def _title(who: Character) -> str:
    heritage = heritage_of(who).name
    level = f"level {who.level}" if who.level else str(who.kind)
    return f"{heritage}, {level}" if heritage else level


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    for ability in ABILITIES:
        yield score_value(ability, score(who, ability), bonus(who, ability), "R0.6", group=ABILITY_GROUP)
    yield from _body(who, settings)
    yield from _attacks(who, settings)
    yield from _topics(who, settings)
    yield from _powers(who, settings)
    yield from _progress(who, settings)


def _body(who: Character, settings: Settings) -> Iterator[Value]:
    yield summed("ac", "Armour class", tuple(armour_terms(who, settings)), group=DEFENCE)
    most = summed("max_hp", "Maximum hit points", tuple(max_hp_terms(who, settings)), group=DEFENCE)
    yield hit_points_value(who, most.amount, rules=("R0.50", "R0.52"), group=DEFENCE)
    yield most
    if who.has(EMBODIED):
        body = who.pools.get(BODY, 0)
        yield Value("body", "Conjured body", body, terms=(Term(body, "left", "R0.153", f"pool.{BODY}"),), group=DEFENCE)
    feet = summed("speed", "Speed", tuple(speed_terms(who, settings)), group=DEFENCE)
    yield Value("speed", "Speed", feet.amount, f"{feet.amount} ft", feet.terms, DEFENCE)
    yield summed("initiative", "Initiative", tuple(initiative_terms(who)), group=DEFENCE, signed=True)


def _attacks(who: Character, settings: Settings) -> Iterator[Value]:
    for suffix, name, weapon in named_after_the_first(weapons_of(who)):
        hit = (*attack_terms(who, weapon, settings, "to_hit"), *bonus_terms(who, ("attack",)))
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


def _powers(who: Character, settings: Settings) -> Iterator[Value]:
    """What roles give besides topics and weapons, each number with the roles that it comes from."""
    for key, name in POWERS.items():
        terms = tuple(role_terms(who, key, settings))
        if terms:
            yield summed(key, name, terms, group=POWER_GROUP)


def _progress(who: Character, settings: Settings) -> Iterator[Value]:
    if who.level:
        yield level_value(who, rule="R0.138", group=PROGRESS)
        yield experience_value(who, rule="R0.112", group=PROGRESS)
        threshold = next_threshold(who.level, settings)
        if threshold is not None:
            yield Value("next_level", "Next level at", threshold, f"{threshold:,}", group=PROGRESS)
    tokens = who.pools.get(TOKEN, 0)
    yield Value(
        "tokens", "Story tokens", tokens, terms=(Term(tokens, "held", "R0.93", f"pool.{TOKEN}"),), group=PROGRESS
    )
