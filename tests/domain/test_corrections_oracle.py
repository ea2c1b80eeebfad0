"""Whatever was played and however it was corrected, the engine gives what playing everything again from nothing gives.

Random evenings of the toy with random corrections, each compared with ``tests.domain.oracle``: what is appended, the state
with the order of everything in it, the before and after of the sheets, and what was known at every moment.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from domain.errors import NotFound, Refused
from tests.domain.witness import Witness
from tests.evening import Chance, Do, Evening, Think

CAMPAIGNS = 240
A_FILE = 12


def step(witness: Witness, evening: Evening, chance: Chance) -> None:
    """Somebody acts, thinks again or corrects; what is refused leaves no trace."""
    what = chance.step(evening.history, corrections=0.35)
    with suppress(Refused, NotFound):
        if isinstance(what, Do):
            evening.take(what)
        elif isinstance(what, Think):
            evening.think(what.thought.kind)
        elif what.changes:
            witness.apply(witness.previewed(what.changes, stand=what.stand, orphans=what.orphans))
    witness.look()


@pytest.mark.parametrize("first", range(0, CAMPAIGNS, A_FILE))
def test_corrections_give_what_playing_everything_again_gives(first: int) -> None:
    corrected = 0
    for seed in range(first, first + A_FILE):
        evening, chance = Evening(), Chance(seed)
        witness = Witness(evening)
        for _ in range(30):
            step(witness, evening, chance)
        witness.look_back()
        corrected += witness.corrected
    assert corrected > A_FILE
