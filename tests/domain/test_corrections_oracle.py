"""Whatever was played and however it was corrected, the engine gives what playing everything again from nothing gives.

Random evenings of the toy with random corrections, each compared with ``tests.support.oracle``: what is appended, the state
with the order of everything in it, the before and after of the sheets, and what was known at every moment.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from domain.errors import NotFound, Refused
from tests.support.oracle_check import OracleCheck
from tests.support.random_steps import ActionStep, RandomSteps, SecondThoughtStep
from tests.support.toy_table import ToyTable

CAMPAIGNS = 240
A_FILE = 12


def step(witness: OracleCheck, evening: ToyTable, chance: RandomSteps) -> None:
    """Somebody acts, thinks again or corrects; what is refused leaves no trace."""
    what = chance.step(evening.history, corrections=0.35)
    with suppress(Refused, NotFound):
        if isinstance(what, ActionStep):
            evening.take(what)
        elif isinstance(what, SecondThoughtStep):
            evening.second_thought(what.thought.kind)
        elif what.changes:
            witness.apply(witness.previewed(what.changes, stand=what.stand, orphans=what.orphans))
    witness.take_in_entries()


QUICK = 0
"""The first file is played with every run; the others are slow."""


@pytest.mark.parametrize(
    "first",
    [pytest.param(first, marks=() if first == QUICK else pytest.mark.slow) for first in range(0, CAMPAIGNS, A_FILE)],
)
def test_corrections_give_what_playing_everything_again_gives(first: int) -> None:
    corrected = 0
    for seed in range(first, first + A_FILE):
        evening, chance = ToyTable(), RandomSteps(seed)
        witness = OracleCheck(evening)
        for _ in range(30):
            step(witness, evening, chance)
        witness.check_past_states()
        corrected += witness.corrected
    assert corrected > A_FILE
