"""What the read model answers: searches of the log, running totals, sheets and views."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from tests.support.campaigns import begin_campaign, file_book, memory_book, play_campaign_steps
from tests.support.random_steps import RandomSteps
from tests.support.read_models import rebuilt, rows, says_what_happened, sheets_are_the_rulebooks


def test_the_log_finds_words_and_takes_them_literally(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    for title in ("Der Fluß bei Nacht", 'a "quoted" AND word', "o'clock * near(x)", "semi;colon -- drop"):
        campaign.do("scene", {"title": title})
    campaign.session.project()
    log = book.read_model.log

    def found(search: str) -> list[str]:
        return [line.result for line in log(campaign.id, search=search)]

    assert found("fluß nacht") == ["Der Fluß bei Nacht"]
    assert found("FLUSS") == ["Der Fluß bei Nacht"]
    assert found('"quoted" AND') == ['a "quoted" AND word']
    assert found("near(x)") == ["o'clock * near(x)"]
    assert found("colon --") == ["semi;colon -- drop"]
    assert found("nowhere") == []
    assert len(found("")) == campaign.head.entry
    campaign.corrections.undo(campaign.head.actions, reason="so").apply()
    campaign.session.project()
    assert [line.status for line in log(campaign.id, search="semi")] == ["undone"]


@pytest.mark.parametrize("search", ["\0", '"\0', "\ud800", '"', "*", "NOT", "who:", "(", "a^", "-a", " "])
def test_an_odd_search_is_answered(search: str) -> None:
    assert SEARCHED.log("sherwood", search=search) == []


@given(st.text(max_size=12))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_search_is_answered(search: str) -> None:
    assert SEARCHED.log("sherwood", search=search) is not None


SEARCHED = SQLiteReadModel()


def test_the_log_of_one_session_and_the_last_lines(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("close-session")
    campaign.do("open-session")
    campaign.do("scene", {"title": "the inn"})
    campaign.session.project()
    second = book.read_model.log(campaign.id, session=2)
    assert [line.verb for line in second] == ["open-session", "scene"]
    assert [line.verb for line in book.read_model.log(campaign.id, last=2)] == ["open-session", "scene"]
    assert [line.verb for line in book.read_model.log(campaign.id, last=1, everything=True)] == ["scene"]
    assert book.read_model.log(campaign.id, last=0) == []
    assert book.read_model.log("nowhere") == []


def test_the_views_are_made_for_any_sqlite_tool(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        play_campaign_steps(campaign, RandomSteps(0), 40)
        campaign.do("award", {"who": ("marian",), "amount": 120, "reason": "alive"})
        campaign.do("award", {"who": ("marian",), "amount": 90})
        campaign.session.project()
        levels = campaign.state.characters["marian"]
    plain = sqlite3.connect(f"file:{tmp_path / 'rollbook.read.db'}?mode=ro", uri=True)
    for (view,) in plain.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        assert plain.execute(f"SELECT * FROM {view}").fetchall()
    totals = plain.execute("SELECT total_xp, level FROM xp_running_totals WHERE name = 'Marian'").fetchall()
    assert totals[-1] == (levels.experience, levels.level)
    (amount,) = plain.execute(
        "SELECT sum(amount) FROM sheet_terms WHERE character = 'marian' AND label = 'Hit points'"
    ).fetchone()
    assert amount == levels.stats["max_hp"] - levels.lost
    plain.close()


def test_the_running_totals_leave_out_what_does_not_count(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("award", {"who": ("robin",), "amount": 40})
    first = campaign.head.actions
    campaign.do("award", {"who": ("robin",), "amount": 70})
    for change in (
        lambda: campaign.corrections.amend(first, {"amount": 50}, reason="more"),
        lambda: campaign.corrections.undo(first, reason="none"),
        lambda: campaign.corrections.redo(first, revision=1),
        lambda: campaign.corrections.undo(first, reason="none"),
        lambda: campaign.corrections.redo(first),
    ):
        change().apply()
        campaign.session.project()
        total = book.read_model.db.execute("SELECT total_xp FROM xp_running_totals").fetchall()[-1][0]
        assert total == campaign.state.characters["robin"].experience
        says_what_happened(book.read_model, campaign)


def test_a_sheet_whose_arrival_was_undone_is_gone(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("join", {"name": "Tuck"})
    tuck = campaign.head.actions
    campaign.session.project()
    campaign.corrections.undo(tuck, reason="so").apply()
    campaign.session.project()
    sheets_are_the_rulebooks(book.read_model, campaign)
    assert rows(book.read_model) == rows(rebuilt(book))


def test_a_sheet_goes_by_the_order_in_which_things_were_gained(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    for trait in ("brave", "sly"):
        campaign.do("trait", {"who": "robin", "trait": trait})
    campaign.do("trait", {"who": "robin", "trait": "brave", "lose": True})
    campaign.do("trait", {"who": "robin", "trait": "brave"})
    campaign.session.project()
    last = campaign.head.actions
    campaign.corrections.undo(last - 1, last, reason="never lost").apply()
    campaign.session.project()
    sheets_are_the_rulebooks(book.read_model, campaign)


def test_time_and_house_rules_move_every_sheet(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("second-wind", {"who": "robin"})
    campaign.session.project()
    campaign.do("pass-time", {"amount": 3, "unit": "minutes"})
    campaign.session.project()
    sheets_are_the_rulebooks(book.read_model, campaign)
    shown = book.read_model.db.execute("SELECT shown FROM sheet_values WHERE key = 'wait'").fetchall()
    assert ("in 420 s",) in shown


def test_a_snapshot_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.session.project()
    for spoilt in (b"", b"{}{", b"[]", b'{"state":3}', b"\xff"):
        book.read_model.db.execute("UPDATE snapshots SET head = ?", [spoilt])
        assert book.read_model.snapshot(campaign.id) is None
        campaign.do("gain-token", {"who": "robin"})
        campaign.session.project()
        assert book.read_model.snapshot(campaign.id) == campaign.head


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    yield
    SEARCHED.close()
