"""What may come of an action, and how likely it is, before a die falls: exactly, for every verb of every game."""

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
from domain.forecast.outcome import AmountKey, Checked, RollKey, Turned
from domain.forecast.roll_outcomes import TooMany
from domain.forecast.search import forecast

__all__ = [
    "Amount",
    "AmountKey",
    "CheckChance",
    "Checked",
    "Consequences",
    "Forecast",
    "ForecastOutcome",
    "Refusal",
    "RollChance",
    "RollKey",
    "TooMany",
    "Turned",
    "TurnedChance",
    "forecast",
]
