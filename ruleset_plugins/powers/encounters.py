"""A fight breaks out, others come into it, and it ends (R2.10, Q2.6, Q2.14, Q2.15)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Table,
    arrive,
    begin_encounter,
    begin_round,
    character,
    characters,
    conditions,
    events,
    fighting,
    place_by_score,
    ranked,
    words,
)
from ruleset_plugins.powers.health import KEPT_OUT
from ruleset_plugins.powers.rerolls import Rolls
from ruleset_plugins.powers.settings import NEXT_ROUND, house
from ruleset_plugins.powers.stats import INITIATIVE, stat_term
from ruleset_plugins.powers.turns import begin_turn


def _roll_initiative(rolls: Rolls, who: Character) -> tuple[int, int]:
    """1d20 + Initiative; of two who are level the higher bonus goes first (Q2.6)."""
    roll = rolls.eased(who.id, (stat_term(who, INITIATIVE),), purpose=INITIATIVE)
    return roll.total, roll.modifier


@attrs.frozen(kw_only=True)
class BeginEncounter(Action):
    """A fight breaks out: everybody rolls Initiative once, and the highest takes the first turn (R2.10)."""

    verb: ClassVar[str] = "begin-encounter"
    gm_only: ClassVar[bool] = True

    participants: tuple[str, ...] = characters("who takes part")
    title: str = words("what the fight is called", default="")

    def resolve(self, table: Table) -> None:
        """Only a tie for the first place is rolled again: who is level later on asks the GM (Q2.6, Q2.7)."""
        begin_encounter(table, self.participants, title=self.title)
        with Rolls(table) as rolls:
            roll = partial(_roll_initiative, rolls)
            first = begin_round(table, self.participants, KEPT_OUT, partial(ranked, roll=roll, only_first=True))
        if not first:
            table.refuse("Nobody in this fight can act. Name somebody who has hit points left.")
        begin_turn(table, first, ())


@attrs.frozen(kw_only=True)
class JoinEncounter(Action):
    """Somebody comes into a fight: they roll Initiative and have not acted in this round yet (Q2.15)."""

    verb: ClassVar[str] = "join-encounter"
    gm_only: ClassVar[bool] = True

    who: str = character("who comes")

    def resolve(self, table: Table) -> None:
        """Their place in the order is that of their roll."""
        who = arrive(table, self.who, next_round=house(table).late_joiner == NEXT_ROUND)
        with Rolls(table) as rolls:
            total, _ = _roll_initiative(rolls, who)
        place_by_score(table, who.id, total)


@attrs.frozen(kw_only=True)
class EndEncounter(Action):
    """The fight is over, and nobody counts rounds any more."""

    verb: ClassVar[str] = "end-encounter"
    gm_only: ClassVar[bool] = True

    def resolve(self, table: Table) -> None:
        """Nobody waits for a next round."""
        conditions.end_for_all(table, fighting(table).order, conditions.ARRIVING)
        table.record(events.EncounterEnded())
