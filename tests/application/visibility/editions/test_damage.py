"""An edition of a damaged history shows what comes before the damage, and says so without a number that counts what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.visibility.editions.live import Editions
from rollbook.application.visibility.sight import DAMAGED
from rollbook.domain.base.errors import Refused
from tests.support.campaigns import begin_campaign, file_book, spoil


def test_what_comes_before_the_damage_is_shown_and_the_damage_is_said(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("note", text="a secret", to="gm")
        spoilt = campaign.do("scene", {"title": "the ford"})
        campaign.do("scene", {"title": "the inn"})
        campaign.session.project()
        whole = Editions(campaign).of("mira")
        assert whole.session.damage == ""
    spoil(
        tmp_path / "rollbook.db", f"UPDATE stored_events SET state = x'00' WHERE originator_version = {spoilt.number}"
    )
    with file_book(tmp_path) as book:
        edition = Editions(book.campaign("sherwood")).of("mira")
        assert edition.session.damage == DAMAGED
        assert edition.history.head == spoilt.number - 2
        assert edition.read_up_to(whole.cursor) is None
        assert edition.state.scene == ""
        with pytest.raises(Refused, match="records nothing"):
            edition.session.history.writable_head()
