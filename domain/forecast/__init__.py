"""What may come of an action, and how likely it is, before a die falls: exactly, for every verb of every game."""

from __future__ import annotations

from domain.forecast.chances import Amount, CheckChance, Forecast, Outcome, Refusal, RollChance, Story, TurnedChance
from domain.forecast.ending import Checked, Rolled, Sum, Turned
from domain.forecast.falls import TooMany
from domain.forecast.walk import forecast

__all__ = [
    "Amount",
    "CheckChance",
    "Checked",
    "Forecast",
    "Outcome",
    "Refusal",
    "RollChance",
    "Rolled",
    "Story",
    "Sum",
    "TooMany",
    "Turned",
    "TurnedChance",
    "forecast",
]
