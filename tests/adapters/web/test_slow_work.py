"""Slow work says how far it is, answers who began it alone, and keeps nobody waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from rollbook.adapters.web.workers.jobs import Job, Jobs, Stopped
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.live import LiveEdition
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.progress import told
from tests.support.streams import Reader
from tests.support.web import GM, JO, MIRA, Running, StoreFiles, cookie, cookie_name, until


@pytest.fixture
def jobs(sherwood: StoreFiles) -> Iterator[Jobs]:
    made = Jobs(sherwood.book)
    yield made
    made.close()


def test_it_says_how_far_it_is_and_what_came_of_it(jobs: Jobs) -> None:
    half = threading.Event()

    def work(book: Book) -> int:
        for number in told(range(1_280), lambda: 1_280):
            if number == 640:
                assert half.wait(10)
        return book.campaign("sherwood").head.entry

    job = jobs.start(GM, work)
    until(lambda: job.done == 640)
    assert (job.total, job.is_finished) == (1_280, False)
    half.set()
    until(lambda: job.is_finished)
    assert job.done == 1_280
    assert job.result == 48


def test_who_did_not_begin_it_does_not_find_it(jobs: Jobs) -> None:
    job = jobs.start(MIRA, lambda _: "hers")
    assert jobs.find(JO, job.id) is None
    assert jobs.find(GM, job.id) is None
    assert jobs.find(MIRA, "another") is None
    found = jobs.find(MIRA, job.id)
    assert isinstance(found, Job)
    until(lambda: found.is_finished)
    assert found.result == "hers"


def test_a_refusal_comes_out_where_the_result_is_asked_for(jobs: Jobs) -> None:
    def work(_: Book) -> None:
        raise Refused("The rules say no.")

    job = jobs.start(GM, work)
    until(lambda: job.is_finished)
    with pytest.raises(Refused, match="The rules say no"):
        _ = job.result


def test_a_server_that_stops_waits_for_no_slow_work(served: Running) -> None:
    under_way = threading.Event()

    def work(_: Book) -> int:
        for _number in told(range(1_000_000), lambda: 1_000_000):
            under_way.set()
            time.sleep(0.001)
        return 1

    job = served.app.services.jobs.start(GM, work)
    assert under_way.wait(10)
    served.stop()
    until(lambda: job.is_finished, seconds=2)
    with pytest.raises(Stopped):
        _ = job.result


def test_the_edition_of_a_why_is_gone_on_with_by_the_next_one(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    begin = LiveEdition.__init__

    def counted(self: LiveEdition, whole: Campaign, seat: str, *rest: object, **more: object) -> None:
        made.append(seat)
        begin(self, whole, seat, *rest, **more)  # type: ignore[arg-type]

    mira = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, MIRA)}")
    gm = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, GM)}")
    assert mira.get("/c/sherwood")[0] == 200
    monkeypatch.setattr(LiveEdition, "__init__", counted)
    pages = ("/c/sherwood/why/robin-hood/hp", "/c/sherwood/charts/robin-hood")
    assert all(mira.get(page)[0] == 200 for page in pages)
    assert made == ["Mira"]
    assert gm.post("/c/sherwood/say", line="adjust robin-hood hp -1 'a thorn'", command="one")[0] == 303
    assert "thorn" in mira.get(pages[0])[1]
    assert made == ["Mira"]


def test_while_it_runs_everybody_else_is_answered(served: Running) -> None:
    stop = threading.Event()

    def work(_: Book) -> int:
        count = 0
        while not stop.is_set():  # no rest for the processor
            count += 1
        return count

    started = [served.app.services.jobs.start(GM, work) for _ in range(2)]
    gm, mira = (Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, who)}") for who in (GM, MIRA))
    try:
        assert mira.get("/c/sherwood")[0] == 200
        with mira.listening("/c/sherwood/stream") as hers:
            assert hers.bell()
            began = time.monotonic()
            assert gm.post("/c/sherwood/say", line="note Meanwhile")[0] == 303
            assert hers.bell()
            assert time.monotonic() - began < 3
        assert not any(job.is_finished for job in started)
    finally:
        stop.set()
        until(lambda: all(job.is_finished for job in started))
