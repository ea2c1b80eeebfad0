"""Projectors that run at the same time, or are killed, take every entry in once and leave nothing half done."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.storage.read_model import projector, stream_positions, tables
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.domain.base.progress import telling
from tests.support.campaigns import begin_campaign, file_book, memory_book, play_campaign_steps
from tests.support.random_steps import RandomSteps
from tests.support.read_models import Killed, rebuilt, rows, says_what_happened


def test_two_projectors_at_once_take_everything_in_once(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        play_campaign_steps(campaign, RandomSteps(2), 60, corrections=0.3)
        failures: list[BaseException] = []

        def project() -> None:
            model = SQLiteReadModel(tmp_path / "rollbook.read.db")
            try:
                for _ in range(20):
                    model.catch_up(book.store, book.rulebook)
            except BaseException as failure:  # noqa: BLE001 - whatever it is, the test says so
                failures.append(failure)
            finally:
                model.close()

        threads = [threading.Thread(target=project) for _ in range(4)]
        for thread in threads:
            thread.start()
        play_campaign_steps(campaign, RandomSteps(4), 30, corrections=0.3)
        for thread in threads:
            thread.join()
        assert failures == []
        book.read_model.catch_up(book.store, book.rulebook)
        assert rows(book.read_model) == rows(rebuilt(book))
        says_what_happened(book.read_model, campaign)


STEPS: list[tuple[str, Callable[[pytest.MonkeyPatch, Callable[..., Any]], None]]] = [
    ("while looking at what has changed", lambda patch, fail: patch.setattr(stream_positions, "lost", fail)),
    ("before the telling is saved", lambda patch, fail: patch.setattr(projector.CampaignProjection, "save", fail)),
    ("in the middle of the rows", lambda patch, fail: patch.setattr(projector.log_rows, "xp_rows", fail)),
    ("while marking", lambda patch, fail: patch.setattr(projector, "mark_corrected", fail)),
    ("before the sheets", lambda patch, fail: patch.setattr(projector.sheet_rows, "write", fail)),
    ("before the snapshot", lambda patch, fail: patch.setattr(projector.head_snapshots, "keep", fail)),
]


@pytest.mark.parametrize(("when", "breaking"), STEPS, ids=[when for when, _ in STEPS])
def test_a_projector_that_is_killed_leaves_nothing_half_done(
    when: str, breaking: Callable[[pytest.MonkeyPatch, Callable[..., Any]], None], tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise Killed(when)

    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.session.project()
        chance = RandomSteps(6)
        for _ in range(4):
            play_campaign_steps(campaign, chance, 12, corrections=0.4)
            campaign.do("award", {"who": ("party",), "amount": 10})
            campaign.corrections.undo(campaign.head.actions, reason="so").apply()
            with pytest.MonkeyPatch.context() as patch:
                breaking(patch, fail)
                with pytest.raises(Killed):
                    campaign.session.project()
            with closing(sqlite3.connect(tmp_path / "rollbook.read.db")) as other, other:
                assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        campaign.session.project()
        assert rows(book.read_model) == rows(rebuilt(book))


def test_a_slower_projector_puts_no_older_sheet_over_a_newer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.session.project()
        campaign.do("gain-token", {"who": "robin"})
        old = campaign.head
        faster = SQLiteReadModel(tmp_path / "rollbook.read.db")
        begin, begun = tables.transaction, []

        def late(db: Any) -> Any:
            if db is book.read_model.db:
                begun.append(db)
                campaign.do("gain-token", {"who": "marian"})
                faster.catch_up(book.store, book.rulebook)
            return begin(db)

        monkeypatch.setattr(tables, "transaction", late)
        book.read_model.catch_up(book.store, book.rulebook, {campaign.id: old})
        assert len(begun) == 1
        assert rows(faster) == rows(rebuilt(book))
        faster.close()


def test_who_reads_the_whole_history_for_its_head_lets_others_write_and_keeps_what_they_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.session.project()
        campaign.do("gain-token", {"who": "robin"})
        faster = SQLiteReadModel(tmp_path / "rollbook.read.db")
        between_two, paused = projector.between_two, []

        @contextmanager
        def late(db: Any) -> Iterator[None]:
            with between_two(db):
                yield
                if db is book.read_model.db:
                    paused.append(db)
                    campaign.do("gain-token", {"who": "marian"})
                    faster.catch_up(book.store, book.rulebook)

        monkeypatch.setattr(projector, "between_two", late)
        book.read_model.catch_up(book.store, book.rulebook)
        assert len(paused) == 1
        assert rows(faster) == rows(rebuilt(book))
        faster.close()


def test_a_correction_that_comes_between_two_pages_is_not_half_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
    made = campaign.corrections.undo(campaign.head.actions, reason="did not")
    monkeypatch.setattr(projector, "PAGE", 3)
    pages: list[int] = []

    def interrupted(done: int, _: int) -> None:
        pages.append(done)
        if len(pages) == 1:
            made.apply()

    with telling(interrupted):
        book.read_model.catch_up(book.store, book.rulebook)
    assert len(pages) > 2
    assert book.read_model.snapshot(campaign.id) == campaign.head
    ((seen,),) = book.read_model.db.execute("SELECT entry FROM ends").fetchall()
    assert seen == campaign.head.entry, "what was projected was seen"
    campaign.session.project()
    assert rows(book.read_model) == rows(rebuilt(book))


def test_a_transaction_that_sqlite_has_undone_itself_says_what_went_wrong() -> None:
    model = SQLiteReadModel()

    def undone() -> None:
        with tables.transaction(model.db) as db:
            db.execute("ROLLBACK")
            raise Killed

    with pytest.raises(Killed):
        undone()
