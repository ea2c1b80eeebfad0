"""An act at the web table, with all that three browsers show of it, asks its databases a bounded number of questions."""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
import pytest

from benchmarks.web_acts import Playing, seats_of, tables_in
from benchmarks.web_server import WIDE
from rollbook.adapters.local_files.paths import store_path
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from tests.support.statements import FILES, SERVER, counted
from tests.support.web import Running, cookie_name, run


@attrs.frozen
class Node:
    """A server in this process, as the browsers of a benchmark know it."""

    port: int
    cookies: dict[str, str]

    @classmethod
    def of(cls, served: Running, address: str, seeds: Path, table: str) -> Node:
        links, name = served.app.sessions.links, cookie_name(served.app)
        with open_book(address, seeds) as book:
            its = book.campaign(table).state.identity
        cookies = {
            seat: f"{name}={links.take(links.make(table, its, seat)[1], '')}" for seat in seats_of(table).values()
        }
        return cls(int(served.address.rpartition(":")[2]), cookies)


def asked_for_each_act(address: str, seeds: Path, patch: pytest.MonkeyPatch) -> Counter[str]:
    """The statements for an act of a fight, after the first round of it."""
    (table,) = tables_in(address, seeds, 1)
    found = counted(patch)
    served = run(create_app(store_path(address), seeds, Door(limits=WIDE)))

    async def played() -> Counter[str]:
        playing = await Playing.at(Node.of(served, address, seeds, table), table)
        await playing.play(1)
        found.clear()
        acts = await playing.play(2)
        playing.close()
        return Counter({database: many // acts for database, many in found.items()})

    try:
        with ThreadPoolExecutor(
            1
        ) as apart:  # a browser that another test has opened keeps a loop running in this thread
            return apart.submit(asyncio.run, played()).result()
    finally:
        served.stop()


def test_an_act_on_a_file_asks_so_many_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_for_each_act(str(tmp_path / "acts.db"), tmp_path / "seeds", monkeypatch)
    assert 15 < asked[FILES] <= 40
    assert not asked[SERVER]


@pytest.mark.usefixtures("seed_key")
def test_an_act_on_a_server_asks_so_many_questions(
    postgres_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_for_each_act(postgres_store, tmp_path / "seeds", monkeypatch)
    assert 5 < asked[SERVER] <= 11
    assert 10 < asked[FILES] <= 33, "of the read model"
