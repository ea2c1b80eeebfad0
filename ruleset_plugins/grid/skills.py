"""Skills: a stat, and what a class is trained in (R4.6)."""

from __future__ import annotations

import attrs

from ruleset_plugins import Character, Term, load
from ruleset_plugins.grid.classes import class_of
from ruleset_plugins.grid.settings import Settings
from ruleset_plugins.grid.stats import entered_terms, stat_term

TRAINED = "skill"
CONCENTRATION, HEAL = "concentration", "heal"
UNTAUGHT = 8
"""What training is worth to somebody without a class, by ruling."""


@attrs.frozen(kw_only=True)
class Skill:
    """A skill, its stat, and the classes that learn it."""

    key: str
    name: str
    stat: str
    classes: tuple[str, ...]


SKILLS = {row.key: row for row in load(__package__, "skills.json", Skill)}


def skill_terms(who: Character, key: str, settings: Settings) -> tuple[Term, ...]:
    """What somebody adds to a skill roll; a trait of the kind "skill" trains beyond one's class (R4.6, Q4.1)."""
    skill, row = SKILLS[key], class_of(who, settings)
    terms: tuple[Term, ...] = (stat_term(who, skill.stat),)
    if row is not None and row.name in skill.classes:
        terms = (*terms, Term(row.trained, f"trained {row.name}", "R4.6", f"trait.{row.name}"))
    elif who.traits.get(key) == TRAINED:
        terms = (*terms, Term(row.trained if row else UNTAUGHT, "trained", "R4.6", f"trait.{key}"))
    return (*terms, *entered_terms(who, key, "R4.6"))
