"""Levels by experience, with their hit dice and picks (R0.112, R0.138–R0.140, Q0.49, Q0.83)."""

from rollbook.kit import open_choices
from rollbook.plugin import ABILITIES, Character, Table, events
from rollbook.rulesets.storytoken.body import hit_points
from rollbook.rulesets.storytoken.character.experience import LAST_DIE, LEVELS, level_for, row
from rollbook.rulesets.storytoken.character.roles import ROLES, roles_of
from rollbook.rulesets.storytoken.settings import Settings

PICK = "pick"
"""The kind of the open choices pick-4, pick-8 … of the levels, and role-1, role-2 … of newcomers from other games."""

ABILITY_RAISED, RAISE = "raises", 2
"""The field of an option that names the ability it raises, and by how much; other options are roles."""


def experience_awarded(table: Table, name: str) -> None:
    """The hook of an award: every level that the new total reaches, one after the other (Q0.49).

    A monster without a level gains none; experience alone never takes a level away (QG.7).
    """
    who = table.character(name)
    due = level_for(who.experience, Settings.of(table))
    for level in range(who.level + 1, due + 1) if who.level else ():
        gain_level(table, table.character(name), level)


def gain_level(table: Table, who: Character, level: int) -> None:
    """One level: a new hit die through level 9, and a pick where the table has one."""
    if level <= LAST_DIE:
        _roll_hit_die(table, who, level)
    table.record(events.LevelGained(character=who.id, levels=1))
    if row(level).pick:
        offer_pick(table, who.id, level)
    hit_points.after_change(table, who)


def _roll_hit_die(table: Table, who: Character, level: int) -> None:
    """Add a hit die, or roll all of them again if the table plays so (Q0.18)."""
    if Settings.of(table).level_hp == "reroll_all":
        total = table.roll(f"{level}d6", roller=who.id, purpose="hit dice").total
        gained = total - who.stats.get(hit_points.HIT_DICE, 0)
    else:
        gained = table.roll("1d6", roller=who.id, purpose="hit die").total
    table.record(events.StatChanged(character=who.id, stat=hit_points.HIT_DICE, amount=gained, reason=f"level {level}"))


def offer_pick(table: Table, name: str, level: int) -> None:
    """Offer a pick: 2 points on a score, or another role (R0.140)."""
    has = {role.key for role in roles_of(table.character(name))}
    raises = [events.Option(key=f"{each}+{RAISE}", data={ABILITY_RAISED: each}) for each in ABILITIES]
    options: tuple[str | events.Option, ...] = (*raises, *(key for key in ROLES if key not in has))
    open_choices.offer(table, name, f"pick-{level}", options, kind=PICK, reason=f"level {level}")


def picks_up_to(level: int) -> list[int]:
    """The levels with a pick, up to a level."""
    return [each.level for each in LEVELS if each.pick and each.level <= level]
