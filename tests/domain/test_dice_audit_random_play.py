"""An honest table is never accused: whatever is played, undone, granted, overridden or corrected, its dice verify."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit import Verdict, audit_dice
from domain.audit.dice_audit import dice_list
from domain.corrections.changes import Override
from domain.dice.supply import DiceNeeded
from domain.errors import NotFound, Refused
from domain.events import DiceRolled
from tests.support.random_steps import ActionStep, RandomSteps
from tests.support.toy_table import ToyTable, close_and_reveal, grant_dice, play_random_steps


def at_random(evening: ToyTable, seed: int, steps: int) -> None:
    """Play and corrections, with grants, overrides and the same requests again."""
    chance, more = RandomSteps(seed), random.Random(seed)
    evening.do("entropy", seat="mira", text="6 2 5 1 4")
    for _ in range(steps):
        action = more.randint(max(1, evening.history.actions - 12), evening.history.actions)
        try:
            match more.randrange(8):
                case 0:
                    grant_dice(evening, action, screen=more.random() < 0.3)
                case 1:
                    override = Override(faces=(more.randint(1, 6),), first=more.randint(1, 2))
                    evening.apply(evening.preview_drawing({action: override}))
                case 2:
                    evening.undo(action)
                    _again(evening, action)
                case _:
                    play_random_steps(evening, chance, 1, corrections=0.4)
        except (Refused, NotFound, DiceNeeded):
            continue


def _again(evening: ToyTable, action: int) -> None:
    intent = evening.history.intent_of(action)
    evening.take(ActionStep(verb=intent.verb, params=intent.params, seat=evening.history.seat_of(action)))


@pytest.mark.parametrize("seed", range(12))
def test_no_honest_evening_is_accused(seed: int) -> None:
    evening = ToyTable()
    at_random(evening, seed, 70)
    assert audit_dice(evening.history.entries).verdict is Verdict.UNPROVEN
    close_and_reveal(evening)
    evening.open()
    evening.do("roll", expression="2d6")
    at_random_corrections(evening, seed)
    close_and_reveal(evening)
    answer = audit_dice(evening.history.entries)
    assert answer.verdict is Verdict.VERIFIED, answer.findings


def at_random_corrections(evening: ToyTable, seed: int) -> None:
    """What was played in the first session is corrected in the second."""
    play_random_steps(evening, RandomSteps(seed + 100), 12, corrections=1)


@given(st.integers(0, 2**32), st.integers(5, 45))
@settings(max_examples=40, deadline=None)
def test_no_sequence_of_honest_steps_is_accused(seed: int, steps: int) -> None:
    evening = ToyTable()
    at_random(evening, seed, steps)
    evening.do("roll", expression="1d20")
    close_and_reveal(evening)
    answer = audit_dice(evening.history.entries)
    assert answer.verdict is Verdict.VERIFIED, answer.findings
    fell = [event for entry in evening.history.entries for event in entry.events if isinstance(event, DiceRolled)]
    assert len(dice_list(evening.history.entries)) < len(fell) + len(evening.history.entries)
