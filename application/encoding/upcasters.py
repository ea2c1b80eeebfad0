"""Upcasters make today's shapes of old stored lines: one function from dict to dict for each step of a schema version.

A class of event that changes its shape gets the next version in ``VERSIONS`` and an upcaster for the step before, and so do the
envelopes of an entry (``ActionTaken`` …, ``Private``). A golden log in ``tests/campaigns`` keeps every shape that was ever
released alive.
"""

from collections.abc import Callable

Upcaster = Callable[[dict[str, object]], dict[str, object]]


def unchanged(fields: dict[str, object]) -> dict[str, object]:
    """Fields came in at the end, and what is older has them at their defaults."""
    return fields


VERSIONS: dict[str, int] = {}
"""The schema version of an event by its class name, where it is not 1."""

UPCASTERS: dict[tuple[str, int], tuple[str, Upcaster]] = {}
"""From ``(name, version)`` to the name that the event bears one version later, and how its data gets there."""
