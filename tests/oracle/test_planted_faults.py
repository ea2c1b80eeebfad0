"""The oracle can see what is wrong: whatever is planted in the engine is found within a few campaigns, and named."""

from __future__ import annotations

import pytest

from tests.oracle.faults import FAULTS, QUICK, Fault, seen


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=() if fault.name in QUICK else pytest.mark.slow, id=fault.name) for fault in FAULTS],
)
def test_a_planted_fault_is_named(fault: Fault) -> None:
    assert seen(fault).startswith(fault.about)
