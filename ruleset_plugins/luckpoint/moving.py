"""Moving in a fight: one's speed and an action, or twice the speed and none (R1.16, R1.17, R1.46)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Encounter,
    Table,
    character,
    choice,
    conditions,
    events,
    flag,
    living,
    number,
    own_turn,
    spend,
)
from ruleset_plugins.conditions import PRONE
from ruleset_plugins.luckpoint.speed import CRAWL, speed
from ruleset_plugins.luckpoint.turns import ACTION, METRES
from ruleset_plugins.luckpoint.wounds import CRITICAL

STAND = "stand"


@attrs.frozen(kw_only=True)
class Move(Action):
    """Move so many metres. Crawling, swimming, climbing and slippery ground halve the speed: every metre counts twice."""

    verb: ClassVar[str] = "move"

    who: str = character("who moves", actor=True)
    metres: int = number("how far, in metres", minimum=0, maximum=10_000, unit="metres")
    difficult: bool = flag("swimming, climbing, or ice underfoot; the prone crawl anyway")
    posture: str = choice("get up first, or lie down; neither costs anything", ("", STAND, PRONE), default="")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """On one's turn, within what is left of one's movement; outside a fight nobody counts metres."""
        who = living(table, self.who)
        if not (self.metres or self.posture):
            table.refuse(f"{who.name} stays where they are: name more than 0 metres, or a --posture.")
        encounter = own_turn(table, who, out_of_turn=self.out_of_turn)
        who = self._take_posture(table, who)
        halved = (self.difficult or who.has(PRONE)) and not who.has(CRITICAL)
        cost = self.metres * 2 if halved else self.metres
        if encounter is not None and self.metres:
            self._spend(table, encounter, who, cost)
        if self.metres:
            table.record(events.Moved(character=who.id, cost=cost))

    def _take_posture(self, table: Table, who: Character) -> Character:
        if self.posture == STAND:
            if who.has(CRITICAL):
                table.refuse(f"{who.name} has critical wounds and cannot get up, only crawl {CRAWL} metre a round.")
            if not conditions.end(table, who.id, PRONE):
                table.refuse(f"{who.name} is not prone, and stands already. Leave --posture out.")
        elif self.posture == PRONE and not conditions.begin(table, who.id, PRONE):
            table.refuse(f"{who.name} is prone already. Leave --posture out.")
        return table.character(who.id)

    def _spend(self, table: Table, encounter: Encounter, who: Character, cost: int) -> None:
        spent = encounter.spent
        if who.has(CRITICAL):
            budget, why = CRAWL, "for somebody with critical wounds"
        elif spent.get(ACTION, 0):
            budget, why = speed(who), "in a turn with an action"
        else:
            budget, why = 2 * speed(who), "without an action"
        left = budget - spent.get(METRES, 0)
        if cost > left:
            ground = f"{self.metres} metres count as {cost}" if cost > self.metres else f"{cost} metres"
            table.refuse(f"{who.name} cannot move that far: {ground}, and {max(left, 0)} of {budget} are left {why}.")
        spend(table, who, METRES, cost)
