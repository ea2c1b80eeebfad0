"""Dice without an action of their own: rolled for the table's curiosity, or drawn for a correction."""

from rollbook.domain.dice.steps import ANY, DiceStep
from rollbook.domain.history.history import DRAW
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import ParameterType, character, dice, engine_parameter, label
from rollbook.domain.rules.table import Table


class RollDice(Action, verb="roll", by_any_seat=True):
    """Roll loose dice, for whatever the table wants to know."""

    sentence = "rolls {expression}[ for {purpose}]"

    typed_dice = (DiceStep(effects={"the dice as they are written": ANY}),)

    expression: str = dice("what to roll, for example 2d6+1", gm_only=False)
    who: str = character("who rolls", default="", actor=True, gm_only=False)
    purpose: str = label("for what", default="roll", gm_only=False)

    def resolve(self, table: Table) -> None:
        if self.who:
            table.character(self.who)
        table.roll(self.expression, roller=self.who or table.seat, purpose=self.purpose)


class DrawFor(Action, verb=DRAW, gm_only=True, final=True):
    """Draw dice for a correction of an earlier action: once seen they are on record, whatever is decided then."""

    sentence = "draws fresh dice"

    typed_dice = (DiceStep(effects={"the die that a correction needs": ANY}),)

    action: int = engine_parameter(ParameterType.NUMBER, "the action that needs them")
    roller: str = engine_parameter(ParameterType.TEXT, "who rolls them there")
    purpose: str = engine_parameter(ParameterType.TEXT, "for what")
    ordinal: int = engine_parameter(ParameterType.NUMBER, "which of the rolls for that")
    sides: int = engine_parameter(ParameterType.NUMBER, "the die")

    def resolve(self, table: Table) -> None:
        table.roll(f"1d{self.sides}", roller=self.roller, purpose=self.purpose)
