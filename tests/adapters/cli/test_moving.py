"""``move`` says what goes, the old place says where it went, and ``import`` takes it in wherever that is."""

from __future__ import annotations

from pathlib import Path

from tests.support.terminal import RunRollbook


def test_a_campaign_goes_from_one_store_to_another_and_back(rollbook: RunRollbook, home: Path) -> None:
    rollbook("new Sherwood --ruleset storytoken")
    rollbook("do take-seat Ana --role gm")
    rollbook("do open-session")
    gone = rollbook(f"move {home}/sherwood.move")
    assert gone.code == 0
    assert "holds sherwood with 3 entries and the secret seeds of 1 session" in gone.out
    refused = rollbook("do roll 1d20")
    assert refused.code != 0
    assert "was moved away from here" in refused.err
    assert rollbook("log").code == 0
    other = f"--store {home}/other.db"
    arrived = rollbook(f"{other} import {home}/sherwood.move")
    assert "checked and taken in" in arrived.out
    assert rollbook(f"{other} do roll 1d20").code == 0
    assert rollbook(f"{other} move {home}/back.move").code == 0
    assert rollbook(f"import {home}/back.move").code == 0
    assert rollbook("do roll 1d20").code == 0
    assert "was moved away" in rollbook(f"{other} do roll 1d20").err
    assert rollbook("do close-session").code == 0
    assert rollbook("audit").code == 0
