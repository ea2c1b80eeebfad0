"""What commands answer with --json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import attrs

from adapters.storage.codec import CODEC
from adapters.verb_line import user_parameters
from domain.action import usage
from domain.entries import RecordedEntry
from projections.contributions import Contribution
from projections.session_log import LogLine

if TYPE_CHECKING:
    from domain.action import Action
    from domain.audit import Answer
    from domain.dice.odds import Distribution
    from domain.forecast import CheckChance, Checked, Forecast
    from domain.ruleset import Ruleset
    from domain.sheet import Sheet, Term, Value


def events_data(entry: RecordedEntry) -> list[dict[str, Any]]:
    """The facts of an entry as JSON has them."""
    found = []
    for fact in entry.facts:
        _, fields = json.loads(CODEC.encode(fact))
        found.append({"event": type(fact).__name__, **fields})
    return found


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


def ruleset_data(key: str, ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as JSON has it."""
    return {"ruleset": key, "title": ruleset.title, "version": ruleset.version, "summary": ruleset.summary}


def verb_data(action: type[Action], ruleset: str) -> dict[str, Any]:
    """A verb as JSON has it."""
    return {
        "verb": action.verb,
        "ruleset": ruleset,
        "usage": usage(action),
        "help": " ".join((action.__doc__ or "").split()),
        "gm_only": action.gm_only,
        "final": action.final,
        "parameters": [
            {
                "name": parameter.name,
                "want": str(parameter.want),
                "required": parameter.required,
                "default": parameter.default,
                "choices": list(parameter.choices),
                "unit": parameter.unit,
                "help": parameter.help,
            }
            for parameter in user_parameters(action)
        ],
    }


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer of the audit as JSON has it."""
    return {
        "question": answer.question,
        "verdict": str(answer.verdict),
        "checked": answer.checked,
        "remarks": list(answer.remarks),
        "findings": [{"entry": finding.entry, "text": finding.text} for finding in answer.findings],
    }


def line_data(line: LogLine) -> dict[str, Any]:
    """A line of the log as JSON has it. A line that nobody in particular stands behind says no seat.

    Who acted, who else it was about and what sorts of facts there are: lists, the ids and the names among them.
    """
    data = attrs.asdict(line)
    for key in ("actor", "targets", "kinds"):
        data[key] = [word for word in data[key].split("|") if word]
    if not line.seat:
        del data["seat"]
    return data


def sheet_data(shown: Sheet) -> dict[str, Any]:
    """A sheet as JSON has it."""
    return {
        "character": shown.character,
        "name": shown.name,
        "title": shown.title,
        "values": [
            {
                "key": value.key,
                "label": value.label,
                "amount": value.amount,
                "shown": str(value),
                "group": value.group,
                "terms": [_term_data(term) for term in value.terms],
            }
            for value in shown.values
        ],
        "words": dict(shown.words),
    }


def _term_data(term: Term) -> dict[str, Any]:
    return {"amount": term.amount, "label": term.label, "rule": term.rule, "path": term.path}


def why_data(shown: Sheet, value: Value, origins: Sequence[tuple[Term, Sequence[Contribution]]]) -> dict[str, Any]:
    """A value and its origins as JSON has them."""
    return {
        "character": shown.character,
        "key": value.key,
        "label": value.label,
        "amount": value.amount,
        "shown": str(value),
        "terms": [
            {**_term_data(term), "actions": [attrs.asdict(origin) for origin in found]} for term, found in origins
        ],
    }
