"""What a mutant was born with: one spell, the minutes that it rests, and the shock that sets it off (R0.151, Q0.60)."""

from __future__ import annotations

from ruleset_plugins import MINUTE, Character, Table, check_resolved, conditions, events
from ruleset_plugins.storytoken.conditions import RECHARGING
from ruleset_plugins.storytoken.heritages import INNATE_SPELL, heritage_of
from ruleset_plugins.storytoken.task_rolls import TaskRolls

SHOCK_TARGET = 15
POWER = "innate spell"


def innate_spell(who: Character) -> str:
    """The spell that somebody was born with; "" for most, and while the choice is open."""
    return who.chosen.get(INNATE_SPELL, "") if heritage_of(who).innate_spell else ""


def shock(table: Table, name: str, source: str, rolls: TaskRolls) -> None:
    """Damage at full health: a hard Wisdom save, or the power goes off at a random target."""
    who = table.character(name)
    if not innate_spell(who) or who.has(RECHARGING) or who.has(conditions.DEAD):
        return
    roll = rolls.task(who, "wis", kinds=("save",), purpose="shock")
    holds = roll.total >= SHOCK_TARGET
    check_resolved(
        table, "WIS save", roll, SHOCK_TARGET, success=holds, outcome="saved" if holds else "not saved", against="shock"
    )
    if not holds:
        go_off(table, who, _random_target(table, who, source))


def _random_target(table: Table, who: Character, source: str) -> str:
    """Somebody in the fight, each as likely as the next; outside one, whoever caused it, if anybody did."""
    encounter = table.encounter
    if encounter is None or who.id not in encounter.order:
        return source if source and table.knows(source) else ""
    near = [other for other in encounter.order if other != who.id and not table.character(other).has(conditions.DEAD)]
    if len(near) < 2:
        return "".join(near)
    return near[table.roll(f"1d{len(near)}", roller=who.id, purpose="random target").total - 1]


def go_off(table: Table, who: Character, target: str) -> None:
    """The power is used, and rests for 1d6 minutes."""
    table.record(events.PowerUsed(character=who.id, power=POWER, target=target))
    minutes = table.roll("1d6", roller=who.id, purpose="minutes until it can be used again").total
    conditions.begin(table, who.id, RECHARGING, until=table.clock + minutes * MINUTE)
