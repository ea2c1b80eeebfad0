"""Harm without an attack, and what mends it: hazards, falls and fire, medicine and repair (R0.21, R0.55, R0.62)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, choice, dice, events, names, number, words
from ruleset_plugins.storytoken.abilities import ABILITIES
from ruleset_plugins.storytoken.injury import hurt, restore
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.task_rolls import Ease, TaskRolls, bonuses
from ruleset_plugins.storytoken.turns import living


@attrs.frozen(kw_only=True)
class Hazard(Action):
    """Save against a hazard of a level: half the level in damage if it is made, twice the level if not (R0.21)."""

    verb: ClassVar[str] = "hazard"

    who: str = character("whom it threatens", actor=True)
    level: int = number("the hazard's level", minimum=1, maximum=1_000)
    ability: str = choice("the ability that saves from it (Q0.6)", ABILITIES)
    name: str = words("what it is", default="hazard")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 braced'", default=())
    tags: tuple[str, ...] = names("what sort of damage it is: fire, acid, poison …", default=())

    def resolve(self, table: Table) -> None:
        """The save costs neither action nor movement (R0.47)."""
        who = living(table, self.who)
        with TaskRolls(table) as rolls:
            roll = rolls.roll(
                who,
                self.ability,
                kind="save",
                purpose="saving throw",
                terms=bonuses(table, self.bonus),
                ease=Ease(self.advantage, self.disadvantage),
            )
        saved = roll.total >= self.level
        table.record(
            events.CheckResolved(
                character=who.id,
                check=f"{self.ability.upper()} save",
                total=roll.total,
                target=self.level,
                success=saved,
                outcome="saved" if saved else "not saved",
                against=self.name,
            )
        )
        dealt = house(table).half(self.level) if saved else 2 * self.level
        if dealt:
            hurt(table, who.id, dealt, tags=self.tags, source=self.name)


@attrs.frozen(kw_only=True)
class Harm(Action):
    """Somebody is hurt without an attack: a fall, sunlight, a trap."""

    verb: ClassVar[str] = "harm"
    gm_only: ClassVar[bool] = True

    who: str = character("who is hurt")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, sunlight, holy …", default=())

    def resolve(self, table: Table) -> None:
        """The dice, and the damage."""
        who = living(table, self.who)
        total = table.roll(self.amount, roller=table.seat or who.id, purpose="damage").total
        if total > 0:
            hurt(table, who.id, total, tags=self.tags, source=self.source)


@attrs.frozen(kw_only=True)
class Heal(Action):
    """Medicine, technology or magic gives hit points back; for things it is repair (R0.55, R0.56)."""

    verb: ClassVar[str] = "heal"
    gm_only: ClassVar[bool] = True

    who: str = character("who is healed")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")

    def resolve(self, table: Table) -> None:
        """Up to the maximum; below 0 it is added like anywhere else (Q0.75)."""
        who = living(table, self.who)
        if not who.lost:
            table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.")
        total = table.roll(self.amount, roller=table.seat or who.id, purpose="healing").total
        restore(table, who.id, max(total, 0), tags=("care",), source=self.source)
