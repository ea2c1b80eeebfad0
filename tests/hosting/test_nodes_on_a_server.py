"""Equal nodes of one PostgreSQL store: what is done at one is on the pages of all at once, and a seat is good at each of them."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rollbook.adapters.storage.postgres.connecting import connections_to
from rollbook.adapters.web.serving.app import BOOKS
from rollbook.adapters.web.watching.store_connections import most_connections
from tests.support.hosting.browsers import Browser
from tests.support.hosting.nodes import Node
from tests.support.hosting.on_a_server import ServerTables, tables_on
from tests.support.streams import Stream
from tests.support.web import until

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer


EARS = "FROM pg_stat_activity WHERE application_name = 'rollbook bell' AND datname = '{}'"


@pytest.fixture
def tables(postgres_store: str, tmp_path: Path) -> Iterator[ServerTables]:
    with tables_on(postgres_store, tmp_path) as made:
        yield made


def test_a_command_at_one_node_is_on_a_page_of_another_within_300_milliseconds(tables: ServerTables) -> None:
    browser = tables.browser()
    campaign = tables.seatings[0].campaigns[0]
    here, there = tables.reader(browser, 0), tables.reader(browser, 1)
    with there.listening(f"/c/{campaign}/stream") as stream:
        assert stream.bell()
        waits = []
        for number in range(10):
            status, _ = here.post(f"/c/{campaign}/say", line=f"note Line {number} of it")
            began = time.monotonic()
            assert status == 303
            assert stream.bell()
            _, html = there.get(f"/c/{campaign}")
            waits.append(time.monotonic() - began)
            assert f"Line {number} of it" in html
        assert sorted(waits)[5] < 0.3, waits


def test_a_seat_that_was_taken_at_one_node_is_good_at_all_and_no_node_has_to_stay_the_same(
    tables: ServerTables,
) -> None:
    browser = tables.browser()
    campaign = tables.seatings[0].campaigns[0]
    for number in range(12):
        browser.move_on()
        status, text, _ = browser.ask("POST", f"/c/{campaign}/say", {"line": f"roll 1d20 --purpose Turn-{number}"})
        assert status == 303, text
    for at in range(2):
        status, html = tables.reader(browser, at).get(f"/c/{campaign}")
        assert status == 200
        assert [f"Turn-{number}" in html for number in range(12)] == [True] * 12
    with tables.book() as book:
        assert next(answer.verdict.name for answer in book.campaign(campaign).audit()) == "VERIFIED"


def test_a_link_that_is_revoked_at_one_node_ends_at_the_other(tables: ServerTables) -> None:
    browser = tables.browser()
    campaign = tables.seatings[0].campaigns[0]
    here, there = tables.reader(browser, 0), tables.reader(browser, 1)
    assert here.get(f"/c/{campaign}")[0] == there.get(f"/c/{campaign}")[0] == 200
    with tables.book() as book:
        links, identity = book.seeds.links(), book.campaign(campaign).state.identity
        for link in links.of(campaign, identity):
            links.revoke(link.number)
    until(lambda: here.get(f"/c/{campaign}")[0] == there.get(f"/c/{campaign}")[0] == 401, 2)


def test_a_link_that_is_revoked_ends_the_idle_streams_of_its_seat_at_every_node(tables: ServerTables) -> None:
    campaign, another = tables.campaigns[:2]
    hers, his = tables.browser(0), tables.browser(1)
    with ExitStack() as stack:

        def idle(browser: Browser, at: int, of: str = campaign) -> Stream:
            reader = tables.reader(browser, at)
            stream = stack.enter_context(reader.listening(f"/c/{of}/stream"))
            assert stream.bell(), "it says where the campaign stands, and then nothing"
            return stream

        ended = [idle(hers, 0), idle(hers, 1)]
        going_on = [idle(his, 0), idle(his, 1), idle(hers, 1, another)]
        with tables.book() as book:
            links, identity = book.seeds.links(), book.campaign(campaign).state.identity
            seat = tables.seatings[0].seat
            (link,) = [link for link in links.of(campaign, identity) if link.seat == seat]
            began = time.monotonic()
            links.revoke(link.number)
            assert all(stream.ends(3) for stream in ended)
            assert time.monotonic() - began < 1
            assert not any(stream.ends(0.3) for stream in going_on)
        status, _ = tables.reader(his, 0).post(f"/c/{campaign}/say", line="note They go on")
        assert status == 303 and all(stream.bell() for stream in going_on[:2])


def test_a_node_that_heard_nothing_for_a_while_asks_whether_its_readers_are_welcome(
    tables: ServerTables, postgres_server: PostgresServer
) -> None:
    campaign, browser = tables.campaigns[0], tables.browser()
    database = tables.address.rpartition("/")[2]
    with tables.reader(browser, 1).listening(f"/c/{campaign}/stream") as stream, tables.book() as book:
        assert stream.bell()
        links, identity = book.seeds.links(), book.campaign(campaign).state.identity
        found = links.of(campaign, identity)
        postgres_server.administer(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
        try:
            postgres_server.administer(f"SELECT pg_terminate_backend(pid) {EARS.format(database)}")
            until(lambda: not postgres_server.administer(f"SELECT pid {EARS.format(database)}"), 5)
            for link in found:
                links.revoke(link.number)
        finally:
            postgres_server.administer(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
        assert stream.ends(10)


def test_the_same_page_is_the_same_at_every_node(tables: ServerTables) -> None:
    browser = tables.browser()
    campaign = tables.seatings[0].campaigns[0]
    browser.ask("POST", f"/c/{campaign}/say", {"line": "note The same everywhere"})
    pages = [tables.reader(browser, at).get(f"/c/{campaign}/log")[1] for at in (0, 1)]
    shown = [re.findall(r'<li class="(?:card|head).*?</li>', page, re.DOTALL) for page in pages]
    assert shown[0] == shown[1] != []


def test_an_open_connection_is_let_go_and_a_node_has_a_bounded_number(tables: ServerTables, postgres_server) -> None:
    browser = tables.browser()
    for _ in range(4):
        browser.move_on()
        for campaign in tables.seatings[0].campaigns:
            browser.ask("GET", f"/c/{campaign}")
            browser.ask("POST", f"/c/{campaign}/say", {"line": "note x"})
    asked = "SELECT application_name, count(*) FROM pg_stat_activity WHERE datname = '{}' GROUP BY 1"
    found = dict(postgres_server.administer(asked.format(tables.address.rpartition("/")[2])))
    assert found["rollbook bell"] == len(tables.nodes)
    assert sum(found.values()) <= len(tables.nodes) * most_connections(BOOKS)


def test_slow_work_is_found_whichever_node_is_asked_for_it(tables: ServerTables) -> None:
    browser = Browser(tables.nodes)
    with tables.book() as book:
        links, campaign = book.seeds.links(), book.campaign(tables.campaigns[0])
        campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
        browser.sit_down(links.make(campaign.id, campaign.state.identity, "Ana")[1])
    status, _, _ = browser.ask("POST", f"/c/{campaign.id}/gm/audit", {})
    assert status == 303
    job = browser.answered["location"]
    asked, status, text = 0, 307, ""
    while (
        status == 307 or "Play goes on meanwhile" in text
    ):  # each time at the next node, as a proxy without routing does
        browser.move_on()
        status, text, _ = browser.ask("GET", job)
        job = browser.answered.get("location", job)
        asked += 1
        time.sleep(0.05)
    assert status == 200 and "VERIFIED" in text.upper() and asked >= 1
    tables.nodes[0].stop()  # who knows is gone
    browser.at = 1
    for _ in range(13):
        status, text, _ = browser.ask("GET", job)
        job = browser.answered.get("location", job)
    assert status == 404 and "Ask for it once more" in text


def sockets_of(node: Node) -> list[Path]:
    assert node.process is not None
    files = Path(f"/proc/{node.process.pid}/fd").iterdir()
    return [file for file in files if file.readlink().name.startswith("socket:")]


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the sockets of a process")
def test_a_node_in_two_processes_is_two_nodes_to_the_database(
    postgres_store: str, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    with tables_on(postgres_store, tmp_path, nodes=1, words=("--processes", "2")) as tables:
        browser, streams = tables.browser(), []
        asked = "SELECT application_name, count(*) FROM pg_stat_activity WHERE datname = '{}' GROUP BY 1"
        with ExitStack() as stack:
            for campaign in tables.campaigns:
                reader = tables.reader(browser, 0)
                streams.append(stack.enter_context(reader.listening(f"/c/{campaign}/stream")))
                assert streams[-1].bell()
            assert tables.metric("rollbook_streams", 2) == [1, 1]
            for campaign, stream in zip(tables.campaigns, streams, strict=True):
                for number in range(3):
                    status, _ = tables.reader(browser, 0).post(f"/c/{campaign}/say", line=f"note Line {number}")
                    assert status == 303 and stream.bell(2)
            found = dict(postgres_server.administer(asked.format(tables.address.rpartition("/")[2])))
            assert found["rollbook bell"] == 2
            assert sum(found.values()) <= 2 * most_connections(BOOKS)
            assert len(sockets_of(tables.nodes[0])) == 3, "who accepts has the door and two channels, and no line to it"
        with tables.book() as book:
            for campaign in tables.campaigns:
                assert next(answer.verdict.name for answer in book.campaign(campaign).audit()) == "VERIFIED"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where there are forks")
def test_a_process_that_is_forked_has_connections_of_its_own(postgres_store: str) -> None:
    ours = connections_to(postgres_store)

    def line() -> int:
        ((id_,),) = connections_to(postgres_store).ask("SELECT pg_backend_pid()", {})
        return int(id_)

    here = line()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, str(line()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        assert int(said.read()) != here
    os.waitpid(child, 0)
    assert line() == here and connections_to(postgres_store) is ours
