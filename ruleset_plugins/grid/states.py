"""What the GM says of somebody: harm and healing without an attack, and conditions (QG.8)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, conditions, dice, flag, living, names, words
from ruleset_plugins.grid.health import INCAPACITATED, hurt, restore

BY_HIT_POINTS = (INCAPACITATED, conditions.DEAD, conditions.STABLE)


@attrs.frozen(kw_only=True)
class Harm(Action):
    """Somebody is hurt without an attack: a fall, a fire, a trap."""

    verb: ClassVar[str] = "harm"
    gm_only: ClassVar[bool] = True

    who: str = character("who is hurt")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, acid, a fall …", default=())

    def resolve(self, table: Table) -> None:
        """The dice, and the damage."""
        who = living(table, self.who)
        total = table.roll(self.amount, roller=table.seat or who.id, purpose="damage").total
        if total > 0:
            hurt(table, who.id, total, tags=self.tags, source=self.source)


@attrs.frozen(kw_only=True)
class Heal(Action):
    """Somebody gets hit points back without a spell; any amount stabilises (R4.44)."""

    verb: ClassVar[str] = "heal"
    gm_only: ClassVar[bool] = True

    who: str = character("who is healed")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")

    def resolve(self, table: Table) -> None:
        """Up to the maximum."""
        who = living(table, self.who)
        if who.lost <= 0:
            table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.")
        total = table.roll(self.amount, roller=table.seat or who.id, purpose="healing").total
        restore(table, who.id, max(total, 0), source=self.source)


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
        if not self.condition.strip():
            table.refuse("A condition is a word, as in: condition WHO prone")
        if self.condition in BY_HIT_POINTS:
            table.refuse(f"Whether somebody is {self.condition} follows from hit points. Change them with: harm, heal")
        if self.ends and self.condition == conditions.PRONE and who.has(INCAPACITATED):
            table.refuse(f"{who.name} is incapacitated and lies on the ground.")
        change = conditions.end if self.ends else conditions.begin
        if not change(table, who.id, self.condition):
            table.refuse(f"{who.name} is {'not' if self.ends else 'already'} {self.condition}.")
