"""An X-card leaves no trace of who raised it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.campaigns import begin_campaign, memory_book, stored_events


def test_an_x_card_says_nothing_of_who_raised_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda size: "5a" * size)
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"\x5a" * size)
    stores = []
    for seat in ("Ana", "mira", "watcher", None):
        book = memory_book(tmp_path / str(seat))
        campaign = begin_campaign(book)
        campaign.do("x-card", seat=seat)
        campaign.do("after-x-card", {"how": "skip"})
        campaign.do("x-card", seat=seat, reason="")
        campaign.session.project()
        stores.append((stored_events(campaign), campaign.read_model.log(campaign.id), campaign.head.ledger))
        assert campaign.state.paused
    assert stores[0] == stores[1] == stores[2] == stores[3]
