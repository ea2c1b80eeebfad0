"""Encounters: they begin, somebody arrives, turns end, and one lets another of the same side go first (R1.14–R1.16)."""

from __future__ import annotations

from collections.abc import Sequence
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
    check_goes_on,
    check_turn,
    conditions,
    end_turn,
    events,
    fighting,
    names,
    still_to_act,
    words,
)
from ruleset_plugins.conditions import ARRIVING, BLEEDING
from ruleset_plugins.luckpoint.luck import TaskRolls
from ruleset_plugins.luckpoint.rounds import KEPT_OUT, begin_round, end_round
from ruleset_plugins.luckpoint.settings import INDIVIDUAL, OWN_TURN, house
from ruleset_plugins.luckpoint.sides import leave_sides, side_of, take_sides
from ruleset_plugins.luckpoint.turns import REACTED, start_turn
from ruleset_plugins.luckpoint.wounds import bleed


@attrs.frozen(kw_only=True)
class BeginEncounter(Action):
    """Count time in rounds: each side rolls 1d20 and its best initiative, the higher goes first (R1.15)."""

    verb: ClassVar[str] = "begin-encounter"
    gm_only: ClassVar[bool] = True

    participants: tuple[str, ...] = characters("who takes part")
    sides: tuple[str, ...] = names("who fights on another side than party or foes, as ida=party", default=())
    title: str = words("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        """Sides first, then round one."""
        begin_encounter(table, self.participants, title=self.title)
        take_sides(table, self.sides, self.participants)
        with TaskRolls(table) as rolls:
            if not begin_round(table, rolls, self.participants):
                table.refuse("Nobody takes part in this encounter who could act. Name somebody else too.")


@attrs.frozen(kw_only=True)
class JoinEncounter(Action):
    """Somebody arrives in a fight, and can act from the next round on."""

    verb: ClassVar[str] = "join-encounter"
    gm_only: ClassVar[bool] = True

    who: str = character("who arrives")
    side: str = words("on which side, if not that of their kind", default="")

    def resolve(self, table: Table) -> None:
        """At the end of the order, waiting for the next round."""
        who = arrive(table, self.who, next_round=True)
        if self.side:
            take_sides(table, (f"{who.id}={self.side}",), (who.id,))


@attrs.frozen(kw_only=True)
class EndTurn(Action):
    """End the turn. The next of the same side follows, or the other side; when all have acted, a new round begins."""

    verb: ClassVar[str] = "end-turn"

    next: str = character("who of the same side goes next, if not the quickest", default="")

    def resolve(self, table: Table) -> None:
        """The turn ends, and another begins."""
        check_goes_on(table)
        ended = end_turn(table)
        if ended and house(table).bleed_at == OWN_TURN and table.character(ended).has(BLEEDING):
            bleed(table, ended, 1)
        waiting = still_to_act(table, KEPT_OUT)
        with TaskRolls(table) as rolls:
            if waiting:
                start_turn(table, self._following(table, waiting))
                return
            if self.next:
                table.refuse("The round is over, so initiative decides who is next. Leave --next out.")
            participants = fighting(table).order
            end_round(table)
            begin_round(table, rolls, participants)

    def _following(self, table: Table, waiting: Sequence[Character]) -> str:
        """Sides go one after the other; within a side anybody may be next (R1.15)."""
        if not self.next:
            return waiting[0].id
        if house(table).initiative_mode == INDIVIDUAL:
            table.refuse(f"At this table everybody has an initiative, and {waiting[0].name} is next. Leave --next out.")
        may = [who.id for who in waiting if side_of(who) == side_of(waiting[0])]
        if self.next not in may:
            table.refuse(
                f"{table.character(self.next).name} cannot go next. It is the turn of the {side_of(waiting[0])}, with "
                f"{', '.join(may)} still to act."
            )
        return self.next


@attrs.frozen(kw_only=True)
class GiveWay(Action):
    """Let somebody else of one's side go first, before anything was done with the turn."""

    verb: ClassVar[str] = "give-way"

    who: str = character("whose turn it is", actor=True)
    to: str = character("who goes first instead")

    def resolve(self, table: Table) -> None:
        """The turn is the other's; one's own comes later in the round."""
        who, other = table.character(self.who), table.character(self.to)
        encounter = check_turn(table, who)
        if house(table).initiative_mode == INDIVIDUAL:
            table.refuse(f"At this table everybody has an initiative, and now it is {who.name}'s turn.")
        if encounter.spent:
            table.refuse(f"{who.name} has begun already. The next one follows with: end-turn --next {other.id}")
        may = [each.id for each in still_to_act(table, KEPT_OUT) if side_of(each) == side_of(who)]
        if other.id not in may or other.id == who.id:
            others = ", ".join(name for name in may if name != who.id) or "nobody"
            table.refuse(f"{other.name} cannot go first. Of {who.name}'s side there is still to act: {others}.")
        start_turn(table, other.id)


@attrs.frozen(kw_only=True)
class EndEncounter(Action):
    """The encounter is over; nobody counts rounds any more, but open wounds bleed on."""

    verb: ClassVar[str] = "end-encounter"
    gm_only: ClassVar[bool] = True

    def resolve(self, table: Table) -> None:
        """Sides and reactions end with it."""
        everybody = fighting(table).order
        conditions.end_for_all(table, everybody, ARRIVING, REACTED)
        leave_sides(table, everybody)
        table.record(events.EncounterEnded())
