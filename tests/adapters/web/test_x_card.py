"""The X-card by page: anybody raises it with one request, nothing says who it was, and only the GM says how the table goes on."""

from __future__ import annotations

import logging
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import closing

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import WebTable
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import XCardAnswered, XCardRaised
from tests.support.web import GM, JO, MIRA, SPECTATOR, Clients, StoreFiles
from tests.support.web_tables import in_the_fight

HTMX = {"HX-Request": "true"}
X = "/c/sherwood/x-card"


@pytest.fixture
def sherwood(tmp_path) -> StoreFiles:
    """In the middle of a fight, with somebody who watches."""
    files = in_the_fight(tmp_path)
    with files.book() as book:
        book.campaign("sherwood").say(f"take-seat {SPECTATOR.seat} --role spectator")
    return files


def newest(files: StoreFiles, many: int = 1) -> tuple[RecordedEntry, ...]:
    book = files.book()
    try:
        return tuple(book.campaign("sherwood").history.entries[-many:])
    finally:
        book.close()


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_the_answer_is_the_same_bytes_whether_or_not_a_card_lies_there_and_from_every_seat(
    clients: Clients, headers
) -> None:
    answers = []
    for identity in (MIRA, JO, MIRA, SPECTATOR):
        found = clients.as_(identity).post(X, headers=headers, follow_redirects=False)
        kept = {name: value for name, value in found.headers.items() if name != "date"}
        answers.append((found.status_code, found.content, kept))
    assert [answer for answer in answers if answer != answers[0]] == []
    assert answers[0][0] == (200 if headers else 303)
    assert answers[0][1] == b""
    assert answers[0][2]["cache-control"] == "no-store"
    assert "set-cookie" not in answers[0][2]


def test_nothing_in_the_store_says_who_raised_it(clients: Clients, sherwood: StoreFiles) -> None:
    clients.as_(MIRA).post(X, data={"seat": "Mira", "why": "spiders", "command": "mine", "secret": "yes"}, headers=HTMX)
    first = newest(sherwood)[0]
    clients.as_(JO).post(X, headers=HTMX)
    second = newest(sherwood)[0]
    assert [type(event) for event in first.events] == [XCardRaised]
    own = {"number", "action", "at", "previous_hash", "hash", "salt", "previous_public_hash", "public_number"}
    for name in set(first._fields) - own:
        assert getattr(first, name) == getattr(second, name), name
    assert (first.seat, first.reason, first.command, first.visibility, first.actor) == ("", "", "", "", "")
    with closing(sqlite3.connect(sherwood.store)) as db, db:
        assert "spiders" not in "".join(db.iterdump())


def test_the_servers_log_says_nothing_of_it(clients: Clients, caplog) -> None:
    with caplog.at_level(logging.DEBUG):
        clients.as_(MIRA).post(X, headers=HTMX)
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert [record for record in ours if "x-card" in record.getMessage() or "Mira" in record.getMessage()] == []


class Calls:
    """How often each function was called at the worker of a campaign while the card was raised."""

    def __init__(self, app: WebTable) -> None:
        self._thread = app.workers.of("sherwood")._thread
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> Counter[str]:
        def note(frame, event: str, _) -> None:
            if event == "call":
                self.counts[frame.f_code.co_qualname] += 1

        wait([self._thread.submit(sys.setprofile, note)])
        return self.counts

    def __exit__(self, *_: object) -> None:
        wait([self._thread.submit(sys.setprofile, None)])


def test_it_takes_the_same_work_whether_or_not_a_card_lies_there(clients: Clients, app: WebTable) -> None:
    """Time is what is done: so the calls are counted, and the clock decides about nothing.

    Of several each counts that had the fewest: the worker may have been asked at the same moment to look at the store.
    """
    mira, gm = clients.as_(MIRA), clients.as_(GM)

    def calls() -> int:
        with Calls(app) as counts:
            mira.post(X, headers=HTMX)
        return sum(counts.values())

    calls()
    first, again = [], []
    for _ in range(5):
        assert gm.post(f"{X}/answer", data={"how": "resume"}, headers=HTMX).status_code == 200
        first.append(calls())
        again.append(calls())
    assert min(first) > 100
    assert abs(min(first) - min(again)) <= 0.02 * min(first)


def test_everybody_sees_at_once_that_the_scene_pauses(clients: Clients, gm: TestClient) -> None:
    jo = clients.as_(JO)
    before = jo.get("/c/sherwood").text
    assert "lies on the table" not in before
    clients.as_(MIRA).post(X, headers=HTMX)
    assert "The X-card lies on the table." in jo.get("/c/sherwood").text
    assert "Mira" not in jo.get("/c/sherwood/act").text.partition('id="paused"')[2].partition("</div>")[0]
    assert 'value="resume"' in gm.get("/c/sherwood/act").text
    assert 'value="resume"' not in jo.get("/c/sherwood/act").text


@pytest.fixture
def raised(clients: Clients) -> Iterator[None]:
    clients.as_(MIRA).post(X, headers=HTMX)
    return


@pytest.mark.parametrize("how", ["resume", "skip", "adjust"])
def test_the_gm_says_how_the_table_goes_on(raised: None, gm: TestClient, sherwood: StoreFiles, how: str) -> None:
    answer = gm.post(f"{X}/answer", data={"how": how}, headers=HTMX)
    assert answer.status_code == 200
    assert "lies on the table" not in answer.text
    assert newest(sherwood)[0].events == (XCardAnswered(how=how),)
    again = gm.post(f"{X}/answer", data={"how": how}, headers=HTMX)
    assert again.status_code == 422
    assert "No X-card lies on the table." in again.text


