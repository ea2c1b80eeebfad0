"""With a synchronous standby, nothing is told as done that only one of the two servers has, however its answer was lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.base.errors import RollbookError
from tests.support.hosting.clusters import Pair
from tests.support.postgres import SEED_KEY, why_not

pytestmark = pytest.mark.slow


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    if reason := why_not():
        pytest.skip(reason)
    monkeypatch.setenv("ROLLBOOK_SEED_KEY", SEED_KEY)
    monkeypatch.setenv("ROLLBOOK_CACHE", str(tmp_path / "cache"))
    with Pair.made() as made:
        yield made


@pytest.fixture
def book(pair: Pair, tmp_path: Path) -> Iterator[Book]:
    with open_book(pair.address(pair.primary.new_database()), tmp_path / "seeds") as made:
        made.new("Sherwood", "storytoken").do("note", {"text": "This kind of entry is known."})
        yield made


def played(book: Book) -> None:
    book.campaign("sherwood").do("note", {"text": "Is it there?"}, command="once")


def test_what_no_standby_has_is_not_done_though_the_primary_finds_it_after_a_crash(pair: Pair, book: Book) -> None:
    pair.standby.stop()
    with pytest.raises(RollbookError, match="did not answer|does not answer"):
        played(book)
    pair.primary.restart(immediate=True)
    assert book.store.head("sherwood") == 3, "the primary has it, and the standby has not"
    with pytest.raises(RollbookError, match="did not answer|does not answer"):
        played(book)
    pair.standby.start()
    played(book)
    pair.primary.stop(immediate=True)
    pair.standby.run("pg_ctl", "-D", pair.standby.data, "-w", "promote")
    pair.standby.administer("ALTER SYSTEM SET synchronous_standby_names = ''")
    pair.standby.run("pg_ctl", "-D", pair.standby.data, "reload")
    played(book)
    assert book.store.head("sherwood") == 3
