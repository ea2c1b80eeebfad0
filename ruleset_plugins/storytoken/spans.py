"""How long conditions last, where that depends on an ability (R0.71, R0.72, R0.83, R0.85, R0.86, Q0.20)."""

from __future__ import annotations

from ruleset_plugins import Character, Table
from ruleset_plugins.storytoken.abilities import bonus, score
from ruleset_plugins.storytoken.conditions import UNITS, Fading, Stage
from ruleset_plugins.storytoken.settings import Settings, house


def unit_seconds(unit: str, settings: Settings) -> int:
    """How long one of these units is, in seconds."""
    return UNITS[unit] or settings.round_seconds


def rounds_from_now(table: Table, who: Character, rounds: int) -> int:
    """The clock second at which so many rounds are over; whoever has had a turn in this one counts from the next (Q0.29)."""
    encounter = table.encounter
    has_acted = encounter is not None and who.id in encounter.acted and who.id != encounter.current
    return table.clock + (rounds + has_acted) * house(table).round_seconds


def ability_span(who: Character, ability: str, settings: Settings) -> int:
    """An ability as a count of rounds, hours or days: the score, or the modifier; at least 1."""
    return max(score(who, ability) if settings.condition_span == "score" else bonus(who, ability), 1)


def stage_seconds(who: Character, stage: Stage, settings: Settings) -> int:
    """How long a stage lasts, in seconds."""
    return stage.times * ability_span(who, stage.ability, settings) * unit_seconds(stage.unit, settings)


def fading_seconds(who: Character, fading: Fading, unit: str, settings: Settings) -> int:
    """How long until it fades, in seconds; at least one unit."""
    ability = score(who, fading.ability) if settings.condition_span == "score" else bonus(who, fading.ability)
    return max(fading.most - ability, 1) * unit_seconds(unit, settings)
