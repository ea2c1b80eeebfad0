"""Levels by experience, and open choices at creation and of levels (R1.50–R1.60, Q1.22–Q1.25, QG.7)."""

from collections.abc import Mapping, Sequence

import attrs

from rollbook.kit import data, fields, levels, open_choices, require, verbs
from rollbook.plugin import ABILITIES, Character, Table, events
from rollbook.rulesets.luckpoint import hit_points, luck
from rollbook.rulesets.luckpoint.abilities import (
    BASIC,
    LOCATION,
    SKILLS,
    SPECIAL,
    SPECIALS,
    TAKES_PLACE,
    named,
    place_of,
    skill_named,
    skill_of,
    special_abilities_of,
)
from rollbook.rulesets.luckpoint.settings import Settings


@attrs.frozen(kw_only=True)
class LevelRow(levels.Threshold):
    """A row: the experience points needed, how many skills rise, and whether an ability does."""

    skills: int
    ability: bool


LEVELS = data.load(__package__, "levels.json", LevelRow)
HIGHEST_LEVEL = LEVELS[-1].level


def level_row(level: int) -> LevelRow:
    """The row of a level; below 1 the first one, beyond the last level the last one."""
    return LEVELS[min(max(level, 1), HIGHEST_LEVEL) - 1]


def highest_level(settings: Settings) -> int:
    """The highest level at this table (Q1.30)."""
    return min(settings.level_cap, HIGHEST_LEVEL)


def level_for(experience: int, settings: Settings) -> int:
    """The highest level whose threshold a total reaches."""
    reached = levels.reached(LEVELS, experience)
    return min(reached, highest_level(settings))


def next_threshold(level: int, settings: Settings) -> int | None:
    """The experience points of the next level; None if there is none."""
    return level_row(level + 1).experience if level < highest_level(settings) else None


SKILL, ABILITY = "skill", "ability"
"""The kinds of choices that levels and creation bring."""

OTHERS, HIGHEST = "others", "highest"
"""Data of these choices: the choices whose skills must differ, and the highest modifier that an ability may reach."""

CREATION = "creation"
HIGHEST_AT_CREATION = 3


def experience_awarded(table: Table, name: str) -> None:
    """The hook of an award: every level that the new total reaches, one after the other.

    A monster without a level gains none; experience alone never takes a level away (QG.7).
    """
    who = table.character(name)
    due = level_for(who.experience, Settings.of(table))
    for level in range(who.level + 1, due + 1) if who.level > 0 else ():
        table.record(events.LevelGained(character=name, levels=1))
        offer_level(table, name, level)


def offer_level(table: Table, name: str, level: int, *, with_ability: bool = True) -> None:
    """Offer the choices of a level: two different skills +1, and at some levels an ability +1."""
    offer_skills(table, name, f"level-{level}", range(1, level_row(level).skills + 1), tuple(SKILLS))
    if level_row(level).ability and with_ability:
        offer_ability(table, name, f"level-{level}-{ABILITY}", ABILITIES, reason=f"level {level}")


def offer_ability(
    table: Table, name: str, choice: str, options: Sequence[str], *, reason: str, capped: bool = False
) -> None:
    """Offer a point for an ability; ``capped`` at the highest of a new character (R1.50)."""
    data = {HIGHEST: HIGHEST_AT_CREATION} if capped else {}
    open_choices.offer(table, name, choice, options, kind=ABILITY, reason=reason, data=data)


def offer_skills(table: Table, name: str, source: str, places: range, keys: tuple[str, ...]) -> None:
    """Offer points for skills; the places of one source go to different skills."""
    choices = [f"{source}-{SKILL}-{place}" for place in places]
    options = [events.Option(key=key, data={TAKES_PLACE: True} if key == LOCATION else {}) for key in keys]
    for choice in choices:
        others = tuple(other for other in choices if other != choice)
        reason = source.replace("-", " ")
        open_choices.offer(table, name, choice, options, kind=SKILL, reason=reason, data={OTHERS: others})


def offer_first_skills(table: Table, name: str, places: range, *, only_basic: bool) -> None:
    """Offer the skills of a new character that are still to be chosen (R1.51, R1.52)."""
    held = table.character(name).stats
    options = BASIC if only_basic else tuple(SKILLS)
    offer_skills(table, name, CREATION, places, tuple(key for key in options if not held.get(key)))


LEAST = -1
"""The lowest modifier of a new character (R1.50)."""

DROP = f"{CREATION}-drop"
"""The choice to drop one ability to -1, for one more point elsewhere; or to drop none."""

NONE = "none"


class Procedure(data.Row):
    """One of the two ways to make a character: points for abilities, and the number and sort of skills to choose."""

    points: int
    skills: int
    only_basic: bool
    rule: str


PROCEDURES = data.by_key(__package__, "procedures.json", Procedure)
STANDARD = next(iter(PROCEDURES))


def skill_points(table: Table, entered: Mapping[str, int]) -> dict[str, int]:
    """Points of skills by the keys that they have on a sheet."""
    found: dict[str, int] = {}
    for text, points in entered.items():
        skill = skill_named(table, text)
        if skill in found:
            table.refuse(f"{named(skill)} is named twice; the points go to different skills.", "skills")
        if not 0 <= points < 100:
            table.refuse(f"Points of a skill are written skill=number, as in magic=3, not '{text}={points}'.", "skills")
        found[skill] = points
    return found


