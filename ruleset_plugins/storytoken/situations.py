"""What a roll may have going for it that nobody can read off a sheet: it is said with the roll (QG.14)."""

from __future__ import annotations

from ruleset_plugins import Character, Table, Term, bonuses
from ruleset_plugins.storytoken.conditions import INFORMED, number_in
from ruleset_plugins.storytoken.roles import role_terms, topic_terms
from ruleset_plugins.storytoken.settings import house

ATTACK, INSIGHT = "attack", "insight"
UNAWARE = (ATTACK, INSIGHT)
"""What a target may know nothing of: the blow that comes, or the attacker's occult insight (R0.159, R0.163, R0.174)."""

UNAWARE_HELP = "what the target knows nothing of: the attack (Assassination, Thieving), an occult insight (Eldritch)"
INFORMED_HELP = "it is what a scientist's analysis was about (Science)"


def task_terms(
    table: Table, who: Character, topic: str, typed: tuple[str, ...], *, informed: bool = False
) -> tuple[Term, ...]:
    """What a role adds to a task of this topic, what was typed, and what an analysis adds to its own task (R0.171)."""
    terms = (*topic_terms(who, topic, house(table)), *bonuses(table, typed))
    return (*terms, informed_term(table, who)) if informed else terms


def informed_term(table: Table, who: Character) -> Term:
    """What an analysis adds. Refused for those whom none helps."""
    if not who.has(INFORMED):
        table.refuse(f"No analysis helps {who.name} now. A scientist makes one with: inspire NAME analysis")
    analysis = who.conditions[INFORMED]
    return Term(number_in(analysis), "analysis", "R0.171", f"condition.{INFORMED}")


def unaware_terms(table: Table, who: Character, unaware: tuple[str, ...], *, damage: bool) -> list[Term]:
    """What roles add against a target that knows nothing; the riders of different roles add up (Q0.50)."""
    settings = house(table)
    keys = {
        ATTACK: "unaware_damage" if damage else "unaware_to_hit",
        INSIGHT: "insight_effect" if damage else "insight",
    }
    return [term for what in unaware for term in role_terms(who, keys[what], settings)]
