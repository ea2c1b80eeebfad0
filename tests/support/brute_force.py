"""Parameters of which a plain run takes the first, and the proofs by brute force all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(values: Iterable[Any], count: int = 1) -> list[Any]:
    """Parameters: the first ``count`` values, and the others marked as slow."""
    listed = list(values)
    return [*listed[:count], *(pytest.param(value, marks=pytest.mark.slow) for value in listed[count:])]
