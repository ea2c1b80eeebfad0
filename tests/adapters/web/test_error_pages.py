"""Whatever is wrong, a page says what is the case and what to do; nobody ever sees where in the program it went wrong."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate
from rollbook.adapters.web.serving.app import WebTable, create_app
from rollbook.application.book import Book
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from tests.support.campaigns import begin_campaign, file_book
from tests.support.needs import needs
from tests.support.stores import ROOT, unguarded
from tests.support.web import GM, MIRA, SHERWOOD, Clients, StoreFiles

HERE = "http://127.0.0.1:7655"


def said(page: str) -> str:
    """The words of a page's main part."""
    main = re.search(r"<main.*?</main>", page, re.DOTALL)
    assert main, page
    return " ".join(re.sub(r"<[^>]*>", " ", main[0]).split())


@contextmanager
def opened(files: StoreFiles, **settings: object) -> Iterator[Clients]:
    app = create_app(files.store, files.seeds, Door(**settings))
    with TestClient(app, base_url=HERE) as started:
        yield Clients(app, started)


def test_a_page_that_is_none(gm: TestClient) -> None:
    answer = gm.get("/nowhere")
    assert answer.status_code == 404 and "There is no such page at this table. Go back to the table." in said(
        answer.text
    )


def test_a_page_that_says_what_is_the_case_leads_on(gm: TestClient, clients: Clients) -> None:
    for asked, on in (("/nowhere", "/"), (f"/c/{SHERWOOD}/nowhere", f"/c/{SHERWOOD}"), ("/c/elsewhere", "/")):
        answer = gm.get(asked)
        assert answer.status_code == 404
        assert re.findall(r'<a class="btn" href="([^"]*)"', answer.text) == [on], asked
    stranger = clients.as_(None)
    for asked in (f"/c/{SHERWOOD}", "/join/no-such-token"):
        assert 'class="btn"' not in stranger.get(asked).text, "there is nowhere to go on to without a seat"


def test_a_campaign_that_was_deleted(clients: Clients, sherwood: StoreFiles) -> None:
    gm, mira = clients.as_(GM), clients.as_(MIRA)
    assert gm.get(f"/c/{SHERWOOD}").status_code == mira.get(f"/c/{SHERWOOD}").status_code == 200
    with sherwood.book() as book:
        delete_campaign(book, stone_of(book, SHERWOOD))
    answer = gm.get(f"/c/{SHERWOOD}")
    assert answer.status_code == 404 and f"{SHERWOOD} was deleted for good on 20" in said(answer.text)
    answer = mira.get(f"/c/{SHERWOOD}")
    assert answer.status_code == 401 and "You have no seat at this table" in said(answer.text)
    kept = b"".join(path.read_bytes() for path in sherwood.seeds.iterdir())
    assert b"Mira" not in kept


def test_a_method_that_a_page_does_not_have(gm: TestClient) -> None:
    for answer in (gm.post("/"), gm.get(f"/c/{SHERWOOD}/say"), gm.put("/")):
        assert (answer.status_code == 405 and "Go back to the table" in said(answer.text)) or "GET and POST" in said(
            answer.text
        )


