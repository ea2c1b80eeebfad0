"""Outcome of one path: the checks made, the amounts (damage, healing and others), and the conditions that changed."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import attrs

from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import Event
from rollbook.domain.forecast.undecided import spread

Spread: TypeAlias = Mapping[int, Fraction]
"""A number that may be this or that, each with its chance."""


@attrs.frozen
class Checked(Record):
    """A check, and how it came out: ``outcome`` is the ruleset's word, "yes" or "no" where it has none."""

    character: CharacterId
    check: str
    against: str
    outcome: str
    success: bool


@attrs.frozen
class AmountKey(Record):
    """The subject of an amount: ``kind`` is "damage", "healing", "pool", "stat" or "experience", ``name`` a pool or stat."""

    character: CharacterId
    kind: str
    name: str = ""


@attrs.frozen
class Turned(Record):
    """A condition that a character is in, or no longer."""

    character: CharacterId
    condition: str
    began: bool


@attrs.frozen
class RollKey(Record):
    """A roll by its key: ``ordinal`` counts those of the same roller, purpose and expression from 0."""

    roller: str
    purpose: str
    expression: str
    ordinal: int = 0


@attrs.frozen(kw_only=True)
class PathOutcome(Record):
    """The end of a path, on which rolls may still be in the air."""

    chance: Fraction
    checks: tuple[Checked, ...] = ()
    amounts: Mapping[AmountKey, Spread] = attrs.field(factory=dict)
    turned: tuple[Turned, ...] = ()
    first: CharacterId = ""
    rolls: Mapping[RollKey, Spread] = attrs.field(factory=dict)
    refusal: RollbookError | None = None


_Amount: TypeAlias = Callable[[Any], tuple[AmountKey, int]]
_AMOUNTS: dict[type[Event], _Amount] = {
    events.DamageTaken: lambda event: (AmountKey(event.character, "damage"), event.amount),
    events.HitPointsRestored: lambda event: (AmountKey(event.character, "healing"), event.amount),
    events.PoolGained: lambda event: (AmountKey(event.holder, "pool", event.pool), event.amount),
    events.PoolSpent: lambda event: (AmountKey(event.holder, "pool", event.pool), -event.amount),
    events.StatChanged: lambda event: (AmountKey(event.character, "stat", event.stat), event.amount),
    events.ExperienceAwarded: lambda event: (AmountKey(event.character, "experience"), event.amount),
}


def checks_of(recorded: Iterable[Event]) -> tuple[Checked, ...]:
    """The checks, in their order. Asking whether one succeeded is a look: it may branch the path."""
    return tuple(
        Checked(
            event.character,
            event.check,
            event.against,
            event.outcome or ("yes" if event.success else "no"),
            bool(event.success),
        )
        for event in recorded
        if isinstance(event, events.CheckResolved)
    )


def amounts_of(recorded: Iterable[Event]) -> dict[AmountKey, Spread]:
    """Every amount, added up over the action."""
    found: dict[AmountKey, list[int]] = {}
    for event in recorded:
        if (amount := _AMOUNTS.get(type(event))) is not None:
            of, number = amount(event)
            found.setdefault(of, []).append(number)
    return {of: spread(numbers) for of, numbers in found.items()}


def turned_by(recorded: Iterable[Event]) -> tuple[Turned, ...]:
    """The conditions that began and those that ended, each once."""
    turned = (
        Turned(event.character, event.condition, isinstance(event, events.ConditionBegan))
        for event in recorded
        if isinstance(event, events.ConditionBegan | events.ConditionEnded)
    )
    return tuple(dict.fromkeys(turned))


def first_turn(recorded: Iterable[Event]) -> CharacterId:
    """The character whose turn begins first, "" for none."""
    return next((event.character for event in recorded if isinstance(event, events.TurnBegan)), "")


def rolls_of(recorded: Iterable[Event]) -> dict[RollKey, Spread]:
    """Every roll with its totals."""
    found: dict[RollKey, Spread] = {}
    for event in recorded:
        if isinstance(event, events.DiceRolled):
            roll = RollKey(event.roller, event.purpose, event.expression)
            while roll in found:
                roll = attrs.evolve(roll, ordinal=roll.ordinal + 1)
            found[roll] = spread((event.total,))
    return found
