"""A forecast as JSON has it: every chance as a fraction, and in percent."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from domain.dice.odds import Distribution
    from domain.forecast import CheckChance, Checked, Forecast


def odds_data(found: Forecast) -> dict[str, Any]:
    """All of it."""
    return {
        "checks": [
            {
                **_which(check),
                "made": _chance(check.made),
                "success": _chance(check.success),
                "outcomes": [
                    {"outcome": each.outcome, "success": each.success, **_chance(each.chance)}
                    for each in check.outcomes
                ],
            }
            for check in found.checks
        ],
        "stories": [
            {
                "checks": [{**_which(each), "outcome": each.outcome, "success": each.success} for each in story.checks],
                **_chance(story.chance),
            }
            for story in found.stories
        ],
        "amounts": [
            {
                "character": each.of.character,
                "kind": each.of.kind,
                "name": each.of.name,
                **_totals(each.totals),
            }
            for each in found.amounts
        ],
        "conditions": [
            {
                "character": each.turned.character,
                "condition": each.turned.condition,
                "began": each.turned.began,
                **_chance(each.chance),
            }
            for each in found.turned
        ],
        "first": [{"character": who, **_chance(chance)} for who, chance in found.first.items()],
        "rolls": [
            {
                "roller": each.roll.roller,
                "purpose": each.roll.purpose,
                "expression": each.roll.expression,
                "made": _chance(each.made),
                **_totals(each.totals),
            }
            for each in found.rolls
        ],
        "refusals": [{"sentence": each.sentence, **_chance(each.chance)} for each in found.refusals],
        "not_followed": _chance(found.not_followed),
        "paths": found.paths,
    }


def _which(check: CheckChance | Checked) -> dict[str, str]:
    return {"character": check.character, "check": check.check, "against": check.against}


def _chance(chance: Fraction) -> dict[str, Any]:
    return {"chance": str(chance), "percent": float(chance * 100)}


def _totals(totals: Distribution) -> dict[str, Any]:
    return {
        "mean": str(totals.mean),
        "average": float(totals.mean),
        "totals": [{"total": total, **_chance(chance)} for total, chance in totals.items()],
    }
