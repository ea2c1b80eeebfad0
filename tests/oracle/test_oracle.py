"""Whatever is done to a history, engine and oracle agree about every line, die and sheet, and about what each seat may see.

300 random campaigns of all our games, a few of them in every run; ``python -m tests.oracle --campaigns 10000`` plays more.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce

import pytest

from tests.oracle.program import play
from tests.support.games import INSTALLED_RULESETS

CAMPAIGNS = 300
BATCH = 30
QUICK = 2 * len(INSTALLED_RULESETS)
"""So many are played in every run: two of each game."""


@pytest.mark.parametrize(
    ("first", "end"),
    [
        (0, QUICK),
        *(
            pytest.param(at, min(at + BATCH, CAMPAIGNS), marks=pytest.mark.slow)
            for at in range(QUICK, CAMPAIGNS, BATCH)
        ),
    ],
)
def test_engine_and_oracle_agree_about_random_campaigns_of_every_game(first: int, end: int) -> None:
    seen: Counter[str] = reduce(Counter.__add__, (play(seed).seen for seed in range(first, end)))
    assert {play_of % len(INSTALLED_RULESETS) for play_of in range(first, end)} == set(range(len(INSTALLED_RULESETS)))
    assert seen["corrected"] > end - first
    assert min(seen[what] for what in ("refused", "join", "roll", "note", "forked", "reveal")) > 0
    if end - first == BATCH:
        assert min(seen["orphans"], seen["rerun"], seen["close-session"]) > 0
        assert seen["redacted"] + seen["taken over"] + seen["draw-for"] > 0
