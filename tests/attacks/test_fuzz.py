"""A few seconds of every fuzzer; ``python -m tests.attacks.fuzz dice --rounds 1000000`` goes on for as long as one wants.

No error gets through that is not ours, nothing takes longer than any table would wait, and what is refused changes nothing.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from rollbook.domain.base.errors import Refused
from tests.attacks.attempts import Attempts
from tests.attacks.fuzz import ATTACKS, main

ROUNDS = {"dice": 4_000, "lines": 250, "files": 50, "imports": 100, "filters": 150, "words": 150}
FEWER = 4
"""In every run there are so many times fewer."""


@pytest.mark.parametrize("fewer", [FEWER, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ROUNDS)
def test_nothing_gets_through(name: str, fewer: int) -> None:
    attempts, rounds = Attempts(), ROUNDS[name] // fewer
    import_module(f"tests.attacks.{ATTACKS[name]}").attack(rounds, 7, attempts)
    assert attempts.rounds >= rounds
    assert 0 < attempts.refused < attempts.rounds, "some of it is right, and some is not"
    assert not attempts.faults, attempts.report()


def test_a_fault_is_seen_and_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    attack = import_module("tests.attacks.dice_strings")
    monkeypatch.setattr(attack, "roll", lambda *_: 1 // 0)
    assert main(["dice", "--rounds", "3"]) == 1
    said = capsys.readouterr().out
    assert "1 faults" in said and "ZeroDivisionError" in said


def test_what_never_ends_is_a_fault() -> None:
    attempts = Attempts(seconds=0.2)

    def endless() -> None:
        while True:
            pass

    assert not attempts.attempt("round and round", endless)
    assert list(attempts.faults) == ["takes too long"]


def test_words_of_a_library_are_a_fault() -> None:
    attempts = Attempts()

    def raw() -> None:
        raise Refused("Expecting value: line 1 column 1 (char 0)")

    assert not attempts.attempt("{", raw)
    assert len(attempts.faults) == 1