def test_a_player_does_not_say_how_the_table_goes_on(raised: None, mira: TestClient, sherwood: StoreFiles) -> None:
    assert mira.post(f"{X}/answer", data={"how": "resume"}).status_code == 403
    assert mira.get(f"{X}/rewind").status_code == 403
    assert type(newest(sherwood)[0].events[0]) is XCardRaised


def test_the_scene_is_rewound_after_it_was_shown_what_that_undoes(
    raised: None, gm: TestClient, sherwood: StoreFiles
) -> None:
    page = gm.get(f"{X}/rewind")
    assert page.status_code == 200
    assert "#20" in page.text
    base = newest(sherwood)[0].number
    stale = gm.post(f"{X}/answer", data={"how": "rewind", "base": str(base - 1)})
    assert "Something has happened since" in stale.text
    assert newest(sherwood)[0].number == base
    done = gm.post(f"{X}/answer", data={"how": "rewind", "base": str(base)}, follow_redirects=False)
    assert done.status_code == 303
    last = newest(sherwood)[0]
    assert last.events == (XCardAnswered(how="rewind"),)
    book = sherwood.book()
    assert book.campaign("sherwood").history.effective(20) is None
    book.close()


def test_without_a_card_nothing_is_rewound(gm: TestClient, sherwood: StoreFiles) -> None:
    before = newest(sherwood)[0].number
    assert "No X-card lies on the table." in gm.get(f"{X}/rewind").text
    assert gm.post(f"{X}/answer", data={"how": "rewind", "base": str(before)}, headers=HTMX).status_code == 422
    assert newest(sherwood)[0].number == before


def test_a_typed_card_is_raised_as_one_that_is_tapped(mira: TestClient, sherwood: StoreFiles) -> None:
    assert mira.post("/c/sherwood/say", data={"line": "x-card", "command": "one"}, headers=HTMX).status_code == 200
    entry = newest(sherwood)[0]
    assert (type(entry.events[0]), entry.seat, entry.command) == (XCardRaised, "", "")
    refused = mira.post("/c/sherwood/say", data={"line": "x-card because of spiders"}, headers=HTMX)
    assert refused.status_code == 422
    assert newest(sherwood)[0].number == entry.number


BACK = f"{X}/back"
MISTAKE = {"mistake": "a token of this page"}


def is_paused(files: StoreFiles) -> bool:
    with files.book() as book:
        return book.campaign("sherwood").state.paused


def test_the_page_that_raised_it_by_mistake_withdraws_it_and_nobody_learns_who(
    clients: Clients, sherwood: StoreFiles
) -> None:
    mira = clients.as_(MIRA)
    assert mira.post(X, data=MISTAKE, headers=HTMX).status_code == 200
    assert is_paused(sherwood)
    answer = mira.post(BACK, data=MISTAKE, headers=HTMX)
    assert (answer.status_code, answer.content) == (200, b"")
    assert not is_paused(sherwood)
    (entry,) = newest(sherwood)
    assert [event.how for event in entry.events if isinstance(event, XCardAnswered)] == ["mistake"]
    assert (entry.seat, entry.reason, entry.command, entry.visibility, entry.actor) == ("", "", "", "", "")
    assert "it was a mistake" in clients.as_(JO).get("/c/sherwood").text
    with closing(sqlite3.connect(sherwood.store)) as db, db:
        assert MISTAKE["mistake"] not in "".join(db.iterdump())


@pytest.mark.parametrize("token", ["", "another page's"])
def test_only_its_own_page_withdraws_it_and_the_answer_does_not_say_so(clients: Clients, sherwood, token: str) -> None:
    clients.as_(MIRA).post(X, data=MISTAKE, headers=HTMX)
    answer = clients.as_(JO).post(BACK, data={"mistake": token}, headers=HTMX)
    assert (answer.status_code, answer.content) == (200, b"")
    assert is_paused(sherwood)


def test_a_card_that_somebody_else_raised_too_stays(clients: Clients, sherwood: StoreFiles) -> None:
    mira = clients.as_(MIRA)
    mira.post(X, data=MISTAKE, headers=HTMX)
    clients.as_(JO).post(X, data={"mistake": "of Jo's page"}, headers=HTMX)
    for token in (MISTAKE["mistake"], "of Jo's page"):
        mira.post(BACK, data={"mistake": token}, headers=HTMX)
    assert is_paused(sherwood)


def test_a_card_that_was_raised_at_the_prompt_too_stays(clients: Clients, sherwood: StoreFiles) -> None:
    mira = clients.as_(MIRA)
    mira.post(X, data=MISTAKE, headers=HTMX)
    with sherwood.book() as book:
        book.campaign("sherwood").do("x-card")
    mira.post(BACK, data=MISTAKE, headers=HTMX)
    assert is_paused(sherwood)


def test_after_seconds_it_is_the_gms_to_answer(clients: Clients, sherwood: StoreFiles, monkeypatch) -> None:
    mira = clients.as_(MIRA)
    mira.post(X, data=MISTAKE, headers=HTMX)
    monkeypatch.setattr("rollbook.adapters.web.guards.limits.MISTAKE_SECONDS", 0.0)
    mira.post(BACK, data=MISTAKE, headers=HTMX)
    assert is_paused(sherwood)


def test_nobody_withdraws_a_card_as_a_verb(clients: Clients, gm: TestClient, sherwood: StoreFiles) -> None:
    gm.post(X, headers=HTMX)
    for client in (gm, clients.as_(MIRA)):
        assert client.post("/c/sherwood/do/withdraw-x-card", headers=HTMX).status_code == 404
        assert client.post("/c/sherwood/say", data={"line": "withdraw-x-card"}, headers=HTMX).status_code in (404, 422)
    assert is_paused(sherwood)
