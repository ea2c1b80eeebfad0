"""A few rounds of the kills and cut logs; ``python -m tests.attacks.kills`` plays as many as one likes."""

import os

import pytest

from tests.attacks.kills import WRONG, play

ROUNDS = int(os.environ.get("ROLLBOOK_KILLS", "0"))
"""As many rounds of each, instead of the few that take some seconds."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "rounds"), [("redactions", 4), ("deletions", 2), ("copies", 3), ("writers", 5), ("logs", 5)]
)
def test_whatever_is_killed_or_cut_off_nothing_is_lost_and_no_removed_word_is_left(what: str, rounds: int) -> None:
    total = play(what, ROUNDS or rounds, seed=20_000)
    assert total["rounds"] == (ROUNDS or rounds)
    assert {wrong: total[wrong] for wrong in WRONG} == dict.fromkeys(WRONG, 0)
