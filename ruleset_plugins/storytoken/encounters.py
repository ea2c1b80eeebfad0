"""Encounters: initiative says who begins, then the table hands the turn on (R0.31–R0.35, Q0.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Kind,
    Table,
    arrive,
    begin_encounter,
    character,
    characters,
    check_among,
    check_goes_on,
    conditions,
    end_turn,
    events,
    fighting,
    flag,
    still_to_act,
    words,
)
from ruleset_plugins.storytoken.armour import HIDDEN
from ruleset_plugins.storytoken.conditions import ATTACKING, EVASIVE, FLYING, RAGING
from ruleset_plugins.storytoken.injury import end_rage
from ruleset_plugins.storytoken.rounds import KEPT_OUT, begin_round, end_round, start_turn
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.task_rolls import TaskRolls
from ruleset_plugins.storytoken.turns import HAND_ON, check_control


@attrs.frozen(kw_only=True)
class BeginEncounter(Action):
    """Count time in rounds: everybody who is not surprised rolls 1d20 + DEX, and the highest acts first (R0.32)."""

    verb: ClassVar[str] = "begin-encounter"
    gm_only: ClassVar[bool] = True

    participants: tuple[str, ...] = characters("who takes part")
    surprised: tuple[str, ...] = characters("who of them is surprised and loses the first round", default=())
    hidden: tuple[str, ...] = characters("who of them begins motionless and partly hidden", default=())
    title: str = words("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        """Surprise and hiding first, then round one."""
        check_among(table, (*self.surprised, *self.hidden), self.participants)
        begin_encounter(table, self.participants, title=self.title)
        for name in self.surprised:
            if house(table).surprise_roll == "none" or table.roll("1d6", roller=name, purpose="surprise").total <= 2:
                conditions.begin(table, name, conditions.SURPRISED)
        for name in self.hidden:
            conditions.begin(table, name, HIDDEN)
        with TaskRolls(table) as rolls:
            if not begin_round(table, rolls, self.participants):
                table.refuse("Nobody in this encounter can act: everybody is surprised or down.")


@attrs.frozen(kw_only=True)
class JoinEncounter(Action):
    """Somebody arrives in a fight, and can act from the next round on (Q0.10)."""

    verb: ClassVar[str] = "join-encounter"
    gm_only: ClassVar[bool] = True

    who: str = character("who arrives")
    hidden: bool = flag("motionless and partly hidden (Obscurity)")

    def resolve(self, table: Table) -> None:
        """At the end of the order, waiting for the next round."""
        arrive(table, self.who, next_round=house(table).late_joiner == "next_round")
        if self.hidden:
            conditions.begin(table, self.who, HIDDEN)


@attrs.frozen(kw_only=True)
class EndTurn(Action):
    """End the turn and say who goes next; when all have acted, a new round begins (R0.33, R0.35)."""

    verb: ClassVar[str] = "end-turn"

    next: str = character("who goes next, of those who have not acted", default="")
    to_gm: bool = flag("let the GM take an NPC's turn")

    def resolve(self, table: Table) -> None:
        """The turn ends; the last one left goes by itself; otherwise it is handed over."""
        check_goes_on(table, hand_on=HAND_ON)
        if fighting(table).current:
            check_control(table, table.character(fighting(table).current))
        end_turn(table)
        waiting = still_to_act(table, KEPT_OUT)
        with TaskRolls(table) as rolls:
            if waiting:
                self._hand_over(table, waiting)
            else:
                end_round(table)
                begin_round(table, rolls, fighting(table).order)
                if self.next:
                    table.refuse(
                        f"The round is over, so initiative decides who is next, not {self.next}. Leave --next out."
                    )

    def _hand_over(self, table: Table, waiting: list[Character]) -> None:
        if self.to_gm:
            waiting = [who for who in waiting if who.kind is not Kind.PLAYER_CHARACTER]
            if not waiting:
                table.refuse("No NPC is left to act in this round. Name a character: end-turn --next ID")
        if self.next:
            if self.next not in {who.id for who in waiting}:
                self._refuse_next(table, waiting)
            start_turn(table, self.next)
        elif len(waiting) == 1:
            start_turn(table, waiting[0].id)
        elif not self.to_gm:
            table.refuse(f"Say who goes next, with --next: {_ids(waiting)}. An NPC's turn goes to the GM with --to-gm.")

    def _refuse_next(self, table: Table, waiting: list[Character]) -> None:
        who = table.character(self.next)
        encounter = fighting(table)
        if who.id not in encounter.order:
            why = "does not take part in this encounter"
        elif who.id in encounter.acted:
            why = "has already acted in this round"
        else:
            why = "cannot act in this round"
        table.refuse(f"{who.name} cannot go next: {who.name} {why}. Still to act: {_ids(waiting)}.")


@attrs.frozen(kw_only=True)
class EndEncounter(Action):
    """The encounter is over; nobody counts rounds any more."""

    verb: ClassVar[str] = "end-encounter"
    gm_only: ClassVar[bool] = True

    def resolve(self, table: Table) -> None:
        """Surprise, hiding and manoeuvres end with it, and so does rage, at its cost (R0.161)."""
        over = (conditions.SURPRISED, conditions.ARRIVING, HIDDEN, FLYING, EVASIVE, ATTACKING)
        order = fighting(table).order
        conditions.end_for_all(table, order, *over)
        for name in order:
            if table.character(name).has(RAGING):
                end_rage(table, name)
        table.record(events.EncounterEnded())


def _ids(found: Sequence[Character]) -> str:
    return ", ".join(who.id for who in found)
