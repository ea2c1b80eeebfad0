"""Turns that are handed on: initiative says who begins, then everybody picks who is next (R2.10–R2.16).

Whoever was attacked may take the turn instead of the one who was picked. Until the picked one has done anything, that is
noted in what the turn has used up: it goes with the turn and leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NoReturn

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Encounter,
    Table,
    character,
    check_goes_on,
    conditions,
    end_round,
    end_turn,
    events,
    fighting,
    is_gm,
    own_turn,
    spend,
    still_to_act,
)
from ruleset_plugins.powers.health import KEPT_OUT, fit
from ruleset_plugins.powers.powers import MAIN, Power
from ruleset_plugins.powers.settings import house

USED, ATTACKED, MAY_INTERRUPT, INTERRUPTED = "power:", "attacked:", "may interrupt:", "interrupted"
"""What ``TurnSpent`` counts in a turn, besides the main power; behind a colon stands which power, or who."""


def _noted(encounter: Encounter, mark: str) -> list[str]:
    """Whom this turn has noted under a mark."""
    return [what.removeprefix(mark) for what in encounter.spent if what.startswith(mark)]


def take_power(table: Table, who: Character, power: Power, *, out_of_turn: bool = False) -> None:
    """A power is for one's own turn; no power twice in it, and no second main power (R2.11, Q2.5)."""
    encounter = own_turn(table, who, out_of_turn=out_of_turn, hand_on=" --next ID")
    if encounter is None:
        return
    spent = encounter.spent
    if f"{USED}{power.key}" in spent:
        table.refuse(
            f"{who.name} has used {power.title} this turn, and no power works twice in a turn. Choose another one."
        )
    if power.cost_under(house(table)) == MAIN:
        if MAIN in spent:
            table.refuse(
                f"{power.title} is a main power, and {who.name} has used one this turn. Use a free power, or hand the turn "
                f"on: end-turn --next ID"
            )
        spend(table, who, MAIN)
    spend(table, who, f"{USED}{power.key}")


def note_attacked(table: Table, attacker: Character, targets: Iterable[Character]) -> None:
    """Hit or missed, they may want the next turn (R2.13, Q2.7)."""
    if table.encounter is not None and table.encounter.current == attacker.id:
        for target in targets:
            spend(table, attacker, f"{ATTACKED}{target.id}")


def begin_turn(table: Table, name: str, claimants: Iterable[str]) -> None:
    """The turn is somebody's, unless one of the ``claimants`` takes it."""
    table.record(events.TurnBegan(character=name))
    who = table.character(name)
    for claimant in claimants:
        spend(table, who, f"{MAY_INTERRUPT}{claimant}")


@attrs.frozen(kw_only=True)
class EndTurn(Action):
    """End the turn and pick who is next, ally or enemy; after the last turn of a round, anybody (R2.12, R2.16)."""

    verb: ClassVar[str] = "end-turn"

    next: str = character("who takes the next turn, of those who have not had one", default="")

    def resolve(self, table: Table) -> None:
        """The pick stands unless somebody who was attacked in this turn interrupts it."""
        encounter = fighting(table)
        check_goes_on(table, hand_on=" --next ID")
        attacked = _noted(encounter, ATTACKED)
        end_turn(table)
        waiting = still_to_act(table, KEPT_OUT)
        if not waiting:
            waiting = self._next_round(table)
            attacked = attacked if house(table).interrupt_across_rounds else []
        picked = self._picked(table, waiting)
        begin_turn(table, picked, [who.id for who in waiting if who.id in attacked])

    def _next_round(self, table: Table) -> list[Character]:
        """Everybody who could act has acted: nobody has in the new round (R2.15, Q2.9)."""
        end_round(table, conditions.ARRIVING, seconds=house(table).round_seconds)
        table.record(events.RoundBegan())
        return still_to_act(table, KEPT_OUT)

    def _picked(self, table: Table, waiting: Sequence[Character]) -> str:
        ids = [who.id for who in waiting]
        if not ids:
            table.refuse("Nobody in this fight can act any more. The GM ends it with: end-encounter")
        picked = self.next or (ids[0] if len(ids) == 1 else "")
        if picked not in ids:
            self._refuse(table, fighting(table), ", ".join(ids))
        return picked

    def _refuse(self, table: Table, encounter: Encounter, listed: str) -> NoReturn:
        if self.next:
            who = table.character(self.next)
            table.refuse(f"{who.name} cannot take the next turn: {_why_not(encounter, who)}. Pick one of {listed}.")
        begins = "" if encounter.acted else f" Round {encounter.round} begins, and whoever had the last turn picks."
        table.refuse(f"Say who takes the next turn, with --next: {listed}.{begins}")


def _why_not(encounter: Encounter, who: Character) -> str:
    if who.id not in encounter.order:
        return f"{who.name} does not take part in this fight"
    if who.id in encounter.acted:
        return f"{who.name} has had a turn in round {encounter.round}, and nobody has two"
    return f"{who.name} is {next((state for state in KEPT_OUT if who.has(state)), 'out of play')}"


@attrs.frozen(kw_only=True)
class Interrupt(Action):
    """Take the next turn instead of whoever was picked, after being attacked in the turn before (R2.13, Q2.7)."""

    verb: ClassVar[str] = "interrupt"

    who: str = character("who was attacked and takes the turn", actor=True)

    def resolve(self, table: Table) -> None:
        """Before the picked one has done anything; of several the highest initiative, and the GM between equals."""
        encounter = fighting(table)
        who = fit(table, self.who)
        claimants = _noted(encounter, MAY_INTERRUPT)
        self._check(table, encounter, who, claimants)
        begin_turn(table, who.id, claimants)
        spend(table, who, INTERRUPTED)

    def _check(self, table: Table, encounter: Encounter, who: Character, claimants: Sequence[str]) -> None:
        if encounter.current == who.id:
            table.refuse(f"{who.name} has the turn already.")
        if who.id not in claimants:
            table.refuse(
                f"{who.name} cannot interrupt: {self._why_not(table, encounter, who)}. Those who can: "
                f"{', '.join(claimants) or 'nobody'}."
            )
        turn = table.character(encounter.current).name
        if len(encounter.spent) > len(claimants) + (INTERRUPTED in encounter.spent):
            table.refuse(f"{who.name} is too late: {turn} has begun to act. An Interrupt comes right after the pick.")
        if INTERRUPTED in encounter.spent:
            self._check_initiative(table, encounter, who, turn)

    def _why_not(self, table: Table, encounter: Encounter, who: Character) -> str:
        if who.id in encounter.acted:
            return f"{who.name} has had a turn in round {encounter.round}"
        if encounter.round > 1 and not encounter.acted and not house(table).interrupt_across_rounds:
            return "at this table nobody interrupts across rounds (interrupt_across_rounds = no)"
        return f"{who.name} was not attacked in the turn before"

    def _check_initiative(self, table: Table, encounter: Encounter, who: Character, turn: str) -> None:
        scores = dict(zip(encounter.order, encounter.scores, strict=False))
        mine, theirs = scores.get(who.id, 0), scores.get(encounter.current, 0)
        if mine < theirs:
            table.refuse(f"{turn} has interrupted too, and with {theirs} against {mine} has the higher initiative.")
        if mine == theirs and not is_gm(table):
            table.refuse(f"{turn} has interrupted too, with the same initiative of {mine}: the GM says who goes first.")
