"""What one node removes is in no file of any other node's cache afterwards, whether anybody asks there or not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from benchmarks.ports import free_port
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.redaction import redact
from tests.support.files_with import files_with
from tests.support.stores import ROOT

pytestmark = pytest.mark.usefixtures("seed_key")
WORDS = "the abbot is a brother of the sheriff"
PATIENCE = 20.0


def holds(folder: Path) -> list[str]:
    """The files under a folder that have the words."""
    return [path.name for path in files_with(WORDS.encode(), folder)]


def until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether something comes to be so before patience ends."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return is_so()


@pytest.fixture
def book_of(postgres_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Book]]:
    """Opens the store as the node of a name, whose files are in a folder of that name."""
    opened: list[Book] = []

    def open_as(name: str) -> Book:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
        opened.append(open_book(postgres_store, tmp_path / name / "seeds"))
        return opened[-1]

    yield open_as
    for book in opened:
        book.close()


def with_words(book: Book) -> int:
    """Begin a campaign with a note in it. Returns the number of the note's action."""
    campaign = book.new("Sherwood", "storytoken")
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.do("note", {"text": WORDS})
    campaign.session.project()
    return campaign.head.actions


def remove(book: Book, how: str, action: int) -> None:
    if how == "redacted":
        redact(book, book.campaign("sherwood"), action, why="too much")
    else:
        delete_campaign(book, stone_of(book, "sherwood"))


@pytest.mark.parametrize("how", ["redacted", "deleted"])
def test_another_book_has_nothing_left_once_it_looks_or_is_opened(
    book_of: Callable[[str], Book], tmp_path: Path, how: str
) -> None:
    one, other, closed = book_of("one"), book_of("other"), book_of("closed")
    action = with_words(one)
    for book in (other, closed):
        book.campaign("sherwood").session.project()
    notes = other.seeds.notes("requests")
    assert notes is not None
    notes.change("sherwood", lambda _: f"say {WORDS} otherwise")
    closed.close()
    assert all(holds(tmp_path / name) for name in ("one", "other", "closed"))
    remove(one, how, action)
    assert notes.read("sherwood") == ""
    assert holds(tmp_path / "one") == []
    other.finish_removals()
    assert holds(tmp_path / "other") == []
    book_of("closed")
    assert holds(tmp_path / "closed") == []


@contextmanager
def served(store: str, folder: Path) -> Iterator[tuple[str, OpenerDirector]]:
    """A node that serves the store as a process of its own: its address, and the browser of its host."""
    port = free_port()
    own = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CACHE", "STATE", "CONFIG", "DATA")}
    folder.mkdir()
    said = folder / "said"
    process = subprocess.Popen(
        [sys.executable, "-m", "rollbook", "--store", store, "--json", "serve", "--no-browser", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **own},
        stdout=said.open("wb"),
        stderr=subprocess.STDOUT,
    )
    address, browser = f"http://127.0.0.1:{port}", build_opener(HTTPCookieProcessor(CookieJar()))
    try:
        assert until(lambda: answers(browser, address), 60.0), said.read_text()
        yield address, browser
    finally:
        process.kill()
        process.wait()


def answers(browser: OpenerDirector, address: str) -> bool:
    try:
        browser.open(f"{address}/ready", timeout=5).read()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("how", ["redacted", "deleted"])
def test_a_node_that_nobody_asks_wipes_what_another_removes(
    postgres_store: str, book_of: Callable[[str], Book], tmp_path: Path, how: str
) -> None:
    one = book_of("one")
    action = with_words(one)
    links = one.seeds.links()
    with served(postgres_store, tmp_path / "north") as north, served(postgres_store, tmp_path / "south") as south:
        for address, browser in (north, south):
            _, token = links.make_hosts()
            browser.open(f"{address}/join/{token}", data=b"", timeout=10)
            page = browser.open(f"{address}/c/sherwood/log", timeout=10).read().decode()
            assert WORDS in page
        assert all(holds(tmp_path / name) for name in ("north", "south"))
        remove(one, how, action)
        assert until(lambda: not any(holds(tmp_path / name) for name in ("north", "south")))
        if how == "redacted":
            for address, browser in (north, south):
                assert WORDS not in browser.open(f"{address}/c/sherwood/log", timeout=10).read().decode()
        assert not any(holds(tmp_path / name) for name in ("north", "south"))
