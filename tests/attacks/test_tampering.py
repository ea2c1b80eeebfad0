"""Of histories that were changed at random none is verified by an audit with a receipt, and audit and verifier say the same."""

from __future__ import annotations

import pytest

from tests.attacks.tampering import attack, main

ROUNDS = 60
"""A second's worth for each seed; ``python -m tests.attacks.tampering`` makes as many rounds as one wants."""


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_no_tampered_history_is_verified_with_a_receipt(seed: int) -> None:
    tally = attack(ROUNDS, seed)
    assert tally.faults == []
    assert tally.rounds == ROUNDS == sum(tally.caught.values())
    assert {"chain", "receipts"} <= set(tally.caught)
    assert tally.agreed["audit and verifier alike"] > ROUNDS // 2


def test_by_hand_it_says_how_many_rounds_there_were_and_who_caught_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "5", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("5 tampered histories. Caught first by: ")
    assert said.rstrip().endswith("0 faults")