def test_a_form_that_is_too_long(gm: TestClient) -> None:
    answer = gm.post(f"/c/{SHERWOOD}/say", data={"line": "note " + "x" * 300_000})
    assert answer.status_code == 413 and "more than the 200,000 bytes" in said(answer.text)
    pieces = iter([b"line=note+", *[b"x" * 50_000] * 6])
    answer = gm.post(
        f"/c/{SHERWOOD}/say", content=pieces, headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert answer.status_code == 413 and "Send something shorter" in said(answer.text)


def test_too_much_at_once(sherwood: StoreFiles) -> None:
    with opened(sherwood, limits=Limits(reading=Rate(burst=1, a_second=0))) as clients:
        gm = clients.as_(GM)
        assert gm.get("/").status_code == 200
        answer = gm.get("/")
        assert answer.status_code == 429 and "Wait a few seconds, then go on." in said(answer.text)


def test_what_is_at_fault_in_the_program_is_not_shown(
    clients: Clients, monkeypatch: pytest.MonkeyPatch, caplog
) -> None:
    gm = clients.as_(GM)

    def broken(_: Book) -> None:
        raise ValueError("inner words")

    monkeypatch.setattr(Book, "campaigns", broken)
    answer = gm.get("/")
    assert answer.status_code == 500 and "Traceback" not in answer.text and "inner words" not in answer.text
    assert "Something in rollbook is at fault. Nothing of the history is lost." in said(answer.text)
    assert any(record.exc_info for record in caplog.records), "who runs the server sees where it was"


def test_a_plug_in_that_is_missing(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book)
    with opened(StoreFiles(tmp_path / "rollbook.db", tmp_path / "seeds")) as clients:
        gm = clients.as_(GM)
        assert gm.get(f"/c/{SHERWOOD}").status_code == 200, "what was played can be read"
        answer = gm.post(f"/c/{SHERWOOD}/say", data={"line": "scene Elsewhere"})
        assert (
            answer.status_code == 503
            and "'toy'" in answer.text.replace("&#39;", "'")
            and "not installed" in answer.text
        )


def test_a_damaged_history(sherwood: StoreFiles) -> None:
    with closing(sqlite3.connect(sherwood.store)) as store, store:
        (data,) = store.execute("SELECT state FROM stored_events WHERE originator_version = 20").fetchone()
        spoilt = data.replace(b"robin", b"rabin", 1)
        assert spoilt != data
        unguarded(store).execute("UPDATE stored_events SET state = ? WHERE originator_version = 20", [spoilt])
    (sherwood.store.parent / "sherwood.read.db").unlink()
    with opened(sherwood) as clients:
        gm = clients.as_(GM)
        page = gm.get(f"/c/{SHERWOOD}")
        assert page.status_code in (200, 503) and "damaged" in page.text
        answer = gm.post(f"/c/{SHERWOOD}/say", data={"line": "note Nothing happens."})
        assert answer.status_code == 503 and "@20" in answer.text and "damaged" in answer.text


ON_A_FULL_DISK = """
mount -t tmpfs -o size=1500k tmpfs {disk} || exit 99
cp -r {store} {seeds} {disk} || exit 98
cat /dev/zero > {disk}/filler 2>/dev/null
{python} -m tests.support.web_on_a_full_disk {disk} < /dev/null
"""


@needs("unshare")
def test_a_full_disk(sherwood: StoreFiles, tmp_path: Path, app: WebTable) -> None:
    link, cookie = app.sessions.host_link(), app.sessions.links.take(app.sessions.links.make_hosts()[1], "")
    disk = tmp_path / "disk"
    disk.mkdir()
    script = ON_A_FULL_DISK.format(disk=disk, store=sherwood.store, seeds=sherwood.seeds, python=sys.executable)
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        env={**os.environ, "ROLLBOOK_LINK": link, "ROLLBOOK_COOKIE": cookie},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.stdout:
        pytest.skip(f"No disk of one's own can be made here: {done.stderr.strip()}")
    assert "Traceback" not in done.stderr
    answers = json.loads(done.stdout)
    assert {name: status for name, (status, _) in answers.items()} == {
        "table": 200,
        "say": 503,
        "join": 503,
        "log": 200,
    }
    for name in ("say", "join"):
        assert (
            "There is no room left on the disk" in answers[name][1] and "Make room and try again." in answers[name][1]
        )


def test_an_action_of_more_digits_than_there_are_actions_is_not_hidden(gm: TestClient) -> None:
    answer = gm.get(f"/c/{SHERWOOD}/gm/reveal/{2**64}")
    assert answer.status_code < 500
    assert "is not hidden" in answer.text
