"""The oracle can see what is wrong: whatever is planted in the engine is found within a few campaigns, and named."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext

import pytest

from tests.oracle.faults import FAULTS, MOST, QUICK, Fault, seen

KINDS = list({tuple(sorted(fault.often.items())): fault.often for fault in FAULTS}.values())
"""The kinds of campaigns in which faults are looked for, by what happens often."""


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=() if fault.name in QUICK else pytest.mark.slow, id=fault.name) for fault in FAULTS],
)
def test_a_planted_fault_is_named(fault: Fault) -> None:
    found = seen(fault)
    assert found and found[-1].startswith(fault.about), f"not named in {MOST} campaigns: {found}"


@pytest.mark.slow
@pytest.mark.parametrize("often", KINDS, ids=[" ".join(often) or "as usual" for often in KINDS])
def test_in_the_first_of_these_campaigns_nothing_is_named_without_a_fault(often: Mapping[str, int]) -> None:
    assert seen(Fault("none", nullcontext, "what is not there", often), MOST // 4) == []
