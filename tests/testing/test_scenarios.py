"""The scenario fails loudly: dice that run out or are left over, events that are missing, refusals that do not come."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.dice import RollDice
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import DamageTaken, DiceRolled
from rollbook.rulesets.storytoken import RULESET
from rollbook.testing.scenarios import ScenarioFailed, like, rule, scenario

TWO_DICE = RollDice(expression="2d6", purpose="luck")


def test_events_in_order_are_what_is_expected() -> None:
    scenario(RULESET).when(TWO_DICE).rolling(3, 4).then(like(DiceRolled, total=7), only=True)


def test_dice_that_run_out_fail_the_test() -> None:
    with pytest.raises(RollbookError, match="needs another d6 for luck"):
        scenario(RULESET).when(TWO_DICE).rolling(3).then(DiceRolled)


def test_dice_that_are_left_over_fail_the_test() -> None:
    with pytest.raises(RollbookError, match="left over"):
        scenario(RULESET).when(TWO_DICE).rolling(3, 4, 5).then(DiceRolled)


def test_a_missing_event_fails_the_test_and_lists_what_there_is() -> None:
    with pytest.raises(ScenarioFailed, match=r"(?s)DamageTaken.*DiceRolled"):
        scenario(RULESET).when(TWO_DICE).rolling(3, 4).then(DamageTaken)


def test_an_event_too_many_fails_the_test() -> None:
    with pytest.raises(ScenarioFailed, match="not expected"):
        scenario(RULESET).when(TWO_DICE).rolling(3, 4).never(DiceRolled)


def test_a_refusal_that_does_not_come_fails_the_test() -> None:
    with pytest.raises(ScenarioFailed, match="not refused"):
        scenario(RULESET).when(TWO_DICE).rolling(3, 4).refused("anything")


def test_the_dice_of_a_roll_that_is_refused_are_part_of_the_sentence() -> None:
    scenario(RULESET).when(TWO_DICE).rolling(7, 1).refused("7 is not a face of a d6")


def test_a_test_can_say_which_rules_it_proves() -> None:
    @rule("R0.1", "R0.2")
    def proof() -> None: ...

    assert proof.rules == ("R0.1", "R0.2")  # type: ignore[attr-defined]
