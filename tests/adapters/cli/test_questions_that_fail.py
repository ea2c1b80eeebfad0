"""A question that cannot be answered says nothing against the file it was asked of, and advice is given to who can follow it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from rollbook.domain.base.errors import RollbookError
from rollbook.projections.session_log import SqlCondition
from tests.support.needs import needed
from tests.support.terminal import RunRollbook

BLANKS = (" ", "   ", "\t", "\n", "\u00a0", "")
CANNOT_BE_ASKED = (
    SqlCondition("no_such_column = 1"),
    SqlCondition("no_such_function(1)"),
    SqlCondition("rowid IN (SELECT rowid FROM session_log_fts WHERE session_log_fts MATCH ?)", ('"',)),
    SqlCondition("action = ?", ()),
    SqlCondition(" AND ".join(["action = 1"] * 2_000)),
)


@pytest.mark.parametrize("blank", BLANKS)
def test_a_search_for_blanks_searches_for_nothing(table: RunRollbook, home: Path, blank: str) -> None:
    before = file(home).stat().st_ino
    for way in ("", " --json", " --all"):
        said = table(f"log --search '{blank}'{way}")
        assert (said.code, said.out, said.err) == (0, table(f"log{way}").out, "")
    assert file(home).stat().st_ino == before


def file(home: Path) -> Path:
    """The read model."""
    return home / "books" / "rollbook.read.db"


@pytest.mark.parametrize("where", CANNOT_BE_ASKED)
def test_a_question_at_fault_is_told_as_one_and_leaves_the_file(
    table: RunRollbook, home: Path, where: SqlCondition
) -> None:
    assert table("log").code == 0
    before = file(home).stat().st_ino
    with open_book(home / "books" / "rollbook.db", paths.seeds_folder(), create=False) as book:
        campaign = book.campaign("test-table")
        campaign.session.project()
        with pytest.raises(RollbookError, match="The log cannot be asked that"):
            book.read_model.log("test-table", where=where)
        assert len(book.read_model.log("test-table")) == 9
    assert file(home).stat().st_ino == before


def test_rows_that_are_not_there_are_damage_and_made_again(table: RunRollbook, home: Path) -> None:
    said = table("log").out
    damaged = sqlite3.connect(file(home))
    damaged.execute("DROP TABLE session_log")
    damaged.commit()
    damaged.close()
    answer = table("log")
    assert (answer.code, answer.out) == (0, said)


def test_who_may_only_read_is_not_told_to_build_anything(table: RunRollbook, home: Path) -> None:
    assert table("log").code == 0
    books = home / "books"
    for path in books.iterdir():
        path.chmod(0o444)
    books.chmod(0o555)
    before = ("setpriv", "--bounding-set=-dac_override") if os.geteuid() == 0 else ()
    if before:
        needed("setpriv")
    try:
        for words in (("log",), ("status",), ("log", "--search", "shouts"), ("do", "note", "x"), ("rebuild",)):
            done = subprocess.run(
                [*before, sys.executable, "-m", "rollbook", *words], capture_output=True, text=True, check=False
            )
            assert "Build it again" not in done.stderr, words
            assert (done.returncode == 0) == (words[0] in ("log", "status")), done
            assert "may only be read" in done.stderr, done
    finally:
        books.chmod(0o755)
