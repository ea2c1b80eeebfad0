"""Turns in dangerous places, and the Exploration Die that ends each of them (R3.52–R3.58, Q3.34, Q3.36, Q3.54)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Kind,
    Table,
    banded,
    characters,
    conditions,
    events,
    let_pass,
    load,
    number,
    roll_on,
    words,
)
from ruleset_plugins.russell.burning import burning, mark_pip, use_up
from ruleset_plugins.russell.light import settle_light
from ruleset_plugins.russell.load import check_can_walk
from ruleset_plugins.russell.movement import turn_feet
from ruleset_plugins.russell.ongoing import fade
from ruleset_plugins.russell.peril import check_no_peril
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.weariness import tire

DANGER = "danger"
"""The GM's pool that says whether the place is dangerous: 1, and every Turn ends with the Exploration Die."""

PURPOSE = "Exploration Die"


@attrs.frozen(kw_only=True)
class Result:
    """A row of the Exploration Die: what it says, and whose affair it is (R3.54)."""

    lowest: int
    highest: int
    effect: str
    says: str
    rule: str


RESULTS = banded("exploration.json", load(__package__, "exploration.json", Result))


def travellers(table: Table) -> tuple[Character, ...]:
    """Player characters and hirelings who are in play and alive: those whom Turns tire."""
    kinds = (Kind.PLAYER_CHARACTER, Kind.HIRELING)
    return tuple(who for who in table.characters() if who.kind in kinds and not who.has(conditions.DEAD))


def is_dangerous(table: Table) -> bool:
    """Whether the GM has said that the place is dangerous (R3.52)."""
    return table.gm_pools.get(DANGER, 0) > 0


def roll_exploration(table: Table) -> Result:
    """Roll the Exploration Die and do what it says, danger or no danger (R3.54)."""
    result = roll_on(table, RESULTS, "1d6", roller=table.seat, purpose=PURPOSE)
    table.record(events.NoteWritten(text=f"Exploration Die {result.lowest}: {result.says}"))
    if result.effect == "tired":
        for who in travellers(table):
            tire(table, who.id)
    elif result.effect == "magic":
        fade(table)
    elif result.effect:
        _burn_down(table, result.effect)
    return result


def _burn_down(table: Table, effect: str) -> None:
    """Torches and candles that burn are gone, all at once; every lantern that burns marks a pip (Q3.34)."""
    for who in table.characters():
        for light in burning(who):
            if light.source.result == effect and light.source.pips:
                mark_pip(table, who.id, light)
            elif light.source.result == effect:
                use_up(table, who.id, light.item)
    settle_light(table)


def check_no_fight(table: Table) -> None:
    """Refuse in a fight what takes a Turn, even one that is counted already."""
    if table.encounter is not None:
        table.refuse("An encounter is being fought, and its Rounds make one Turn. End it first: end-encounter")


def take_turn(table: Table, *, dangerous: bool = False) -> None:
    """A Turn of some ten minutes passes; where it is ``dangerous``, or is said to be, the die ends it (R3.52)."""
    check_no_fight(table)
    check_no_peril(table, travellers(table))
    let_pass(table, house(table).turn_seconds)
    if dangerous or is_dangerous(table):
        roll_exploration(table)


@attrs.frozen(kw_only=True)
class Explore(Action):
    """Spend a Turn on one thing that matters: search a room, open a lock, walk on (R3.52, R3.53)."""

    verb: ClassVar[str] = "explore"
    gm_only: ClassVar[bool] = True

    task: str = words("what the Turn is spent on", default="")
    feet: int = number("how far the party walks, mapping with care", default=0, minimum=0, maximum=100_000, unit="feet")
    who: tuple[str, ...] = characters("who walks; everybody in the party unless it is said", default=())

    def resolve(self, table: Table) -> None:
        """Nobody is too heavily laden or too slow; the Turn passes, and danger has its die."""
        settle_light(table)
        party = [table.character(name) for name in self.who] or travellers(table)
        for who in party:
            check_can_walk(table, who)
        self._check_pace(table, party)
        if self.task:
            table.record(events.NoteWritten(text=self.task))
        take_turn(table)

    def _check_pace(self, table: Table, party: tuple[Character, ...] | list[Character]) -> None:
        settings = house(table)
        for who in sorted(party, key=lambda each: turn_feet(each, settings))[:1] if self.feet else ():
            pace = turn_feet(who, settings)
            if self.feet > pace:
                table.refuse(
                    f"The party cannot explore {self.feet} feet in a Turn: {who.name} is the slowest, with {pace} feet. "
                    f"Take another Turn for the rest."
                )
