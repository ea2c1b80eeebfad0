"""The shapes of odds: chances as exact fractions and as percent, as ``rollbook odds --json`` says them."""

from __future__ import annotations

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.forecast.outcome import Checked


@attrs.frozen(kw_only=True)
class Chance(Record):
    """A chance as a fraction, such as "13/20", and in percent."""

    chance: str
    percent: float


@attrs.frozen(kw_only=True)
class TotalOdds(Chance):
    """A total and its chance."""

    total: int


@attrs.frozen(kw_only=True)
class OutcomeOdds(Chance):
    """One way in which a check comes out."""

    outcome: str
    success: bool


@attrs.frozen(kw_only=True)
class CheckOdds(Record):
    """A check by itself; ``made`` is the chance that it comes to it."""

    character: str
    check: str
    against: str
    made: Chance
    success: Chance
    outcomes: list[OutcomeOdds]


@attrs.frozen(kw_only=True)
class AmountOdds(Record):
    """An amount that a character may lose or gain."""

    character: str
    kind: str
    name: str
    mean: str
    average: float
    totals: list[TotalOdds]


@attrs.frozen(kw_only=True)
class RollOdds(Record):
    """A roll, and its totals if it is ``made``."""

    roller: str
    purpose: str
    expression: str
    made: Chance
    mean: str
    average: float
    totals: list[TotalOdds]


@attrs.frozen(kw_only=True)
class ConditionOdds(Chance):
    """The chance that a condition begins, or ends."""

    character: str
    condition: str
    began: bool


@attrs.frozen(kw_only=True)
class FirstOdds(Chance):
    """The chance that a character has the first turn."""

    character: str


@attrs.frozen(kw_only=True)
class RefusalOdds(Chance):
    """The chance that the rules say no once dice have fallen."""

    sentence: str


@attrs.frozen(kw_only=True)
class StoryOdds(Chance):
    """One way in which all checks come out together."""

    checks: list[Checked]


@attrs.frozen(kw_only=True)
class ForecastAnswer(Record):
    """Everything that may come of an action, the likeliest first; ``paths`` counts the ways that were followed."""

    checks: list[CheckOdds]
    stories: list[StoryOdds]
    amounts: list[AmountOdds]
    rolls: list[RollOdds]
    refusals: list[RefusalOdds]
    not_followed: Chance
    paths: int
    conditions: list[ConditionOdds]
    first: list[FirstOdds]


@attrs.frozen(kw_only=True)
class OddsAnswer(Record):
    """The dice that an action takes, "" for none, and what may come of it."""

    verb: str
    dice: str
    odds: ForecastAnswer
