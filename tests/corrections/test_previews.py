"""A preview stores nothing, shows exactly what applying it appends, and is refused once the campaign has moved on."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.corrections.changes import CorrectionOptions, Undo
from rollbook.domain.entries import EntryKind
from tests.support.campaigns import before_writing, begin_campaign, every_change, file_book, opened_twice
from tests.support.comparison import comparable
from tests.support.toy_table import ToyTable
from tests.support.toy_verbs import GainToken


def test_a_preview_appends_nothing() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    before = comparable(table.state), table.history.head, table.history.ledger.copy()
    table.preview({wound: Undo()})
    assert (comparable(table.state), table.history.head, table.history.ledger) == before


def test_a_preview_made_on_an_older_head_is_refused(tmp_path: Path) -> None:
    one, other = opened_twice(tmp_path)
    one.do("gain-token", {"who": "robin"})
    made = one.corrections.undo(one.head.actions, reason="so")
    other.do("gain-token", {"who": "marian"})
    before = every_change(file_book(tmp_path))
    with pytest.raises(StaleHistory, match=f"made on entry @{made.base}"):
        made.apply()
    assert every_change(file_book(tmp_path)) == before
    made = one.corrections.undo(one.head.actions - 1, reason="so")
    with before_writing(one, lambda: other.do("gain-token", {"who": "marian"})), pytest.raises(StaleHistory):
        made.apply()
    one.corrections.undo(made.entries[0].action, reason="so").apply()
    with pytest.raises(StaleHistory):
        made.apply()
    assert one.head == other.refresh()


def test_applying_appends_exactly_what_the_preview_showed(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("adjust", {"who": "guard", "what": "pool:tokens", "by": 1, "reason": "found"}, secret=True)
    found = campaign.head.actions
    campaign.do("spend-token", {"who": "guard"})
    campaign.do("attack", {"attacker": "guard", "target": "robin"})
    made = campaign.corrections.preview({found: Undo()}, reason="so", options=CorrectionOptions(draw=True))
    shown = made.entries
    written = made.apply()
    assert len(shown) > 1
    for entry, proposal in zip(written, shown, strict=True):
        bare = entry._replace(number=0, at=0, correction="", salt="", public_salt="", previous_public_hash="")
        assert bare._replace(previous_hash="", hash="", public_number=proposal.public_number) == proposal
        assert entry.salt, "from the first secret on every entry is salted"
        assert entry.correction == written[0].correction != ""
    assert comparable(campaign.state) == comparable(made.after)
    assert tuple(campaign.session.log.entries())[-len(written) :] == written


def test_a_preview_stores_nothing_until_it_is_applied_and_nothing_if_it_is_stale(campaign: Campaign) -> None:
    gained = campaign.play(GainToken(who="robin"))
    before = campaign.head
    made = campaign.corrections.undo(gained.action, reason="no")
    assert campaign.refresh() == before
    campaign.play(GainToken(who="marian"))
    with pytest.raises(StaleHistory):
        made.apply()
    fresh = campaign.corrections.undo(gained.action, reason="no")
    entries = fresh.apply()
    assert [entry.kind for entry in entries] == [EntryKind.UNDONE]
