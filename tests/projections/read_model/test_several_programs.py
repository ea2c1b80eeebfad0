"""Several programs keep one read model, and what happens to one of them or to the file spoils it for nobody."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from adapters.book import open_book, read_model_path
from tests.support import processes
from tests.support.read_models import rebuilt, rows, says_what_happened

PROGRAMS, SECONDS, EVERY = 3, 5.0, 1.0
"""How many programs there are, for how long, and after how many seconds something happens to their file once more."""
CAMPAIGNS = ("north", "south")


def remove(file: Path) -> None:
    """Somebody deletes it to save room."""
    for path in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        path.unlink(missing_ok=True)


def make_again(file: Path) -> None:
    """Somebody says ``rollbook rebuild``."""
    with open_book(file.with_name("rollbook.db"), file.with_name("seeds")) as book:
        book.read_model.rebuild(book.store, book.rulebook)


def put_rows_in_it(file: Path) -> None:
    """Rows that nobody projected, which stand in the way of those that will be."""
    with closing(sqlite3.connect(file, timeout=10)) as connection, connection:
        names = [column[1] for column in connection.execute("PRAGMA table_info(session_log)")]
        kept = ", ".join(name for name in names if name != "entry")
        connection.execute(
            f"INSERT OR IGNORE INTO session_log (entry, {kept}) SELECT entry + 2, {kept} FROM session_log"
        )


def spoil_its_index(file: Path) -> None:
    """What finds words says no longer what the rows say."""
    with closing(sqlite3.connect(file, timeout=10)) as connection, connection:
        connection.execute("UPDATE session_log_fts_data SET block = x'00' WHERE id > 10")


def leave_it(file: Path) -> None:
    """Nothing happens to it."""


@pytest.mark.parametrize("happens", [leave_it, remove, make_again, put_rows_in_it, spoil_its_index])
def test_programs_that_share_a_read_model_and_are_killed_leave_it_as_it_would_be_rebuilt(
    happens: Callable[[Path], None], tmp_path: Path
) -> None:
    store, said = tmp_path / "rollbook.db", tmp_path / "said"
    with open_book(store, tmp_path / "seeds") as book:
        for campaign in CAMPAIGNS:
            book.new(campaign, "storytoken").project()
    end = time.monotonic() + SECONDS

    with said.open("wb") as out, Path(os.devnull).open("rb") as nobody:

        def begin(number: int) -> processes.Process:
            settings = {
                "store": str(store),
                "number": number,
                "seconds": end - time.monotonic(),
                "campaigns": CAMPAIGNS,
            }
            streams = (nobody.fileno(), out.fileno(), out.fileno())
            return processes.start(json.dumps(settings), streams=streams, module="tests.support.projecting")

        running = [begin(number) for number in range(PROGRAMS)]
        for nth in range(int(SECONDS / EVERY) - 2):
            time.sleep(EVERY)
            with suppress(sqlite3.Error):  # it was just being made again
                happens(read_model_path(store))
            if nth != 1:
                running[nth % PROGRAMS].send_signal(signal.SIGKILL)
                assert running[nth % PROGRAMS].wait() == -signal.SIGKILL
                running[nth % PROGRAMS] = begin(PROGRAMS + nth)
        codes = [program.wait() for program in running]
    assert (said.read_text(encoding="utf-8"), codes) == ("", [0] * PROGRAMS)
    with open_book(store, tmp_path / "seeds") as book:
        book.read_model.catch_up(book.store, book.rulebook)
        assert rows(book.read_model) == rows(rebuilt(book))
        book.read_model.db.execute("INSERT INTO session_log_fts(session_log_fts) VALUES ('integrity-check')")
        for campaign in CAMPAIGNS:
            assert book.campaign(campaign).head.entry > 10
            says_what_happened(book.read_model, book.campaign(campaign))


def test_a_program_follows_the_file_that_another_has_put_in_its_place(tmp_path: Path) -> None:
    store, seeds = tmp_path / "rollbook.db", tmp_path / "seeds"
    with open_book(store, seeds) as one, open_book(store, seeds) as two:
        campaign = one.new("north", "storytoken")
        for book in (one, two):
            book.campaign("north").project()
        remove(read_model_path(store))
        campaign.say("note from one")
        campaign.project()
        assert not two.is_whole("elsewhere")
        assert two.is_whole("north") == one.is_whole("north")
        two.campaign("north").project()
        assert rows(two.read_model) == rows(one.read_model)
        with closing(sqlite3.connect(read_model_path(store))) as file:
            assert file.execute("SELECT MAX(entry) FROM session_log").fetchone() == (campaign.head.entry,)


def test_what_finds_words_is_made_again_in_the_same_file_where_others_read_it(tmp_path: Path) -> None:
    store, seeds = tmp_path / "rollbook.db", tmp_path / "seeds"
    with open_book(store, seeds) as one, open_book(store, seeds) as two:
        campaign = one.new("north", "storytoken")
        campaign.say("note the first thing")
        for book in (one, two):
            book.campaign("north").project()
        file = read_model_path(store).stat().st_ino
        spoil_its_index(read_model_path(store))
        campaign.say("note another thing")
        campaign.project()
        assert [len(book.read_model.log("north", search="thing")) for book in (one, two)] == [2, 2]
        assert read_model_path(store).stat().st_ino == file


LIES = {
    "a row that is missing": "DELETE FROM session_log WHERE entry = (SELECT MAX(entry) FROM session_log)",
    "one that was projected before": "UPDATE campaigns SET entries = entries - 1",
    "one that has moved": "UPDATE session_log SET entry = entry + 1 WHERE entry = (SELECT MAX(entry) FROM session_log)",
}


@pytest.mark.parametrize("lie", LIES)
def test_rows_that_do_not_end_where_they_were_projected_to_are_made_again(lie: str, tmp_path: Path) -> None:
    store, seeds = tmp_path / "rollbook.db", tmp_path / "seeds"
    with open_book(store, seeds) as book:
        campaign = book.new("north", "storytoken")
        campaign.say("note a thing")
        campaign.project()
        assert book.is_whole("north")
        assert book.read_model.db.execute(LIES[lie]).rowcount == 1
    with open_book(store, seeds) as book:
        assert not book.is_whole("north")
        book.campaign("north").project()
        assert rows(book.read_model) == rows(rebuilt(book))
