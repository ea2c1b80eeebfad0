"""Making the choices that stand open: a new character's points and skills, and those of every level (R1.50–R1.59)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, events, not_found, words
from ruleset_plugins.luckpoint.creation import spread_points
from ruleset_plugins.luckpoint.levels import POINTS, pick_skill
from ruleset_plugins.luckpoint.skills import SKILLS
from ruleset_plugins.luckpoint.wounds import after_change


@attrs.frozen(kw_only=True)
class Choose(Action):
    """Make an open choice: the points or skills of a new character, a skill or an ability of a new level."""

    verb: ClassVar[str] = "choose"

    who: str = character("who chooses", actor=True)
    choice: str = words("which open choice")
    picked: str = words("what is picked; for points the six modifiers, as in 3,2,1,0,1,0")

    def resolve(self, table: Table) -> None:
        """The choice is made and takes effect."""
        who = table.character(self.who)
        if self.choice not in who.choices:
            known = ", ".join(who.choices) or "none"
            table.refuse(f"{who.name} has no open choice called {self.choice!r}. Open: {known}.")
        if self.choice == POINTS:
            spread_points(table, who.id, self.picked.split(","))
            return
        options = who.choices[self.choice]
        if self.picked not in options:
            table.refuse(str(not_found(f"option of {self.choice}", self.picked, options)))
        if self.picked in SKILLS:
            pick_skill(table, who.id, self.choice, self.picked)
            return
        table.record(
            events.ChoiceMade(character=who.id, choice=self.choice, picked=self.picked),
            events.StatChanged(character=who.id, stat=self.picked, amount=1, reason=self.choice),
        )
        after_change(table, who)
