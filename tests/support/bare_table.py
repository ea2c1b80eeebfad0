"""A table after given events, with given dice and no action yet."""

from __future__ import annotations

from collections.abc import Sequence

from rollbook.domain.actions.dice import RollDice
from rollbook.domain.dice.supply import PhysicalDice
from rollbook.domain.entries import Intent, SecondThought
from rollbook.domain.events import CharacterJoined, ConditionBegan, DamageTaken, Event, Role, SeatTaken
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import fold


def joined_events(*names: str, seat: str = "") -> tuple[CharacterJoined, ...]:
    """Characters with nothing but names."""
    return tuple(CharacterJoined(character=name, name=name.title(), seat=seat) for name in names)


def seat_taken(name: str, role: Role = Role.PLAYER) -> SeatTaken:
    """A person who sits down."""
    return SeatTaken(seat=name, role=role, number=0 if role is Role.GM else 1)


def table_after(
    happened: Sequence[Event] = (),
    *,
    dice: tuple[int, ...] = (),
    thoughts: tuple[SecondThought, ...] = (),
    seat: str = "",
    ruleset: Ruleset | None = None,
) -> Table:
    """A table at which these things have happened."""
    action = RollDice(expression="1d20")
    intent = Intent(verb=action.verb, params={}, second_thoughts=thoughts)
    campaign = fold(EMPTY, happened)
    return Table(campaign, action=action, intent=intent, dice=PhysicalDice(dice), ruleset=ruleset, seat=seat)


def recorded_events(table: Table) -> tuple[Event, ...]:
    """The events recorded at a table; every die must have been used."""
    return table.finish().events


def hurt(amount: int) -> DamageTaken:
    """Robin loses hit points."""
    return DamageTaken(character="robin", amount=amount, dealt=amount)


def condition(name: str) -> ConditionBegan:
    """A condition of Robin begins."""
    return ConditionBegan(character="robin", condition=name)


def table_with(*more: Event) -> Table:
    """A table at which Robin joined and these things have happened."""
    return table_after((*joined_events("robin"), *more))
