"""Nodes of one PostgreSQL store behind Caddy and nginx as ``deploy/`` sets them up.

A campaign is warm at one node, streams pass through as they come, and when a node is killed another goes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hosting.on_a_server import ServerTables, tables_on
from tests.support.hosting.proxies import NAME, proxy
from tests.support.streams import Reader
from tests.support.web import until


@pytest.fixture(scope="module")
def tables(postgres_server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerTables]:
    address = postgres_server.dsn("rollbook", postgres_server.new_database())
    words = ("--public", f"https://{NAME}")
    folder = tmp_path_factory.mktemp("tables")
    with tables_on(address, folder, nodes=3, campaigns=6, players=1, each=6, words=words) as made:
        yield made


PROGRAMS = ("caddy", "nginx")


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def reader(program: str, tables: ServerTables, tmp_path: Path) -> Iterator[Reader]:
    """A player's browser, which comes by the proxy."""
    for node in tables.nodes:
        if node.process is None:
            node.start()
            node.wait()
    with proxy(program, tmp_path, [node.port for node in tables.nodes], page="/health") as port:
        yield Reader(f"http://127.0.0.1:{port}", tables.cookie(), NAME)


def test_each_campaign_is_warm_at_one_node(tables: ServerTables, program: str, reader: Reader) -> None:
    cold = tables.campaigns[PROGRAMS.index(program) :: len(PROGRAMS)]
    before = sum(tables.metric("rollbook_warm_campaigns"))
    for _ in range(4):
        for campaign in cold:
            assert reader.get(f"/c/{campaign}")[0] == 200
            assert reader.post(f"/c/{campaign}/say", line="note By the proxy")[0] == 303
    assert sum(tables.metric("rollbook_warm_campaigns")) == before + len(cold)


def test_streams_pass_through_as_they_come(tables: ServerTables, reader: Reader) -> None:
    campaign = tables.campaigns[0]
    with reader.listening(f"/c/{campaign}/stream") as stream:
        assert stream.bell()
        waits = []
        for number in range(5):
            assert reader.post(f"/c/{campaign}/say", line=f"note Number {number}")[0] == 303
            began = time.monotonic()
            assert stream.bell()
            waits.append(time.monotonic() - began)
        assert sorted(waits)[2] < 0.3


def test_when_the_node_of_a_campaign_is_killed_another_goes_on_with_it(tables: ServerTables, reader: Reader) -> None:
    before = tables.metric("rollbook_kept_answers_total")
    assert len(before) == 3
    tables.nodes[1].kill()
    for campaign in tables.campaigns:
        began = time.monotonic()
        until(lambda campaign=campaign: reader.get(f"/c/{campaign}")[0] == 200)
        said = {"line": "note After the node was killed", "command": f"{campaign}-{began}"}
        until(lambda campaign=campaign, said=said: reader.post(f"/c/{campaign}/say", **said)[0] == 303)
        assert time.monotonic() - began < 6
        assert "After the node was killed" in reader.get(f"/c/{campaign}")[1]
