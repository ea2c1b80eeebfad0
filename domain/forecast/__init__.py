"""What may come of an action, and how likely it is, before a die falls: exactly, for every verb of every game."""

from __future__ import annotations

from domain.forecast.chances import (
    Amount,
    CheckChance,
    Consequences,
    Forecast,
    ForecastOutcome,
    Refusal,
    RollChance,
    TurnedChance,
)
from domain.forecast.outcome import Checked, Rolled, Sum, Turned
from domain.forecast.roll_outcomes import TooMany
from domain.forecast.search import forecast

__all__ = [
    "Amount",
    "CheckChance",
    "Checked",
    "Consequences",
    "Forecast",
    "ForecastOutcome",
    "Refusal",
    "RollChance",
    "Rolled",
    "Sum",
    "TooMany",
    "Turned",
    "TurnedChance",
    "forecast",
]
