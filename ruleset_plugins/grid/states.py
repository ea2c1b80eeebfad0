"""What the GM says of somebody: harm and healing without an attack, and conditions (QG.8)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, conditions, flag, harm_verb, heal_verb, living, words
from ruleset_plugins.grid.health import INCAPACITATED, hurt, restore

BY_HIT_POINTS = (INCAPACITATED, conditions.DEAD, conditions.STABLE)


Harm = harm_verb(hurt)
Heal = heal_verb(restore, told="Somebody gets hit points back without a spell; any amount stabilises (R4.44).")


@attrs.frozen(kw_only=True)
class SetCondition(Action):
    """Say that somebody is prone, hidden or anything else, or is so no longer, because the GM rules it."""

    verb: ClassVar[str] = "condition"
    gm_only: ClassVar[bool] = True

    who: str = character("who is in it")
    condition: str = words("which condition: prone, hidden, blurred, or any other word")
    ends: bool = flag("it is over")

    def resolve(self, table: Table) -> None:
        """What follows from hit points is nothing to be said."""
        who = living(table, self.who)
        if self.ends and self.condition == conditions.PRONE and who.has(INCAPACITATED):
            table.refuse(f"{who.name} is incapacitated and lies on the ground.")
        conditions.say(table, who, self.condition, ends=self.ends, follows=BY_HIT_POINTS)
