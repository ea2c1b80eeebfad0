"""Several programs keep one read model, and one that is killed spoils it for nobody."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from rollbook.adapters.storage.read_model.file import remove
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import open_book
from rollbook.projections import session_log
from rollbook.projections.database import Database
from tests.support import processes
from tests.support.read_models import rebuilt, rows, says_what_happened

PROGRAMS, SECONDS, EVERY = 3, 5.0, 1.0
"""How many programs there are, for how long, and after how many seconds one of them is killed."""
CAMPAIGNS = ("north", "south")


def test_programs_that_share_a_read_model_and_are_killed_leave_it_as_it_would_be_rebuilt(tmp_path: Path) -> None:
    store, said = tmp_path / "rollbook.db", tmp_path / "said"
    with open_book(store, tmp_path / "seeds") as book:
        for campaign in CAMPAIGNS:
            book.new(campaign, "storytoken").session.project()
    assert processes.run("--version").returncode == 0  # the first one takes long
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


@pytest.mark.parametrize("only", [("south",), None])
def test_rows_that_another_program_made_at_an_earlier_moment_are_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, only: tuple[str] | None
) -> None:
    """``only``: the other program's rows are of another campaign alone, or of both, without the last entry."""
    store, seeds = tmp_path / "rollbook.db", tmp_path / "seeds"
    with open_book(store, seeds) as book, open_book(store, seeds) as other:
        for name in CAMPAIGNS:
            book.new(name, "storytoken").do("note", {"text": "once"})
        north = book.campaign("north")

        def act_before_the_rows_are_put_in_place(db: Database) -> None:
            monkeypatch.undo()
            session_log.make_searchable(db)
            north.do("join", {"name": "Will", "kind": "npc", "hp": 4})
            north.session.project()

        monkeypatch.setattr(session_log, "make_searchable", act_before_the_rows_are_put_in_place)
        other.read_model.rebuild(other.store, other.rulebook, only=only)
        assert book.party("north") is None
        assert [line.entry for line in north.read_model.log("north")] == [1, 2, 3]
        says_what_happened(book.read_model, north)
        north.session.project()
        party = book.party("north")
        assert party and party.people.keys() == {"will"}


class Removed(SQLiteReadModel):
    """A read model whose file another program removes once, right after this one opened it."""

    removals = 0

    def _connect(self) -> Database:
        db = super()._connect()
        if not self.removals and self.path is not None:
            self.removals = 1
            remove(self.path)
        return db


def test_a_read_model_that_another_program_replaces_is_opened_again(tmp_path: Path) -> None:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        book.new("north", "storytoken")
        model = Removed(tmp_path / "other.read.db")
        model.belongs_to(book.store)
        model.catch_up(book.store, book.rulebook)
        assert model.removals == 1
        assert rows(model) == rows(rebuilt(book))
