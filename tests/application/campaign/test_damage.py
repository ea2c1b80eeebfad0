"""A damaged history opens read-only, says where it is damaged, and harms no other campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import HistoryDamaged, Refused
from rollbook.domain.entries import SecondThought
from rollbook.domain.events import PoolGained
from tests.support.campaigns import begin_campaign, every_change, file_book, opened_twice, spoil

SPOILT = [
    (
        "UPDATE stored_events SET state = replace(state, '\"amount\":1', '\"amount\":9') WHERE originator_version = 10",
        10,
    ),
    ("DELETE FROM stored_events WHERE originator_version = 10", 10),
    ("UPDATE stored_events SET topic = 'ActionWon@1' WHERE originator_version = 10", 10),
    ("UPDATE stored_events SET state = x'00' WHERE originator_version = 10", 10),
    ("UPDATE stored_events SET state = 'text' WHERE originator_version = 10", 10),
]


@pytest.mark.parametrize(("sql", "entry"), SPOILT)
def test_a_damaged_history_opens_read_only_and_says_where(sql: str, entry: int, tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("scene", {"title": "the ford"})
        campaign.do("gain-token", {"who": "robin"})
        campaign.do("scene", {"title": "the inn"})
        assert campaign.history.entries[9].events[0] == PoolGained(holder="robin", pool="tokens", amount=1)
    spoil(tmp_path / "rollbook.db", sql)
    (tmp_path / "rollbook.read.db").unlink(missing_ok=True)
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        assert campaign.history.head == entry - 1
        assert campaign.state.scene == "the ford"
        assert f"Entry @{entry} is damaged" in campaign.session.damage
        before = every_change(book)
        for attempt in (
            lambda: campaign.do("scene", {"title": "the sea"}),
            lambda: campaign.corrections.undo(9, reason="so").apply(),
            lambda: campaign.corrections.record_second_thought(SecondThought(kind="reroll")),
        ):
            with pytest.raises((HistoryDamaged, Refused)) as damage:
                attempt()
            assert getattr(damage.value, "entry", entry) == entry
        assert every_change(book) == before
        chain, _, _ = campaign.audit()
        assert chain.verdict is Verdict.FAILED
        assert chain.findings[0].entry == entry
        assert campaign.sheet("robin").amount("tokens") == 2


def test_damage_in_one_campaign_leaves_the_others_alone(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book, "Sherwood")
        begin_campaign(book, "Nottingham")
    spoil(tmp_path / "rollbook.db", "UPDATE stored_events SET state = x'00' WHERE rowid = 5")
    with file_book(tmp_path) as book:
        assert book.campaign("sherwood").history.head < 5
        assert "is damaged" in book.campaign("sherwood").session.damage
        other = book.campaign("nottingham")
        other.do("gain-token", {"who": "robin"})
        other.session.project()
        assert len(book.read_model.log("nottingham")) == other.head.actions
        book.campaign("sherwood").session.project()
        assert book.read_model.log("nottingham", search="token")


def test_damage_that_comes_while_the_book_is_open_is_noticed_with_the_next_entry(tmp_path: Path) -> None:
    one, other = opened_twice(tmp_path)
    assert one.head == other.head
    one.do("scene", {"title": "the ford"})
    spoil(tmp_path / "rollbook.db", "UPDATE stored_events SET state = x'00' WHERE originator_version = 9")
    with pytest.raises(HistoryDamaged, match="Entry @9 is damaged") as damage:
        other.do("scene", {"title": "the inn"})
    assert damage.value.entry == 9
    assert other.state.scene == ""


def test_a_lost_end_is_found_through_what_the_read_model_remembers(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("scene", {"title": "the ford"})
        campaign.session.project()
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
    spoil(tmp_path / "rollbook.db", "DELETE FROM stored_events WHERE originator_version > 8")
    with file_book(tmp_path) as book:
        chain = book.campaign("sherwood").audit()[0]
        assert chain.verdict is Verdict.FAILED
        assert "once saw entry @9" in chain.findings[-1].text
