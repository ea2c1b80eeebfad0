"""A node's cache holds what is asked for: a campaign that nobody asks for goes from the disk, and comes back as it was."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import attrs
import pytest
from anyio.from_thread import start_blocking_portal

from rollbook.adapters.storage.read_model import last_access
from rollbook.adapters.storage.read_model.last_access import DAY, KEPT, TABLES
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.web.workers.campaign_workers import CampaignWorker
from rollbook.adapters.wiring import open_book, read_model_of
from rollbook.application.book import Book
from rollbook.application.ports.store_address import ServerAddress
from tests.support.campaigns import CLOCK_START, begin_campaign, file_book, play_campaign_steps
from tests.support.random_steps import RandomSteps
from tests.support.read_models import rebuilt, rows, says_what_happened
from tests.support.shared_cache import cached_book
from tests.support.stores import ROOT

NAMES = ("Sherwood", "Nottingham", "Lincoln")


@attrs.define
class Clock:
    now: int = CLOCK_START

    def __call__(self) -> int:
        return self.now


def begun(folder: Path, clock: Clock, *, steps: int = 20) -> Book:
    """A store of three campaigns, all of them in the cache."""
    book = cached_book(folder, clock)
    for at, name in enumerate(NAMES):
        play_campaign_steps(begin_campaign(book, name), RandomSteps(at), steps, corrections=0.3)
        book.campaign(name).session.project()
    return book


def has_rows(book: Book) -> set[str]:
    found = set()
    for table in TABLES:
        found |= {row[0] for row in book.read_model.db.execute(f"SELECT campaign FROM {table}")}
    return found


def test_a_campaign_that_nobody_asks_for_is_dropped_and_comes_back_as_it_was(tmp_path: Path) -> None:
    clock = Clock()
    with begun(tmp_path, clock) as book:
        before = rows(book.read_model)
        clock.now += KEPT // 2
        assert book.is_whole("nottingham"), "a question to the cache alone is one for the campaign, too"
        book.campaign("lincoln").session.project()
        clock.now += KEPT // 2 + 1
        for _ in range(3):
            book.read_model.tidy(())
        assert has_rows(book) == {"nottingham", "lincoln"}
        assert book.read_model.log("sherwood") == []
        assert {row[0] for row in book.read_model.db.execute("SELECT campaign FROM ends")} == set(map(str.lower, NAMES))
        book.campaign("sherwood").session.project()
        says_what_happened(book.read_model, book.campaign("sherwood"))
        assert rows(book.read_model) == before == rows(rebuilt(book))
        play_campaign_steps(book.campaign("sherwood"), RandomSteps(9), 6, corrections=0.3)
        book.campaign("sherwood").session.project()
        assert rows(book.read_model) == rows(rebuilt(book))


def test_all_that_is_kept_of_a_campaign_goes_with_it() -> None:
    with closing(SQLiteReadModel()) as model:
        named = "SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'campaign'"
        assert {row[0] for row in model.db.execute(named)} == {*TABLES, "ends"}


def test_what_is_open_stays_and_a_clock_that_is_set_back_or_forth_loses_nothing(tmp_path: Path) -> None:
    clock = Clock()
    with begun(tmp_path, clock) as book:
        for jump in (3650 * DAY, -3650 * DAY, KEPT - DAY, KEPT - DAY):
            clock.now += jump
            for _ in range(3):
                book.read_model.tidy(["sherwood"])
            assert "sherwood" in has_rows(book)
        assert has_rows(book) == {"sherwood"}
        says_what_happened(book.read_model, book.campaign("sherwood"))


def test_the_room_of_what_was_dropped_is_given_back(tmp_path: Path) -> None:
    clock, file = Clock(), tmp_path / "cache.read.db"
    with begun(tmp_path, clock, steps=150) as book:
        book.read_model.rebuild(book.store, book.rulebook)  # as after a removal
        assert book.read_model.is_log_empty()
        before = file.stat().st_size
        clock.now += KEPT + 1
        for _ in NAMES:
            book.read_model.tidy(())
        assert book.read_model.is_log_empty()
        assert file.stat().st_size < before * 0.75, "tables and indexes without a row take the rest"
        assert has_rows(book) == set()


def test_the_read_model_of_a_store_in_a_file_keeps_everything(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book).session.project()
        before = rows(book.read_model)
        book.read_model.tidy(())
        assert rows(book.read_model) == before
        assert book.read_model.db.execute("SELECT * FROM asked").fetchall() == []
        assert book.read_model.clock is None


def test_a_desk_keeps_what_is_open_there_and_makes_again_what_another_program_has_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    begun(tmp_path, clock).close()

    async def play() -> None:
        worker = CampaignWorker(lambda: cached_book(tmp_path, clock), 1)
        with closing(worker):
            await worker.run(lambda: worker.warm("sherwood"))
            clock.now += KEPT + 1
            for _ in NAMES:
                await worker.run(lambda: worker.let_go_of_unused(lambda _: True))
            assert await worker.run(lambda: has_rows(worker.book)) == {"sherwood"}
            clock.now += KEPT + 1
            with cached_book(tmp_path, clock) as other:
                other.read_model.tidy(())
                assert has_rows(other) == set()
            found = await worker.run(lambda: worker.warm("sherwood").campaign)
            await worker.run(lambda: says_what_happened(worker.book.read_model, found))
            worker.finish()

    with start_blocking_portal() as portal:  # a thread of its own: a browser's tests leave a loop in this one
        portal.call(play)


def test_programs_that_share_a_cache_lose_no_line(tmp_path: Path) -> None:
    with cached_book(tmp_path, Clock()) as book:
        for at in range(8):
            play_campaign_steps(begin_campaign(book, f"Table {at}"), RandomSteps(at), 5, corrections=0.3)
    command = [sys.executable, "-m", "tests.support.shared_cache", str(tmp_path), "5"]
    programs = [
        subprocess.Popen([*command, str(number)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    said = [program.communicate(timeout=120) for program in programs]
    assert [program.returncode for program in programs] == [0, 0, 0], said
    assert sum(int(out) for out, _ in said) > 3, "each asked for what nobody had asked for in a while"
    with cached_book(tmp_path, Clock()) as book:
        for name in book.campaigns():
            book.campaign(name).session.project()
        assert rows(book.read_model) == rows(rebuilt(book))


def test_a_store_on_a_server_has_a_cache(postgres_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLBOOK_CACHE", str(tmp_path))
    monkeypatch.setattr(last_access, "KEPT", -1)
    with open_book(postgres_store, tmp_path / "seeds") as book:
        book.new("Sherwood", "storytoken").session.project()
        assert has_rows(book) == {"sherwood"}
        book.read_model.tidy(())
        assert has_rows(book) == set()
        book.campaign("sherwood").session.project()
        assert rows(book.read_model) == rows(rebuilt(book))
        with closing(read_model_of(ServerAddress(postgres_store), book.store)) as again:
            assert again.path == book.read_model.path and again.clock is not None
