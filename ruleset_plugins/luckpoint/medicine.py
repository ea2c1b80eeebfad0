"""Medical aid: a hard roll of the Medical skill stops the bleeding (R1.47, Q1.11)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Ease, Table, character, check_resolved, conditions, flag, living, names
from ruleset_plugins.luckpoint.skills import can_succeed
from ruleset_plugins.luckpoint.task_rolls import LADDER, TaskRolls
from ruleset_plugins.luckpoint.turns import take_action
from ruleset_plugins.luckpoint.wounds import stabilise

MEDICAL = "medical"


@attrs.frozen(kw_only=True)
class FirstAid(Action):
    """Stop somebody's bleeding: a hard Medical roll, which nobody without Medical points can make (R1.47)."""

    verb: ClassVar[str] = "first-aid"

    who: str = character("who helps, within reach", actor=True)
    patient: str = character("who is critically wounded")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 field hospital'", default=())
    luck: bool = flag("spend a luck point beforehand to take disadvantage away")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """It takes the medic's action, and may be tried again (Q1.11)."""
        medic = take_action(table, self.who, out_of_turn=self.out_of_turn)
        hurt = living(table, self.patient)
        if not hurt.has(conditions.BLEEDING):
            table.refuse(f"{hurt.name} is not bleeding, so there is nothing to stop.")
        with TaskRolls(table) as rolls:
            ease = Ease(self.advantage, self.disadvantage)
            roll = rolls.task(medic.id, MEDICAL, purpose="first aid", ease=ease, bonus=self.bonus, luck=self.luck)
        works = roll.total >= LADDER["hard"] and can_succeed(medic, MEDICAL)
        word = "stable" if works else "still bleeding"
        check_resolved(table, "Medical", roll, LADDER["hard"], success=works, outcome=word, against=hurt.id)
        if works:
            stabilise(table, hurt.id)
