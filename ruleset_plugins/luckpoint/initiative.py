"""The verbs of a fight's course: it begins, somebody arrives, turns end, it is over (R1.14–R1.16)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Table,
    arrive,
    begin_encounter,
    character,
    characters,
    conditions,
    end_turn,
    events,
    fighting,
    flag,
    is_gm,
    who_can,
    words,
)
from ruleset_plugins.luckpoint.rounds import (
    ALLY,
    KEPT_OUT,
    SIDE,
    begin_round,
    end_round,
    is_party,
    start_turn,
)
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.task_rolls import TaskRolls
from ruleset_plugins.luckpoint.turns import REACTED


@attrs.frozen(kw_only=True)
class BeginEncounter(Action):
    """Count time in rounds of six seconds: each side rolls initiative, anew in every round (R1.15)."""

    verb: ClassVar[str] = "begin-encounter"
    gm_only: ClassVar[bool] = True

    participants: tuple[str, ...] = characters("who takes part")
    allies: tuple[str, ...] = characters("who of the NPCs stands with the party", default=())
    surprised: tuple[str, ...] = characters("who is surprised and loses the first round", default=())
    title: str = words("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        """Sides and surprise first, then round one."""
        for name in (*self.allies, *self.surprised):
            if name not in self.participants:
                table.refuse(f"{table.character(name).name} is not among the participants. Name them there too.")
        begin_encounter(table, self.participants, title=self.title)
        for name in self.allies:
            side_with_the_party(table, name)
        for name in self.surprised:
            conditions.begin(table, name, conditions.SURPRISED)
        with TaskRolls(table) as rolls:
            begin_round(table, rolls, self.participants)


def side_with_the_party(table: Table, name: str) -> None:
    """From here on somebody fights on the party's side."""
    if not is_party(table.character(name)):
        table.record(events.TraitGained(character=name, trait=ALLY, kind=SIDE))


@attrs.frozen(kw_only=True)
class JoinEncounter(Action):
    """Somebody arrives in a fight, and acts from the next round on."""

    verb: ClassVar[str] = "join-encounter"
    gm_only: ClassVar[bool] = True

    who: str = character("who arrives")
    ally: bool = flag("they stand with the party")

    def resolve(self, table: Table) -> None:
        """At the end of the order, waiting for the next round."""
        arrive(table, self.who, next_round=True)
        if self.ally:
            side_with_the_party(table, self.who)


@attrs.frozen(kw_only=True)
class EndTurn(Action):
    """End the turn; the side's next one goes on, or the one you name, and after the last a new round begins."""

    verb: ClassVar[str] = "end-turn"

    next: str = character("who of the same side goes next", default="")

    def resolve(self, table: Table) -> None:
        """Down the order; within a side the table may go in any order (R1.15)."""
        if not end_turn(table) and not is_gm(table):
            table.refuse("It is nobody's turn, and the GM says how it goes on.")
        waiting = who_can(table, fighting(table).waiting(), KEPT_OUT)
        if waiting:
            start_turn(table, self._next_of(table, waiting).id)
            return
        if self.next:
            table.refuse(f"The round is over, so initiative decides who is next, not {self.next}. Leave --next out.")
        order = fighting(table).order
        end_round(table)
        with TaskRolls(table) as rolls:
            begin_round(table, rolls, order)

    def _next_of(self, table: Table, waiting: list[Character]) -> Character:
        if not self.next:
            return waiting[0]
        by_side = house(table).initiative_mode == "side"
        may = [who for who in waiting if by_side and is_party(who) is is_party(waiting[0])] or waiting[:1]
        chosen = next((who for who in may if who.id == self.next), None)
        if chosen is None:
            who = table.character(self.next)
            table.refuse(f"{who.name} cannot go next. Of this side still to act: {', '.join(who.id for who in may)}.")
        return chosen


@attrs.frozen(kw_only=True)
class EndEncounter(Action):
    """The encounter is over; nobody counts rounds any more."""

    verb: ClassVar[str] = "end-encounter"
    gm_only: ClassVar[bool] = True

    def resolve(self, table: Table) -> None:
        """Surprise and spent reactions end with it."""
        over = (conditions.SURPRISED, conditions.ARRIVING, REACTED)
        conditions.end_for_all(table, fighting(table).order, *over)
        table.record(events.EncounterEnded())