def check_abilities(table: Table, procedure: Procedure, abilities: Mapping[str, int], *, specials: int) -> None:
    """Refuse more points than there are, any above +3, and more than one at -1 (R1.50, Q1.22)."""
    points, spent = procedure.points - specials, sum(abilities.values())
    beyond = [
        f"{ability.upper()} is {most:+d}"
        for ability, most in abilities.items()
        if not LEAST <= most <= HIGHEST_AT_CREATION
    ]
    if beyond:
        table.refuse(
            f"{beyond[0]}; a new character's abilities are from {LEAST} to +{HIGHEST_AT_CREATION}.", "abilities"
        )
    elif list(abilities.values()).count(LEAST) > 1:
        table.refuse(f"Only one ability may be dropped to {LEAST}, for one more point elsewhere.", "abilities")
    elif spent > points:
        why = f"{procedure.points} ({procedure.key}), one less for each special ability"
        table.refuse(f"The abilities come to {spent} points, and there are {points}: {why}.", "abilities")


def check_skills(table: Table, procedure: Procedure, points: Mapping[str, int]) -> None:
    """Refuse more than one point in a skill, and specialised ones by the standard procedure (R1.51, R1.52, Q1.24)."""
    most = procedure.skills
    if len(points) > most or any(amount != 1 for amount in points.values()):
        table.refuse(f"A new character has one point in each of {most} skills. Name up to {most}.", "skills")
    specialised = [skill for skill in points if not skill_of(skill).basic]
    if procedure.only_basic and specialised:
        why = f"{named(specialised[0])} is a specialised skill, and the {procedure.key} procedure has basic ones"
        table.refuse(f"{why}. With fewer points for abilities any skill will do: --creation alternate", "skills")


def leave_open(table: Table, who: str, procedure: Procedure, *, points: int, skills: int, specials: int) -> None:
    """Offer the ``points`` and skills not given yet; a point may still become a special ability (R1.53)."""
    may_trade = Settings.of(table).special_abilities_max > specials
    options = (*ABILITIES, *SPECIALS) if may_trade else ABILITIES
    for place in range(1, points + 1):
        offer_ability(table, who, f"{CREATION}-{ABILITY}-{place}", options, reason=procedure.key, capped=True)
    stats = table.character(who).stats
    at_zero = tuple(ability for ability in ABILITIES if not stats.get(ability, 0))
    if points and at_zero and LEAST not in stats.values():
        open_choices.offer(table, who, DROP, (*at_zero, NONE), reason=procedure.key)
    offer_first_skills(table, who, range(skills + 1, procedure.skills + 1), only_basic=procedure.only_basic)


def _read_skill(table: Table, who: Character, choice: str, typed: str) -> str:
    """A skill as it is recorded; one that is about a place is picked with its place, as in location:london."""
    option = who.choices[choice].option(place_of(typed)[0])
    if option is not None and fields.flag(option.data, TAKES_PLACE):
        return skill_named(table, typed)
    return open_choices.check_option(table, who, choice, typed)


def _take_skill(table: Table, who: Character, choice: str, picked: str) -> None:
    """The other point of the same level, or of creation, went to another skill (Q1.24)."""
    others = fields.names(open_choices.data_of(who, choice), OTHERS)
    if picked in [who.chosen.get(other) for other in others]:
        table.refuse(f"{named(picked)} has had the other point of this choice already. Pick another skill.", "picked")
    _raise(table, who, choice, picked)


def _take_ability(table: Table, who: Character, choice: str, picked: str) -> None:
    """An ability rises, or the point becomes a special ability. The cap is for new characters only (Q1.25)."""
    most = fields.number(open_choices.data_of(who, choice), HIGHEST)
    if picked in SPECIALS:
        require.living(table, who.id)
        check_special(table, who, picked)
        table.record(events.TraitGained(character=who.id, trait=picked, kind=SPECIAL))
        luck.follow_cap(table, who)
        hit_points.character_changed(table, who)
        return
    if most and who.stats.get(picked, 0) >= most:
        table.refuse(
            f"{who.name} has {picked.upper()} +{most}, and no new character has more. Pick another ability.", "picked"
        )
    _raise(table, who, choice, picked)


def _raise(table: Table, who: Character, choice: str, stat: str) -> None:
    require.living(table, who.id)
    table.record(events.StatChanged(character=who.id, stat=stat, amount=1, reason=choice))
    hit_points.character_changed(table, who)


def _drop(table: Table, who: Character, choice: str, picked: str) -> None:  # noqa: ARG001 - there is one such choice
    """One ability falls from 0 to -1, no lower, and there is one more point for another (R1.50, Q1.22)."""
    require.living(table, who.id)
    if picked == NONE:
        return
    if who.stats.get(picked, 0):
        table.refuse(f"{who.name}'s {picked.upper()} is not at +0 any more. Drop another ability, or {NONE}.", "picked")
    table.record(events.StatChanged(character=who.id, stat=picked, amount=LEAST, reason=DROP))
    others = tuple(ability for ability in ABILITIES if ability != picked)
    offer_ability(table, who.id, f"{CREATION}-{ABILITY}-{picked}", others, reason=DROP, capped=True)
    hit_points.character_changed(table, who)


Choose = verbs.choose_verb(
    {SKILL: _take_skill, ABILITY: _take_ability, DROP: _drop},
    help="Make an open choice: a point of a new character, or what a level brings. For a place: location:london.",
    reads={SKILL: _read_skill},
)


def check_special(table: Table, who: Character, special: str) -> None:
    """Refuse a special ability that the character has, or one too many (R1.53, Q1.23)."""
    held, most = special_abilities_of(who), Settings.of(table).special_abilities_max
    if special in who.traits:
        table.refuse(f"{who.name} has {SPECIALS[special].name} already.", table.parameter_of(special))
    if len(held) >= most:
        table.refuse(
            f"A new character may trade a point for {most} special ability at most. Leave {special} out.",
            table.parameter_of(special),
        )
