"""Fire: a thrown lantern or a torch sets somebody alight, and it burns Round by Round (R3.69, R3.70, Q3.51)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, conditions, events, flag, living
from ruleset_plugins.russell.burning import burning
from ruleset_plugins.russell.injury import hurt
from ruleset_plugins.russell.turns import take_action

ON_FIRE = "on fire"
"""The condition; its detail is the Round in which the fire did its harm or was lit, so that it does none twice."""

FIRE = "fire"
A_ROUND = "1d6"


def set_alight(table: Table, name: str, *, source: str = "") -> None:
    """Somebody or something burns, from the next Round on."""
    conditions.begin(table, name, ON_FIRE, source=source, detail=_round(table))


def _round(table: Table) -> str:
    return f"round {table.encounter.round}" if table.encounter is not None else ""


def scorch(table: Table, name: str, dice: str, *, source: str = "") -> int:
    """Fire does its damage. Returns how much was rolled: a 1 puts it out (R3.70)."""
    rolled = table.roll(dice, roller=name, purpose=FIRE).total
    hurt(table, name, rolled, tags=(FIRE,), source=source)
    return rolled


def burn(table: Table, name: str) -> None:
    """A Round is over for somebody who burns: 1d6, and a 1 is the end of the fire (R3.70)."""
    fire = table.character(name).conditions.get(ON_FIRE)
    if fire is None or table.character(name).has(conditions.DEAD) or (fire.detail and fire.detail == _round(table)):
        return
    if scorch(table, name, A_ROUND, source=fire.source) <= 1:
        conditions.end(table, name, ON_FIRE)


def torch_ignites(table: Table, attacker: str, target: str) -> bool:
    """A torch has struck: a d6 of its own, and on a 1 the target burns (Q3.51)."""
    lit = table.roll("1d6", roller=attacker, purpose="ignite").total == 1
    if lit:
        set_alight(table, target, source=attacker)
    return lit


@attrs.frozen(kw_only=True)
class SetAlight(Action):
    """Hold a burning torch to something that burns easily, which costs no action (R3.69)."""

    verb: ClassVar[str] = "set-alight"

    who: str = character("who holds the torch", actor=True)
    target: str = character("what catches fire, by the GM's leave")

    def resolve(self, table: Table) -> None:
        """It burns."""
        who, target = living(table, self.who), living(table, self.target)
        if not any(light.source.key == "torch" for light in burning(who)):
            table.refuse(f"{who.name} has no burning torch. First: light {who.id} torch")
        if target.has(ON_FIRE):
            table.refuse(f"{target.name} burns already.")
        set_alight(table, target.id, source=who.id)


@attrs.frozen(kw_only=True)
class Smother(Action):
    """Put out the fire on oneself or a friend, which is what one does in that Round (R3.70)."""

    verb: ClassVar[str] = "smother"

    who: str = character("who puts it out", actor=True)
    burning: str = character("who burns")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """It is out."""
        target = table.character(self.burning)
        if not target.has(ON_FIRE):
            table.refuse(f"{target.name} is not on fire.")
        take_action(table, self.who, out_of_turn=self.out_of_turn)
        table.record(events.ConditionEnded(character=target.id, condition=ON_FIRE))


@attrs.frozen(kw_only=True)
class Burn(Action):
    """Outside a fight: another Round passes for somebody who burns (R3.70)."""

    verb: ClassVar[str] = "burn"
    gm_only: ClassVar[bool] = True

    who: str = character("who burns")

    def resolve(self, table: Table) -> None:
        """1d6."""
        who = living(table, self.who)
        if not who.has(ON_FIRE):
            table.refuse(f"{who.name} is not on fire.")
        if table.encounter is not None:
            table.refuse("In a fight fire burns by itself at the end of the Round. Go on with: end-turn")
        burn(table, who.id)
