"""The program's own dice, tested once with so many rolls as were planned: this tests our code and nobody else."""

from __future__ import annotations

from collections import Counter
from math import erfc, exp, gamma, sqrt

import pytest

from rollbook.domain.dice.stream import Stream, session_key
from rollbook.projections.luck.patterns import repeats, runs

KEY = session_key(0, bytes(range(16)), bytes(range(32)), bytes(32))


def chi2_sf(x: float, degrees: int) -> float:
    """The chance of more than ``x``: closed sums, by steps of two degrees from one or two."""
    half = x / 2
    at, tail = (0.5, erfc(sqrt(half))) if degrees % 2 else (1.0, exp(-half))
    while at < degrees / 2:
        tail += half**at * exp(-half) / gamma(at + 1)
        at += 1
    return tail


@pytest.mark.parametrize(
    ("x", "degrees", "share"),
    [
        (3.841458820694124, 1, 0.05),
        (5.991464547107979, 2, 0.05),
        (30.14352720564616, 19, 0.05),
        (123.2252214533618, 99, 0.05),
        (134.6416, 99, 0.01),
    ],
)
def test_the_tail_is_that_of_the_tables(x: float, degrees: int, share: float) -> None:
    assert chi2_sf(x, degrees) == pytest.approx(share, rel=2e-3)


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12, 20, 100])
def test_every_size_of_die_falls_evenly(sides: int) -> None:
    stream, wanted = Stream(KEY), 100 * sides
    faces = [stream.roll(1, index).draw(sides) for index in range(wanted)]
    counts = Counter(faces)
    squares = sum((counts[face] - 100) ** 2 / 100 for face in range(1, sides + 1))
    assert set(counts) <= set(range(1, sides + 1))
    assert chi2_sf(squares, sides - 1) > 0.001
    twice, swings = repeats(faces, sides), runs(faces, sides)
    assert twice is not None
    assert swings is not None
    assert abs(twice.z) < 3.3
    assert abs(swings.z) < 3.3
