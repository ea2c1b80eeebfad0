"""How old shapes of stored events become today's: one function from dict to dict for each step of a schema version.

A class of event that changes its shape gets the next version in ``VERSIONS`` and an upcaster for the step before; a
golden log in ``tests/campaigns`` keeps every shape that was ever released alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


def _without_a_package(fields: dict[str, Any]) -> dict[str, Any]:
    """Before campaigns remembered which distribution brought their ruleset."""
    return {**fields, "package": ""}


def unchanged(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields came in at the end, and what is older has them at their defaults."""
    return fields


HEADERS = ("ActionTaken", "ActionRevised", "ActionVoided", "ActionRestored")

VERSIONS: dict[str, int] = {"RulesetAdopted": 2, "NoteWritten": 2, **dict.fromkeys(HEADERS, 2)}
"""The schema version of an event by its class name, where it is not 1."""

UPCASTERS: dict[tuple[str, int], tuple[str, Upcaster]] = {
    ("RulesetAdopted", 1): ("RulesetAdopted", _without_a_package),
    ("NoteWritten", 1): ("NoteWritten", unchanged),
    **{(name, 1): (name, unchanged) for name in HEADERS},
}
"""From ``(name, version)`` to the name that the event bears one version later, and how its data gets there."""
