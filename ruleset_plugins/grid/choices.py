"""Open choices: the class of a player character that has none yet (R4.4)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, choose, events, words
from ruleset_plugins.grid.classes import CLASS, CLASSES, class_name
from ruleset_plugins.grid.creation import take_class
from ruleset_plugins.grid.health import character_changed
from ruleset_plugins.grid.stats import ATTACK, MAX_HP

STOOD_IN = {MAX_HP: "max_hp_for_now", ATTACK: "attack_for_now"}
"""Numbers of newcomers from other games, which stand in for what the class will say, and how much of each does."""


@attrs.frozen(kw_only=True)
class Choose(Action):
    """Make an open choice: the class of somebody who has none yet."""

    verb: ClassVar[str] = "choose"

    who: str = character("who chooses", actor=True)
    choice: str = words("which open choice")
    picked: str = words("what is picked")

    def resolve(self, table: Table) -> None:
        """The class takes the place of numbers that stood in for it."""
        who = table.character(self.who)
        choose(table, who, self.choice, self.picked)
        if self.choice != CLASS or self.picked not in CLASSES or class_name(who):
            return
        _make_room(table, who)
        take_class(table, who.id, self.picked)
        character_changed(table, who)


def _make_room(table: Table, who: Character) -> None:
    """Numbers that stood in for a class go."""
    for stat, standing in STOOD_IN.items():
        amount = min(who.stats.get(standing, 0), max(who.stats.get(stat, 0), 0))
        for name in (stat, standing) if amount else ():
            table.record(events.StatChanged(character=who.id, stat=name, amount=-amount, reason="the class decides"))
