"""Distances: metres are what counts, and feet are shown as they are printed (R1.16, Q1.27)."""

from __future__ import annotations

from functools import lru_cache

import attrs

from ruleset_plugins import load


@attrs.frozen(kw_only=True)
class Distance:
    """A distance that is printed in both units."""

    metres: int
    feet: int


PRINTED = load(__package__, "distances.json", Distance)


@lru_cache(maxsize=128)
def feet(metres: int) -> int:
    """A distance in feet: as printed, or else three and a third a metre, rounded down."""
    return next((each.feet for each in PRINTED if each.metres == metres), metres * 10 // 3)


@lru_cache(maxsize=128)
def metres(feet_: int) -> int:
    """A distance in metres: as printed, or else the nearest."""
    return next((each.metres for each in PRINTED if each.feet == feet_), (feet_ * 3 + 5) // 10)


def in_both(distance: int) -> str:
    """A distance in metres as it is shown: ``10 m (30 ft)``."""
    return f"{distance} m ({feet(distance)} ft)"
