"""Open choices: the points of a new character, and what levels bring (R1.50–R1.53, R1.58, R1.59, Q1.22–Q1.24)."""

from collections.abc import Mapping

from rollbook.kit import data, fields, open_choices, require, verbs
from rollbook.plugin import ABILITIES, Character, Table, events
from rollbook.rulesets.luckpoint import hit_points, levels, luck
from rollbook.rulesets.luckpoint.abilities import (
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

LEAST, MOST = -1, levels.HIGHEST_AT_CREATION
"""Between these lie the modifiers of a new character (R1.50)."""

DROP = f"{levels.CREATION}-drop"
"""The choice to drop one ability to -1, for one more point elsewhere; or to drop none."""

NONE = "none"


class Procedure(data.Row):
    """One of the two ways to make a character: points for abilities, skills to choose, and among which."""

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
            table.refuse(f"{named(skill)} is named twice; the points go to different skills.", parameter="skills")
        if not 0 <= points < 100:
            table.refuse(
                f"Points of a skill are written skill=number, as in magic=3, not '{text}={points}'.", parameter="skills"
            )
        found[skill] = points
    return found


def check_abilities(table: Table, procedure: Procedure, abilities: Mapping[str, int], *, specials: int) -> None:
    """Refuse more points than there are, any above +3, and more than one at -1 (R1.50, Q1.22)."""
    points, spent = procedure.points - specials, sum(abilities.values())
    beyond = [f"{ability.upper()} is {most:+d}" for ability, most in abilities.items() if not LEAST <= most <= MOST]
    fault = ""
    if beyond:
        fault = f"{beyond[0]}; a new character's abilities are from {LEAST} to +{MOST}."
    elif list(abilities.values()).count(LEAST) > 1:
        fault = f"Only one ability may be dropped to {LEAST}, for one more point elsewhere."
    elif spent > points:
        why = f"{procedure.points} ({procedure.key}), one less for each special ability"
        fault = f"The abilities come to {spent} points, and there are {points}: {why}."
    if fault:
        table.refuse(fault, parameter="abilities")


def check_skills(table: Table, procedure: Procedure, points: Mapping[str, int]) -> None:
    """Refuse what is not one point each in different skills, basic ones by the standard procedure (R1.51, R1.52, Q1.24)."""
    most = procedure.skills
    if len(points) > most or any(amount != 1 for amount in points.values()):
        table.refuse(f"A new character has one point in each of {most} skills. Name up to {most}.", parameter="skills")
    specialised = [skill for skill in points if not skill_of(skill).basic]
    if procedure.only_basic and specialised:
        why = f"{named(specialised[0])} is a specialised skill, and the {procedure.key} procedure has basic ones"
        table.refuse(
            f"{why}. With fewer points for abilities any skill will do: --creation alternate", parameter="skills"
        )


def leave_open(table: Table, who: str, procedure: Procedure, *, points: int, skills: int, specials: int) -> None:
    """So many ``points`` and skills that were not given yet; a point may still become a special ability (R1.53)."""
    may_trade = Settings.of(table).special_abilities_max > specials
    options = (*ABILITIES, *SPECIALS) if may_trade else ABILITIES
    for place in range(1, points + 1):
        levels.offer_ability(
            table, who, f"{levels.CREATION}-{levels.ABILITY}-{place}", options, reason=procedure.key, capped=True
        )
    stats = table.character(who).stats
    at_zero = tuple(ability for ability in ABILITIES if not stats.get(ability, 0))
    if points and at_zero and LEAST not in stats.values():
        open_choices.offer(table, who, DROP, (*at_zero, NONE), reason=procedure.key)
    levels.offer_first_skills(table, who, range(skills + 1, procedure.skills + 1), only_basic=procedure.only_basic)


def _read_skill(table: Table, who: Character, choice: str, typed: str) -> str:
    """A skill as it is recorded; one that is about a place is picked with its place, as in location:london."""
    option = who.choices[choice].option(place_of(typed)[0])
    if option is not None and fields.flag(option.data, TAKES_PLACE):
        return skill_named(table, typed)
    return open_choices.check_option(table, who, choice, typed)


def _take_skill(table: Table, who: Character, choice: str, picked: str) -> None:
    """The other point of the same level, or of creation, went to another skill (Q1.24)."""
    others = fields.names(open_choices.data_of(who, choice), levels.OTHERS)
    if picked in [who.chosen.get(other) for other in others]:
        table.refuse(
            f"{named(picked)} has had the other point of this choice already. Pick another skill.", parameter="picked"
        )
    _raise(table, who, choice, picked)


def _take_ability(table: Table, who: Character, choice: str, picked: str) -> None:
    """An ability rises, or the point becomes a special ability. The cap is for new characters only (Q1.25)."""
    most = fields.number(open_choices.data_of(who, choice), levels.HIGHEST)
    if picked in SPECIALS:
        require.living(table, who.id)
        check_special(table, who, picked)
        table.record(events.TraitGained(character=who.id, trait=picked, kind=SPECIAL))
        luck.follow_cap(table, who)
        hit_points.character_changed(table, who)
        return
    if most and who.stats.get(picked, 0) >= most:
        table.refuse(
            f"{who.name} has {picked.upper()} +{most}, and no new character has more. Pick another ability.",
            parameter="picked",
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
        table.refuse(
            f"{who.name}'s {picked.upper()} is not at +0 any more. Drop another ability, or {NONE}.", parameter="picked"
        )
    table.record(events.StatChanged(character=who.id, stat=picked, amount=LEAST, reason=DROP))
    others = tuple(ability for ability in ABILITIES if ability != picked)
    levels.offer_ability(
        table, who.id, f"{levels.CREATION}-{levels.ABILITY}-{picked}", others, reason=DROP, capped=True
    )
    hit_points.character_changed(table, who)


Choose = verbs.choose_verb(
    {levels.SKILL: _take_skill, levels.ABILITY: _take_ability, DROP: _drop},
    help="Make an open choice: a point of a new character, or what a level brings. For a place: location:london.",
    reads={levels.SKILL: _read_skill},
)


def check_special(table: Table, who: Character, special: str) -> None:
    """Refuse a special ability that the character has, or one too many (R1.53, Q1.23)."""
    held, most = special_abilities_of(who), Settings.of(table).special_abilities_max
    if special in who.traits:
        table.refuse(f"{who.name} has {SPECIALS[special].name} already.", parameter=table.parameter_of(special))
    if len(held) >= most:
        table.refuse(
            f"A new character may trade a point for {most} special ability at most. Leave {special} out.",
            parameter=table.parameter_of(special),
        )
