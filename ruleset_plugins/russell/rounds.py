"""Rounds: initiative is rolled anew in each, the wounded bleed at its end, and the whole fight is one Turn (R3.74, R3.75)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Ranked,
    Table,
    arrive,
    begin_encounter,
    character,
    characters,
    check_among,
    conditions,
    end_turn,
    events,
    fighting,
    flag,
    let_pass,
    ranked,
    still_to_act,
    then_bare,
    words,
)
from ruleset_plugins import begin_round as open_round
from ruleset_plugins import end_round as close_round
from ruleset_plugins.conditions import ARRIVING, SURPRISED
from ruleset_plugins.russell.bleeding import bleed
from ruleset_plugins.russell.criticals import CRITICAL
from ruleset_plugins.russell.exploration import is_dangerous, roll_exploration, travellers
from ruleset_plugins.russell.fire import burn
from ruleset_plugins.russell.peril import check_no_peril
from ruleset_plugins.russell.prowess import STANCES, initiative_terms
from ruleset_plugins.russell.ranges import begin_apart, end_ranges
from ruleset_plugins.russell.rolls import roll_test
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.turns import BRACED, KEPT_OUT, begin_turn, end_free_attacks
from ruleset_plugins.russell.wounds import wear_off

GROUP = "group"
"""The kind of the trait that monsters share who act together: they roll initiative once (R3.96)."""


@attrs.frozen(kw_only=True)
class BeginEncounter(Action):
    """Count time in Rounds: everybody rolls 1d6 + WIS, the highest acts first, and anew every Round (R3.75)."""

    verb: ClassVar[str] = "begin-encounter"
    gm_only: ClassVar[bool] = True

    participants: tuple[str, ...] = characters("who takes part")
    surprised: tuple[str, ...] = characters("who of them is surprised and loses the first Round", default=())
    range: str = words("how far apart the sides begin: engaged, close, medium, far", default="")
    title: str = words("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        """Surprise first, then Round one."""
        check_among(table, self.surprised, self.participants)
        begin_encounter(table, self.participants, title=self.title)
        if self.range:
            begin_apart(table, self.range)
        for name in self.surprised:
            conditions.begin(table, name, SURPRISED)
        if not begin_round(table, self.participants):
            table.refuse("Nobody in this encounter can act: everybody is surprised or down.")


@attrs.frozen(kw_only=True)
class JoinEncounter(Action):
    """Somebody arrives in a fight, and acts from the next Round on."""

    verb: ClassVar[str] = "join-encounter"
    gm_only: ClassVar[bool] = True

    who: str = character("who arrives")

    def resolve(self, table: Table) -> None:
        """At the end of the order, waiting for the next initiative."""
        arrive(table, self.who, next_round=True)


@attrs.frozen(kw_only=True)
class EndTurn(Action):
    """End the turn; the next in the order acts, and when all have, a new Round begins with new initiative."""

    verb: ClassVar[str] = "end-turn"

    def resolve(self, table: Table) -> None:
        """A critical hit must be settled before the fight goes on (Q3.27)."""
        encounter = fighting(table)
        if encounter.current:
            _check_settled(table, table.character(encounter.current))
        end_turn(table)
        waiting = still_to_act(table, KEPT_OUT)
        if waiting:
            begin_turn(table, waiting[0].id)
        else:
            end_round(table)
            begin_round(table, fighting(table).order)


def _check_settled(table: Table, who: Character) -> None:
    for choice in who.choices:
        if choice.startswith(CRITICAL):
            table.refuse(
                f"{who.name} has hit with a natural 20 and chooses first: choose {who.id} {choice} "
                f"{who.choices[choice][0].partition(' ')[0]}"
            )


@attrs.frozen(kw_only=True)
class EndEncounter(Action):
    """The encounter is over. All its Rounds together were one Turn (R3.74)."""

    verb: ClassVar[str] = "end-encounter"
    gm_only: ClassVar[bool] = True

    dangerous: bool = flag(
        "the place is dangerous, though nobody said so before: the Exploration Die is rolled (Q3.54)"
    )

    def resolve(self, table: Table) -> None:
        """What only lasts in a fight ends; the Turn passes; in a dangerous place the die is rolled."""
        encounter = fighting(table)
        check_no_peril(table, (*(table.character(name) for name in encounter.order), *travellers(table)))
        for name in encounter.order:
            end_free_attacks(table, name)
        conditions.end_for_all(table, encounter.order, SURPRISED, ARRIVING, BRACED, *STANCES)
        end_ranges(table, encounter.order)
        table.record(events.EncounterEnded())
        let_pass(table, house(table).turn_seconds)
        if (self.dangerous or is_dangerous(table)) and house(table).exploration_roll_after_combat:
            roll_exploration(table)


def end_round(table: Table) -> None:
    """All have acted: surprise is over, latecomers may join in, stuns wear off, and who bleeds saves (R3.92, Q3.14)."""
    close_round(table, SURPRISED, ARRIVING)
    for name in fighting(table).order:
        end_free_attacks(table, name)
        burn(table, name)
        wear_off(table, name)
        bleed(table, name)


def begin_round(table: Table, participants: Sequence[str]) -> bool:
    """A Round begins with initiative; whether anybody can act in it. Everyone else stays in the order, last."""
    first = open_round(table, participants, KEPT_OUT, partial(_in_order, table))
    if first:
        begin_turn(table, first)
    return bool(first)


def _in_order(table: Table, able: Sequence[Character]) -> list[Ranked]:
    """Highest initiative first; a tie goes to the higher modifier, then to a plain d6; groups roll once (Q3.23, R3.96)."""
    units = {_unit(who): who for who in reversed(able)}
    roll = then_bare(partial(_roll_initiative, table), partial(_break_tie, table))
    leading = ranked([who for who in able if units[_unit(who)] is who], roll)
    return [(who, score) for leader, score in leading for who in able if _unit(who) == _unit(leader)]


def _unit(who: Character) -> str:
    """Who rolls together: a group of monsters, or somebody alone."""
    return next((f"group {group}" for group in who.traits_of(GROUP)), who.id)


def _roll_initiative(table: Table, who: Character) -> tuple[int, ...]:
    terms = tuple(initiative_terms(who))
    roll = roll_test(table, who, terms, kind="initiative", purpose="initiative", die="d6")
    return roll.total, sum(term.amount for term in terms)


def _break_tie(table: Table, who: Character) -> tuple[int, ...]:
    return (table.roll("1d6", roller=who.id, purpose="initiative, tied").total,)
