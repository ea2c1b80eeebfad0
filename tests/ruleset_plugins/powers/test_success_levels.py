"""A roll has one of four levels of success: compared with its DC first, then moved by a natural 20 or 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import events
from rollbook.rulesets.powers.checks import Check, SuccessLevel, level_of
from rollbook.testing.scenarios import like, rule

CRITICAL, SUCCESS, FAILURE, FUMBLE = (
    SuccessLevel.CRITICAL_SUCCESS,
    SuccessLevel.SUCCESS,
    SuccessLevel.FAILURE,
    SuccessLevel.CRITICAL_FAILURE,
)

NEITHER = 10
"""A face that decides nothing by itself."""


@rule("R2.2", "R2.3", "Q2.1")
@pytest.mark.parametrize(
    ("over", "level"),
    [
        (30, CRITICAL),
        (10, CRITICAL),
        (9, SUCCESS),
        (0, SUCCESS),
        (-1, FAILURE),
        (-10, FAILURE),
        (-11, FUMBLE),
        (-40, FUMBLE),
    ],
)
def test_the_four_bands_and_their_edges(over: int, level: SuccessLevel) -> None:
    assert level_of(15 + over, 15, NEITHER, crit_fail_margin=11) is level


@rule("Q2.1")
def test_a_table_may_begin_critical_failures_at_ten_below() -> None:
    assert level_of(5, 15, NEITHER, crit_fail_margin=10) is FUMBLE
    assert level_of(6, 15, NEITHER, crit_fail_margin=10) is FAILURE


@rule("Q2.1")
def test_ten_below_is_a_failure_unless_the_house_rule_says_critical(table) -> None:
    sneak = Check(who="alice", stat="stealth", target="hard")
    table().when(sneak).rolling(8).then(like(events.CheckResolved, total=10, outcome="failure", success=False))
    strict = table(crit_fail_margin=10).when(sneak).rolling(8)
    strict.then(like(events.CheckResolved, total=10, outcome="critical failure", success=False))


@rule("R2.4", "R2.5", "Q2.2")
@pytest.mark.parametrize(
    ("total", "natural", "level"),
    [
        (14, 20, SUCCESS),
        (15, 20, CRITICAL),
        (4, 20, FAILURE),
        (25, 20, CRITICAL),
        (25, 1, SUCCESS),
        (15, 1, FAILURE),
        (14, 1, FUMBLE),
        (4, 1, FUMBLE),
        (15, 19, SUCCESS),
        (15, 2, SUCCESS),
    ],
)
def test_a_20_is_one_level_better_and_a_1_one_worse_and_neither_decides_alone(
    total: int, natural: int, level: SuccessLevel
) -> None:
    assert level_of(total, 15, natural, crit_fail_margin=11) is level


@rule("R2.4", "Q2.2")
def test_a_20_far_below_an_impossible_dc_only_saves_from_the_worst(table) -> None:
    roll = table().when(Check(who="alice", stat="stealth", target="impossible")).rolling(20)
    roll.then(like(events.CheckResolved, total=22, target=40, outcome="failure", success=False))


@rule("R2.5", "Q2.2")
def test_a_1_that_would_have_been_a_success_fails(table) -> None:
    roll = table().when(Check(who="alice", stat="30", target="hard")).rolling(1)
    roll.then(like(events.CheckResolved, total=31, target=20, outcome="success", success=True))
    roll = table().when(Check(who="alice", stat="20", target="hard")).rolling(1)
    roll.then(like(events.CheckResolved, total=21, target=20, outcome="failure", success=False))


@rule("R2.3", "Q2.1")
@given(
    total=st.integers(-60, 90), dc=st.integers(-10, 60), margin=st.sampled_from((10, 11)), natural=st.integers(1, 20)
)
def test_more_is_never_worse_and_the_bands_leave_no_gap(total: int, dc: int, margin: int, natural: int) -> None:
    here, above = level_of(total, dc, natural, margin), level_of(total + 1, dc, natural, margin)
    assert here <= above <= here + 1
    assert here.succeeds == (here in (SUCCESS, CRITICAL))
