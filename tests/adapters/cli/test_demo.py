"""The demonstration tells a session in less than a page, and leaves a campaign that can be played on."""

from __future__ import annotations

import pytest


def test_the_demonstration_fits_a_page(rollbook) -> None:
    answer = rollbook("demo")
    assert answer.code == 0, answer.err
    assert len(answer.out.splitlines()) < 60
    for words in (
        "The dice are committed: ",
        "undone",
        "30 of 36 → 36 of 36",
        "hit; The Sheriff −15 HP  →  ✗ 16 against 17: miss",
        "raises the X-card",
        "−1 token",
        "Marian gains a level",
        "session 1’s open dice are revealed",
        "↩ undone by Ana",
        "▁",
        "Now you: rollbook play",
    ):
        assert words in answer.out, words
    assert answer.out.count("VERIFIED") == 3


def test_it_fits_a_narrow_terminal(rollbook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert len(rollbook("demo").out.splitlines()) < 74


def test_it_can_be_played_on(rollbook) -> None:
    rollbook("demo")
    assert rollbook("do roll 1d20").code == 0, "a session is open"
    assert rollbook("do check sherlock int --topic clues --seat Jo").code == 0
    assert rollbook("why robin 'to hit'").code == 0
    assert rollbook("audit").code == 0


def test_again_it_is_another_campaign(rollbook) -> None:
    rollbook("demo")
    rollbook("demo")
    answer = rollbook("demo --json")
    assert answer.data["campaign"] == "sherwood-3"
    assert set(answer.data["audit"].values()) == {"VERIFIED"}
    assert [line["name"] for line in rollbook("campaigns --json").lines] == ["Sherwood", "Sherwood 2", "Sherwood 3"]
