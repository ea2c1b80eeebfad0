"""Ability scores and modifiers, levels and the proficiency bonus (R5.1–R5.3, R5.20).

On record: the scores are the stats ``str`` to ``cha`` (10 where one is missing). The level is the engine's own. A
stat ``proficiency`` is added to the bonus. Magic items and what lies on somebody
change a score for as long as they are worn or last.
"""

from collections.abc import Mapping
from functools import lru_cache

from rollbook.kit import ability_scores
from rollbook.kit.remembering import remembered
from rollbook.plugin import ABILITIES, Character, Term
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects.lasting import laid
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of

__all__ = ["ABILITIES", "modifier", "modifier_term", "proficiency_bonus", "proficiency_term", "score"]

USUAL = 10


@remembered
def _changed(who: Character) -> Mapping[str, int]:
    """The scores that effects set or raise: never lower than they are, never above what the effect allows."""
    found: dict[str, int] = {}
    worn = (effect for own, effect in features.known(who).standing if own.origin.startswith("magic:"))
    for effect in (each for each in (*worn, *(held.effect for held in laid(who))) if each.kind == "ability"):
        now = found.get(effect.ability, who.stats.get(effect.ability, USUAL))
        raised = now + int(effect.by or 0)
        found[effect.ability] = max(now, effect.becomes or min(raised, effect.most or raised))
    return found


def score(who: Character, ability: str) -> int:
    """A score, 1 to 30 (R5.1)."""
    changed = _changed(who)
    return changed[ability] if ability in changed else who.stats.get(ability, USUAL)


def modifier(who: Character, ability: str) -> int:
    """The modifier of an ability (R5.2)."""
    return (score(who, ability) - USUAL) // 2


def modifier_term(who: Character, ability: str) -> Term:
    """An ability's modifier as a summand."""
    return ability_scores.modifier_term(ability, modifier(who, ability), "R5.2")


@remembered
def proficiency_bonus(who: Character) -> int:
    """The proficiency bonus, by level or as the stat block has it (R5.20)."""
    block = block_of(who)
    usual = block.proficiency if block is not None and not who.level else 2 + max(who.level - 1, 0) // 4
    return usual + who.stats.get("proficiency", 0)


def proficiency_term(who: Character, *, times: int = 1, label: str = "proficiency") -> Term:
    """The proficiency bonus as a summand, doubled for expertise (R5.20, R5.138)."""
    return _term(proficiency_bonus(who) * times, label if times == 1 else "expertise")


@lru_cache(maxsize=256)
def _term(amount: int, label: str) -> Term:
    return Term(amount, label, "R5.20", "level")
