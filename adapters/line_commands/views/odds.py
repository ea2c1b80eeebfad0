"""Odds as JSON."""

from rollbook.adapters.line_commands.json import json_shape, merged
from rollbook.domain.forecast import chances
from rollbook.domain.forecast.outcome import Checked, RollKey

json_shape(Checked, "character", "check", "against", "outcome", "success")
json_shape(chances.ForecastOutcome, "outcome", "success", "*chance")
json_shape(chances.CheckChance, "character", "check", "against", "made", "success", "outcomes")
json_shape(chances.Consequences, "checks", "*chance")
json_shape(chances.Amount, "*of", "*totals")
json_shape(chances.TurnedChance, "*turned", "*chance")
json_shape(RollKey, "roller", "purpose", "expression")
json_shape(chances.RollChance, "*roll", "made", "*totals")
json_shape(chances.Refusal, "sentence", "*chance")
json_shape(
    chances.Forecast,
    *("checks", "stories", "amounts", "rolls", "refusals", "not_followed", "paths"),
    conditions=lambda forecast: forecast.turned,
    first=lambda forecast: [merged(chance, character=who) for who, chance in forecast.first.items()],
)


def odds_json(found: chances.Forecast, **more: object) -> dict[str, object]:
    """JSON of a forecast, with more keys. A chance is an exact fraction, and in percent."""
    return merged(found, **more)
