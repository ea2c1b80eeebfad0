"""The exact odds of an action by playing every sequence of faces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import Intent
from rollbook.domain.events import Event
from rollbook.domain.forecast.chances import Forecast
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from tests.support.dice import DiceExhausted, FixedFaces

WeightedResult = tuple[Fraction, tuple[Event, ...] | RollbookError]


def every_result(
    rulebook: Rulebook, campaign: CampaignState, intent: Intent, *, dice: int = 99, seat: str = "", secret: bool = False
) -> Iterator[WeightedResult]:
    """Each way with its chance, and the events or the refusal; of ways with more dice than that nothing is told."""
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            yield chance, rulebook.play(campaign, intent, FixedFaces(faces), seat=seat, secret=secret).events
        except DiceExhausted as more:
            if len(faces) < dice:
                waiting += [((*faces, face), chance / more.sides) for face in range(1, more.sides + 1)]
        except RollbookError as refusal:
            yield chance, refusal


@attrs.define
class ResultTotals:
    """Totals over all results."""

    stories: dict[Any, Fraction] = attrs.field(factory=lambda: defaultdict(Fraction))
    damage: dict[Any, Fraction] = attrs.field(factory=lambda: defaultdict(Fraction))
    healing: dict[Any, Fraction] = attrs.field(factory=lambda: defaultdict(Fraction))
    conditions: dict[Any, Fraction] = attrs.field(factory=lambda: defaultdict(Fraction))
    totals: dict[Any, Fraction] = attrs.field(factory=lambda: defaultdict(Fraction))
    refusals: dict[str, Fraction] = attrs.field(factory=lambda: defaultdict(Fraction))


def totals_of(ways: Sequence[WeightedResult]) -> ResultTotals:
    """All ways added up, as shares of what was followed."""
    whole = sum(chance for chance, _ in ways)
    found = ResultTotals()
    for part, recorded in ways:
        chance = part / whole
        if isinstance(recorded, RollbookError):
            found.refusals[str(recorded)] += chance
            continue
        checks = [event for event in recorded if isinstance(event, events.CheckResolved)]
        words = [check.outcome or ("yes" if check.success else "no") for check in checks]
        named = zip(checks, words, strict=True)
        found.stories[tuple((c.character, c.check, c.against, word, c.success) for c, word in named)] += chance
        for kind, into in ((events.DamageTaken, found.damage), (events.HitPointsRestored, found.healing)):
            for who in {event.character for event in recorded if isinstance(event, kind)}:
                amount = sum(f.amount for f in recorded if isinstance(f, kind) and f.character == who)
                into[(who, amount)] += chance
        for turned in {
            (event.character, event.condition, isinstance(event, events.ConditionBegan))
            for event in recorded
            if isinstance(event, events.ConditionBegan | events.ConditionEnded)
        }:
            found.conditions[turned] += chance
        for event in recorded:
            if isinstance(event, events.DiceRolled):
                found.totals[(event.roller, event.purpose, event.total)] += chance
    return found


def totals_of_forecast(seen: Forecast) -> ResultTotals:
    """A forecast in the same form."""
    found = ResultTotals()
    for story in seen.stories:
        checks = tuple((c.character, c.check, c.against, c.outcome, c.success) for c in story.checks)
        found.stories[checks] += story.chance
    for amount in seen.amounts:
        into = {"damage": found.damage, "healing": found.healing}.get(amount.of.kind, {})
        for total, chance in amount.totals.items():
            into[(amount.of.character, total)] = chance
    for each in seen.turned:
        found.conditions[(each.turned.character, each.turned.condition, each.turned.began)] += each.chance
    for roll in seen.rolls:
        for total, chance in roll.totals.items():
            found.totals[(roll.roll.roller, roll.roll.purpose, total)] += chance * roll.made
    for refusal in seen.refusals:
        found.refusals[refusal.sentence] += refusal.chance
    return found


def check_forecast(seen: Forecast, ways: Sequence[WeightedResult]) -> None:
    """A forecast says exactly what all these ways come to."""
    wanted, has = totals_of(ways), totals_of_forecast(seen)
    assert has.stories == wanted.stories
    assert has.damage == with_zero_amounts(wanted.damage)
    assert has.healing == with_zero_amounts(wanted.healing)
    assert has.conditions == wanted.conditions
    assert has.refusals == wanted.refusals
    assert sum(has.stories.values()) + sum(has.refusals.values()) == 1


def with_zero_amounts(amounts: dict[Any, Fraction]) -> dict[Any, Fraction]:
    """Amounts of which each is 0 in all the ways that do not touch it, as a forecast counts them."""
    found = dict(amounts)
    for who in {who for who, _ in amounts}:
        rest = 1 - sum(chance for (name, _), chance in amounts.items() if name == who)
        if rest:
            found[(who, 0)] = found.get((who, 0), Fraction(0)) + rest
    return found
