"""Nodes are brought from one version to the next, one after the other, while tables play: nobody is locked out unheard.

A node whose rules are not in force says so: to its proxy, in its metrics and its log, and to its operator.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

import attrs
import pytest

from benchmarks.ports import free_port
from tests.support.hosting.browsers import until
from tests.support.hosting.faults import tree_with_other_rules
from tests.support.hosting.nodes import Node
from tests.support.hosting.runs import Run, Size
from tests.support.hosting.served import Browsers, served
from tests.support.postgres import PostgresServer
from tests.support.processes import ROOT

SOON = 60.0
"""Seconds in which a node notices what was put in force."""
ASKED_OF_A_HOST = "rollbook store rules --adopt"


def asked(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def is_ready(node: Node) -> bool:
    return asked(node.port, "/ready")[0] == 200


def gauge(node: Node, name: str) -> float:
    text = asked(int(node.words[1]), "/metrics")[1]
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"rollbook_{name} "))


def lines_of(node: Node) -> list[dict[str, object]]:
    return [json.loads(line) for line in node.log.read_text().splitlines() if line.startswith("{")]


def logged(node: Node, event: str) -> list[dict[str, object]]:
    return [line for line in lines_of(node) if line["event"] == event]


@attrs.define
class Versions:
    """Two versions of the program, of which the older has other rules, and a run whose nodes begin with the older."""

    old: Path

    def adapt(self, run: Run) -> None:
        assert isinstance(run.crowd, Browsers)
        for node in run.crowd.hosted.nodes:
            node.root = self.old
            node.words = ("--metrics", str(free_port()), "--log", "json", "--drain", "0.5")
        said = self.say(run, self.old, "store", "rules", "--adopt")
        assert "storytoken" in said.stdout and "other files here" not in said.stdout, said

    def say(self, run: Run, root: Path, *words: str) -> subprocess.CompletedProcess[str]:
        node = run.crowd.of_node(0)[0]
        return subprocess.run(
            [sys.executable, "-m", "rollbook", "--store", run.address, *words],
            cwd=root,
            env={**os.environ, **node.variables, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def update(self, node: Node) -> None:
        node.stop()
        node.root = ROOT
        node.start()
        node.wait()


def soon(is_so: Callable[[], bool], what: str) -> None:
    until(is_so, SOON, what)


@pytest.mark.slow
def test_three_nodes_are_updated_one_after_the_other_while_tables_play(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    versions = Versions(tree_with_other_rules(tmp_path / "old"))
    size = Size(campaigns=6, clients=4, each=3, pause=0.2)
    with served(postgres_server, tmp_path / "run", size, adapt=versions.adapt) as run:
        assert isinstance(run.crowd, Browsers)
        first, *others = nodes = list(run.crowd.hosted.nodes)
        soon(lambda: all(map(is_ready, nodes)), "the nodes are ready by the older rules")

        versions.update(first)
        soon(lambda: ASKED_OF_A_HOST in asked(first.port, "/ready")[1], "the first node says why it is not ready")
        assert asked(first.port, "/ready")[0] == 503 and all(map(is_ready, others))
        assert (gauge(first, "ready"), gauge(first, "rules_in_force")) == (0, 0)
        assert logged(first, "rules_not_in_force")[0]["ruleset"] == "storytoken"
        doctor = versions.say(run, ROOT, "doctor").stdout
        assert re.search(r"✗ +rules +This computer has other files of the ruleset 'storytoken'", doctor), doctor
        assert ASKED_OF_A_HOST in " ".join(doctor.split())
        run.crowd.wait_for_news()

        versions.say(run, ROOT, "store", "rules", "--adopt")
        soon(lambda: is_ready(first), "the first node is ready by the newer rules")
        assert (gauge(first, "ready"), gauge(first, "rules_in_force")) == (1, 1)
        assert logged(first, "rules_in_force")
        soon(lambda: not any(map(is_ready, others)), "the others are not, and proxies turn from them")
        run.crowd.wait_for_news()

        for node in others:
            versions.update(node)
            soon(lambda: is_ready(node), "it is ready")  # noqa: B023
            run.crowd.wait_for_news()
        time.sleep(1)
        run.crowd.stop()
        found = run.check()
        ledger = run.crowd.ledger()
    assert found.everything == []
    assert len(ledger.acknowledged) > 40 and not ledger.unanswered
    assert not [line for node in nodes for line in lines_of(node) if line["level"] == "error"]
    refused = [answer for answer in ledger.answers if answer.startswith("N ")]
    assert all("N This computer has other files of the ruleset" in answer for answer in refused), refused
