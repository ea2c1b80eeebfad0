"""Upcasters make today's shapes of old stored lines: one function from dict to dict for each step of a schema version.

A class of event that changes its shape gets the next version in ``VERSIONS`` and an upcaster for the step before, and so do the
envelopes of an entry (``ActionTaken`` …, ``Private``). A golden log in ``tests/campaigns`` keeps every shape that was ever
released alive.
"""

from collections.abc import Callable, Mapping

import msgspec

Upcaster = Callable[[dict[str, object]], dict[str, object]]


def unchanged(fields: dict[str, object]) -> dict[str, object]:
    """Fields came in at the end, and what is older has them at their defaults."""
    return fields


VERSIONS: dict[str, int] = {"PictureShown": 2}
"""The schema version of an event by its class name, where it is not 1."""

UPCASTERS: dict[tuple[str, int], tuple[str, Upcaster]] = {("PictureShown", 1): ("PictureShown", unchanged)}
"""From ``(name, version)`` to the name that the event bears one version later, and how its data gets there."""


def steps_from(
    at: tuple[str, int], upcasters: Mapping[tuple[str, int], tuple[str, Upcaster]]
) -> tuple[list[Upcaster], str]:
    """The steps from an older shape to today's, without those that change nothing, and today's stored name."""
    steps: list[Upcaster] = []
    while at in upcasters:
        later, step = upcasters[at]
        steps.append(step)
        at = (later, at[1] + 1)
    return [step for step in steps if step is not unchanged], f"{at[0]}@{at[1]}"


def raised(steps: list[Upcaster], data: bytes) -> dict[str, object]:
    """The fields of a stored line, as JSON, in the shape that the steps lead to."""
    fields = msgspec.json.decode(data, type=dict[str, object])
    for step in steps:
        fields = step(fields)
    return fields
