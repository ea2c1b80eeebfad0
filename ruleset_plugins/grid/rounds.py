"""Rounds: everybody rolls initiative anew in each, and who lies there keeps a turn to bleed in (R4.12, R4.43, Q4.28)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Table,
    Term,
    arrive,
    begin_encounter,
    begin_round,
    character,
    characters,
    check_goes_on,
    conditions,
    end_round,
    end_turn,
    events,
    fighting,
    place_by_score,
    ranked,
    still_to_act,
    then_bare,
    who_can,
    words,
)
from ruleset_plugins.grid.armour import HAMSTRUNG
from ruleset_plugins.grid.casting import end_blessings, refresh
from ruleset_plugins.grid.health import bleed, is_conscious
from ruleset_plugins.grid.moving import told
from ruleset_plugins.grid.saves import roll_d20
from ruleset_plugins.grid.settings import ENCOUNTER, house
from ruleset_plugins.grid.stats import stat_term

INITIATIVE = "initiative"
OUT = (conditions.DEAD,)


def initiative_terms(who: Character) -> tuple[Term, ...]:
    """What is added to initiative: Dexterity (R4.12)."""
    return (stat_term(who, "dex"),)


def _roll_initiative(table: Table, who: Character) -> tuple[int, ...]:
    return (roll_d20(table, who, initiative_terms(who), INITIATIVE).total,)


def _break_tie(table: Table, who: Character) -> tuple[int, ...]:
    return (roll_d20(table, who, (), "tie").total,)


def _begin_round(table: Table, names: Sequence[str]) -> None:
    """A round begins, and with it everybody's initiative; a bare d20 breaks a tie (Q4.39)."""
    roll = then_bare(partial(_roll_initiative, table), partial(_break_tie, table))
    begin_round(table, names, OUT, partial(ranked, roll=roll))


def _next_turn(table: Table) -> bool:
    """The next turn of the round, for whoever is conscious; the others bleed on the way. Returns whether somebody has it."""
    while True:
        waiting = still_to_act(table, OUT)
        if not waiting:
            return False
        name = waiting[0].id
        table.record(events.TurnBegan(character=name))
        if not is_conscious(waiting[0]):
            bleed(table, waiting[0])
        if is_conscious(table.character(name)):
            return True
        table.record(events.TurnEnded(character=name))


def _go_on(table: Table) -> None:
    """On to the next turn, into the next round if need be; where nobody stands, the GM goes on round by round."""
    if _next_turn(table):
        return
    end_round(table, seconds=house(table).round_seconds)
    names = fighting(table).order
    if who_can(table, names, OUT):
        _begin_round(table, names)
        _next_turn(table)


@attrs.frozen(kw_only=True)
class BeginEncounter(Action):
    """A fight breaks out: everybody rolls a d20 and adds Dexterity, and will again every round (R4.12)."""

    verb: ClassVar[str] = "begin-encounter"
    gm_only: ClassVar[bool] = True

    participants: tuple[str, ...] = characters("who takes part")
    title: str = words("what the fight is called", default="")

    def resolve(self, table: Table) -> None:
        """Everybody has a square of their own before it begins."""
        if not self.participants:
            table.refuse("A fight needs somebody in it: begin-encounter NAME,NAME,…")
        begin_encounter(table, self.participants, title=self.title)
        _check_squares(table, self.participants)
        if not any(is_conscious(table.character(name)) for name in self.participants):
            table.refuse("Nobody in this fight can act. Name somebody who is conscious.")
        _begin_round(table, self.participants)
        _next_turn(table)


def _check_squares(table: Table, names: Sequence[str]) -> None:
    there: dict[tuple[int, int, int], Character] = {}
    for who in who_can(table, names, OUT):
        other = there.setdefault(who.position, who)
        if other.id != who.id:
            table.refuse(
                f"{other.name} and {who.name} stand on the same square, {told(who.position)}. "
                f"Place one of them: place {who.id} --east 1 --north 0"
            )


@attrs.frozen(kw_only=True)
class JoinEncounter(Action):
    """Somebody comes into a fight and rolls initiative; they act in this round if their turn is still to come."""

    verb: ClassVar[str] = "join-encounter"
    gm_only: ClassVar[bool] = True

    who: str = character("who comes")

    def resolve(self, table: Table) -> None:
        """Among equals the newcomer comes last, until everybody rolls again in the next round."""
        who = arrive(table, self.who, next_round=False)
        _check_squares(table, fighting(table).order)
        place_by_score(table, who.id, *_roll_initiative(table, who))


@attrs.frozen(kw_only=True)
class EndTurn(Action):
    """End the turn; the next in the order has theirs, and after the last of a round everybody rolls initiative again."""

    verb: ClassVar[str] = "end-turn"

    def resolve(self, table: Table) -> None:
        """Whoever lies there bleeds or recovers when their turn comes (Q4.25, Q4.26)."""
        check_goes_on(table)
        end_turn(table)
        _go_on(table)


@attrs.frozen(kw_only=True)
class EndEncounter(Action):
    """The fight is over; what lasts for one encounter ends with it (Q4.30)."""

    verb: ClassVar[str] = "end-encounter"
    gm_only: ClassVar[bool] = True

    def resolve(self, table: Table) -> None:
        """Helpful spells fade, cut tendons close, and castings come back if the table plays so."""
        names = [name for name in fighting(table).order if table.knows(name)]
        conditions.end_for_all(table, names, HAMSTRUNG, conditions.ARRIVING)
        end_blessings(table, names)
        if house(table).cast_refresh == ENCOUNTER:
            refresh(table, names)
        table.record(events.EncounterEnded())
