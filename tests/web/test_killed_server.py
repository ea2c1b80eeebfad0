"""A server that is killed while a fight is played, and started again: every page finds it, and nothing is lost or doubled."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ports import free_port
from tests.support.pages import expect, needs_chromium, visitor
from tests.support.web import MIRA, StoreFiles, copied
from tests.support.web_servers import answering, serving

pytestmark = needs_chromium

TABLE = "/c/sherwood"


@pytest.fixture
def store(tmp_path: Path, fight_played: StoreFiles) -> StoreFiles:
    return copied(fight_played, tmp_path)


def test_a_server_that_is_killed_in_mid_fight_and_started_again_is_found_by_every_page(
    a_browser: Any, store: StoreFiles
) -> None:
    port = free_port()
    first = serving(store, port)
    second: subprocess.Popen[str] | None = None
    try:
        address = answering(first)
        with visitor(a_browser, address, first.cookies(MIRA)) as guest:
            guest.noticed.expected += ["net::ERR_", "Failed to fetch"]  # for what the page asked when the server died
            page = guest.open(TABLE)
            first.process.send_signal(signal.SIGKILL)
            first.process.wait(10)
            expect(page.locator("#lost")).to_contain_text("The table does not answer")
            with store.book() as book:
                book.campaign("sherwood").do("note", {"text": "while nobody answered"})
            again = serving(store, port)
            second = again.process
            answering(again)
            expect(page.locator("#entries > li").last).to_contain_text("while nobody answered", timeout=20_000)
            expect(page.locator("#lost")).to_be_hidden()
            with store.book() as book:
                book.campaign("sherwood").do("note", {"text": "and on it goes"})
            expect(page.locator("#entries > li").last).to_contain_text("and on it goes")
            ids = page.locator("#entries > li").evaluate_all("cards => cards.map(({id}) => id)")
            assert len(ids) == len(set(ids))
    finally:
        for process in (first.process, second):
            if process is not None and process.poll() is None:
                process.terminate()
                process.wait(10)
