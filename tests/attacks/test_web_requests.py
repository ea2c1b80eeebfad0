"""Odd requests are answered in a sentence: no error that nobody expected, and what was refused has changed no byte.

``ROLLBOOK_REQUESTS`` says how many; ``python -m tests.attacks.fuzz requests --rounds 100000`` goes on for as long as one wants.
"""

from __future__ import annotations

import os

import pytest

from tests.attacks.attempts import Attempts
from tests.attacks.web_requests import attack

MANY = int(os.environ.get("ROLLBOOK_REQUESTS", "10000"))


def check(rounds: int, seed: int) -> None:
    attempts = Attempts()
    attack(rounds, seed, attempts)
    assert attempts.rounds == rounds
    assert 0.2 * rounds < attempts.refused < 0.9 * rounds, "some of it is right, and some is not"
    assert not attempts.faults, attempts.report()


def test_no_odd_request_gets_through() -> None:
    check(400, 3)


@pytest.mark.slow
def test_none_of_ten_thousand_gets_through() -> None:
    check(MANY, 4)
