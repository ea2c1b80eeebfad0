"""A node waits for its database, stops without a word of complaint, and has as many connections as the page says."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path
from urllib.request import urlopen

import rollbook
from benchmarks.ports import free_port
from rollbook.adapters.web.serving.app import BOOKS
from rollbook.adapters.web.watching.store_connections import most_connections
from tests.support.hosting.browsers import Browser, Unanswered
from tests.support.hosting.nodes import Node
from tests.support.hosting.on_a_server import tables_on
from tests.support.postgres import PostgresServer
from tests.support.processes import ROOT
from tests.support.web import until

PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
SPARE = 15
"""Connections beside those of nodes: for commands, the owner, the archive and the administrator."""


def lines_of(node: Node) -> list[dict[str, object]]:
    if not node.log.exists():
        return []
    return [json.loads(line) for line in node.log.read_text().splitlines() if line.startswith("{")]


def test_a_node_that_starts_before_its_database_says_so_and_waits(
    postgres_server: PostgresServer, postgres_store: str, tmp_path: Path
) -> None:
    node = Node(1, postgres_store, tmp_path, {"ROLLBOOK_SEEDS": str(tmp_path / "seeds")}, words=("--log", "json"))
    postgres_server.stop()
    try:
        node.start()
        until(lambda: [line for line in lines_of(node) if line["event"] == "store_awaited"], 40)
        assert node.process is not None and node.process.poll() is None
        assert not node.is_answering()
    finally:
        postgres_server.start()
    try:
        node.wait()
        assert [line["event"] for line in lines_of(node)] == ["store_awaited", "store_back", "started"]
    finally:
        node.stop()


def test_a_node_that_is_not_let_in_ends_with_the_reason(postgres_store: str, tmp_path: Path) -> None:
    wrong = re.sub(r"//([^:]+):[^@]+@", r"//\1:wrong@", postgres_store)
    node = Node(1, wrong, tmp_path, {"ROLLBOOK_SEEDS": str(tmp_path / "seeds")}, words=("--log", "json"))
    node.start()
    assert node.process is not None
    assert node.process.wait(timeout=60) == 1
    assert "does not take that password for this role" in node.log.read_text()


def test_under_load_a_stop_is_no_fault(postgres_store: str, tmp_path: Path) -> None:
    with tables_on(postgres_store, tmp_path, nodes=2, words=("--log", "json", "--drain", "0.2")) as tables:
        stopped = threading.Event()

        def play(number: int) -> None:
            browser = tables.browser(number % 2)
            while not stopped.is_set():
                try:
                    browser.ask("POST", f"/c/{tables.campaigns[0]}/say", {"line": "roll 1d20"})
                    browser.ask("GET", f"/c/{tables.campaigns[0]}")
                except Unanswered:
                    time.sleep(0.05)
                browser.move_on()

        players = [threading.Thread(target=play, args=[number], daemon=True) for number in range(4)]
        streams = [tables.reader(Browser(tables.nodes, tables.cookie()), at) for at in (0, 1)]
        with (
            streams[0].listening(f"/c/{tables.campaigns[0]}/stream") as one,
            streams[1].listening(f"/c/{tables.campaigns[0]}/stream") as other,
        ):
            assert one.bell() and other.bell()
            for player in players:
                player.start()
            time.sleep(3)
            for node in tables.nodes:
                node.stop()
                time.sleep(1)
            stopped.set()
        for player in players:
            player.join(timeout=20)
        for node in tables.nodes:
            found = lines_of(node)
            faults = [line for line in found if line["level"] == "error"]
            assert not faults, json.dumps(faults)
            assert found[-1]["event"] == "stopped"


def test_the_page_has_the_figure_of_the_code(postgres_store: str, tmp_path: Path) -> None:
    most = most_connections(BOOKS)
    (said,) = re.findall(r"A node has at most (\d+) connections", PAGE)
    assert int(said) == most
    for nodes, sum_, setting in re.findall(r"(\d+) nodes × \d+ = (\d+), so `max_connections = (\d+)`", PAGE):
        assert int(sum_) == int(nodes) * most and int(sum_) + SPARE <= int(setting)
    assert len(re.findall(r"nodes × \d+ = ", PAGE)) == 2
    port = free_port()
    with tables_on(postgres_store, tmp_path, nodes=1) as tables:
        port = int(tables.nodes[0].words[-1])
        tables.browser().ask("GET", f"/c/{tables.campaigns[0]}")
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    shown = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(shown["rollbook_store_connections_most"]) == most
    assert 0 < float(shown["rollbook_store_connections"]) < most
    assert {"rollbook_store_connections_used", "rollbook_store_waiting", "rollbook_rules_in_force"} <= set(shown)
    assert float(shown["process_resident_memory_bytes"]) > 10_000_000 and "process_open_fds" in shown
    assert shown[f'rollbook_build_info{{version="{rollbook.__version__}"}}'] == "1.0"
