"""Death is final, and how a ruling on somebody's sheet undoes it all the same (QG.8, QG.9)."""

from __future__ import annotations

from ruleset_plugins import ABILITIES, Character, Table, conditions
from ruleset_plugins.storytoken.abilities import average
from ruleset_plugins.storytoken.hit_points import SLAIN, current_hp, max_hp
from ruleset_plugins.storytoken.injury import STONE, after_change, settle
from ruleset_plugins.storytoken.settings import house


def character_changed(table: Table, before: Character) -> None:
    """The hook of rulings: somebody's sheet was changed by hand, which can even undo death (QG.8, QG.9)."""
    for ability in ABILITIES:
        if ability in table.character(before.id).stats and ability not in before.stats:
            table.record(average(before.id, ability))
    after_change(table, before, ruled=_crosses_back(table, before))


def _crosses_back(table: Table, before: Character) -> bool:
    """Whether a ruling gave back hit points, and with them the life that their loss had taken."""
    settings, after = house(table), table.character(before.id)
    was_lost = current_hp(before, settings) <= -max_hp(before, settings)
    return was_lost and after.lost < before.lost and current_hp(after, settings) > -max_hp(after, settings)


def call_back(table: Table, name: str) -> None:
    """A ruling undoes a death that no want of hit points brought; those that are left say how somebody wakes (QG.9)."""
    for over in (conditions.DEAD, SLAIN, STONE):
        conditions.end(table, name, over)
    settle(table, name)
