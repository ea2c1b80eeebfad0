"""An honest table is never accused: whatever is played, undone, granted, overridden or corrected, its dice verify."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_audit import audit_dice, dice_list
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Override
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.events import DiceRolled
from tests.support.random_steps import ActionStep, RandomSteps
from tests.support.toy_table import ToyTable, close_and_reveal, grant_dice, play_random_steps


def at_random(table: ToyTable, seed: int, steps: int) -> None:
    """Play and corrections, with grants, overrides and the same requests again."""
    chance, more = RandomSteps(seed), random.Random(seed)
    table.do("entropy", seat="mira", text="6 2 5 1 4")
    for _ in range(steps):
        action = more.randint(max(1, table.history.actions - 12), table.history.actions)
        try:
            match more.randrange(8):
                case 0:
                    grant_dice(table, action, screen=more.random() < 0.3)
                case 1:
                    override = Override(faces=(more.randint(1, 6),), first=more.randint(1, 2))
                    table.apply(table.preview_drawing({action: override}))
                case 2:
                    table.undo(action)
                    _again(table, action)
                case _:
                    play_random_steps(table, chance, 1, corrections=0.4)
        except (Refused, NotFound, DiceNeeded):
            continue


def _again(table: ToyTable, action: int) -> None:
    intent = table.history.intent_of(action)
    table.take(ActionStep(verb=intent.verb, params=intent.params, seat=table.history.seat_of(action)))


@pytest.mark.parametrize("seed", range(12))
def test_no_honest_session_is_accused(seed: int) -> None:
    table = ToyTable()
    at_random(table, seed, 70)
    assert audit_dice(table.history.entries).verdict is Verdict.UNPROVEN
    close_and_reveal(table)
    table.open()
    table.do("roll", expression="2d6")
    at_random_corrections(table, seed)
    close_and_reveal(table)
    answer = audit_dice(table.history.entries)
    assert answer.verdict is Verdict.VERIFIED, answer.findings


def at_random_corrections(table: ToyTable, seed: int) -> None:
    """What was played in the first session is corrected in the second."""
    play_random_steps(table, RandomSteps(seed + 100), 12, corrections=1)


@given(st.integers(0, 2**32), st.integers(5, 45))
@settings(max_examples=40, deadline=None)
def test_no_sequence_of_honest_steps_is_accused(seed: int, steps: int) -> None:
    table = ToyTable()
    at_random(table, seed, steps)
    table.do("roll", expression="1d20")
    close_and_reveal(table)
    answer = audit_dice(table.history.entries)
    assert answer.verdict is Verdict.VERIFIED, answer.findings
    fell = [event for entry in table.history.entries for event in entry.events if isinstance(event, DiceRolled)]
    assert len(dice_list(table.history.entries)) < len(fell) + len(table.history.entries)
