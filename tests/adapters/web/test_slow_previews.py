"""A preview that takes long shows how far it is, keeps nobody waiting, and ends when nobody looks at it any more."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.corrections import pages
from rollbook.adapters.web.workers.jobs import Job, Jobs, Stopped
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.base.progress import told
from tests.support.web import GM, MIRA, StoreFiles, until
from tests.support.web_corrections import apply, last_entry, words

DRACULAS_BLOW = 24


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No preview is waited for, and none is there at once, so each shows its progress first."""
    work = Jobs._work

    def late(jobs: Jobs, *asked: Any) -> Any:
        time.sleep(0.3)
        return work(jobs, *asked)

    monkeypatch.setattr(pages, "AT_ONCE", 0)
    monkeypatch.setattr(Jobs, "_work", late)


@pytest.fixture
def jobs(sherwood: StoreFiles) -> Jobs:
    return Jobs(lambda: open_book(sherwood.store, sherwood.seeds, create=False))


def endless(_: Book) -> int:
    """Work that says how far it is, and never comes to an end."""
    done = 0
    for _number in told(iter(int, 1), lambda: 20_000):
        done += 1
        time.sleep(0.0001)
    return done


@pytest.mark.usefixtures("impatient")
def test_progress_is_a_page_that_goes_on_to_the_preview_by_itself(gm: TestClient) -> None:
    answer = gm.get(f"/c/sherwood/undo/{DRACULAS_BLOW}")
    while "How far it is" in answer.text:
        seconds, _, address = answer.headers["refresh"].partition("; url=")
        assert seconds == "1"
        answer = gm.get(address)
    assert "1 undone" in words(answer)
    assert apply(gm, answer, reason="too far").status_code == 303


@pytest.mark.usefixtures("impatient")
def test_a_preview_is_for_the_one_who_asked_for_it(gm: TestClient, mira: TestClient) -> None:
    address = gm.get(f"/c/sherwood/undo/{DRACULAS_BLOW}").headers["refresh"].partition("; url=")[2]
    answer = mira.get(address)
    assert answer.status_code == 404
    assert "not here any more" in answer.text


@pytest.mark.usefixtures("impatient")
def test_a_preview_that_was_left_is_not_shown_any_more(gm: TestClient, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    page = gm.get(f"/c/sherwood/undo/{DRACULAS_BLOW}")
    leave = re.search(r'action="(/c/sherwood/preview/[^"]+/leave)"', page.text)
    assert leave
    assert gm.post(leave[1], follow_redirects=False).headers["location"] == "/c/sherwood"
    assert last_entry(sherwood) == before


def test_work_that_nobody_asks_for_any_more_ends(jobs: Jobs) -> None:
    job = jobs.start(GM, endless, patience=0.3)
    until(lambda: job.done > 64)
    assert jobs.find(GM, job.id) is job
    with pytest.raises(Stopped):
        _ = job.result
    assert 64 <= job.done < job.total
    jobs.close()


def test_work_that_is_asked_for_goes_on_until_it_is_stopped(jobs: Jobs) -> None:
    job = jobs.start(GM, endless, patience=0.3)
    end = time.monotonic() + 1
    while time.monotonic() < end:
        assert jobs.find(GM, job.id) is job
        assert not job.is_finished
        time.sleep(0.02)
    job.stop()
    with pytest.raises(Stopped):
        _ = job.result
    jobs.close()


def test_nobody_else_finds_it(jobs: Jobs) -> None:
    job: Job = jobs.start(GM, lambda _: 1)
    assert jobs.find(MIRA, job.id) is None
    assert job.result == 1
    jobs.close()
