"""The points of a new character: what may be bought, and what is left to choose (R1.50–R1.53, Q1.22–Q1.24)."""

from collections.abc import Mapping

from rollbook.kit import data, open_choices
from rollbook.plugin import ABILITIES, Table
from rollbook.rulesets.luckpoint.abilities import SPECIALS
from rollbook.rulesets.luckpoint.levels import ABILITY, CREATION, HIGHEST_AT_CREATION, offer_ability, offer_first_skills
from rollbook.rulesets.luckpoint.settings import Settings
from rollbook.rulesets.luckpoint.skills import named, skill_named, skill_of

LEAST, MOST = -1, HIGHEST_AT_CREATION
"""Between these lie the modifiers of a new character (R1.50)."""

DROP = f"{CREATION}-drop"
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
    for ability, amount in abilities.items():
        if not LEAST <= amount <= MOST:
            table.refuse(
                f"{ability.upper()} is {amount:+d}; a new character's abilities are from {LEAST} to +{MOST}.",
                parameter="abilities",
            )
    if list(abilities.values()).count(LEAST) > 1:
        table.refuse(
            f"Only one ability may be dropped to {LEAST}, for one more point elsewhere.", parameter="abilities"
        )
    points, spent = procedure.points - specials, sum(abilities.values())
    if spent > points:
        why = f"{procedure.points} ({procedure.key}), one less for each special ability"
        table.refuse(f"The abilities come to {spent} points, and there are {points}: {why}.", parameter="abilities")


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
        offer_ability(table, who, f"{CREATION}-{ABILITY}-{place}", options, reason=procedure.key, capped=True)
    stats = table.character(who).stats
    at_zero = tuple(ability for ability in ABILITIES if not stats.get(ability, 0))
    if points and at_zero and LEAST not in stats.values():
        open_choices.offer(table, who, DROP, (*at_zero, NONE), reason=procedure.key)
    offer_first_skills(table, who, range(skills + 1, procedure.skills + 1), only_basic=procedure.only_basic)
