"""What ``deploy/watching/`` asks for is there, Prometheus takes it, and a node whose rules are not in force raises an alert."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from benchmarks.ports import free_port
from rollbook.adapters.wiring import open_book
from tests.support.hosting.on_a_server import ServerTables, tables_on
from tests.support.hosting.proxies import DEPLOY
from tests.support.needs import needed

WATCHING = DEPLOY / "watching"
NAME = re.compile(r"\b(?:rollbook|process)_[a-z_]+\b")
OF_SCRIPTS = {"rollbook_backup_last_success_timestamp_seconds", "rollbook_drill_last_success_timestamp_seconds"}
OF_HISTOGRAMS = re.compile(r"_bucket$")


def rules() -> list[dict[str, Any]]:
    needed("yaml")
    text = (WATCHING / "alerts.yaml").read_text(encoding="utf-8")
    (group,) = import_module("yaml").safe_load(text)["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def asked_by_panels() -> Iterator[str]:
    board = json.loads((WATCHING / "grafana.json").read_text(encoding="utf-8"))
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places) > 10
    for panel in board["panels"]:
        yield from (target["expr"] for target in panel["targets"])


@pytest.fixture
def tables(postgres_store: str, tmp_path: Path) -> Iterator[ServerTables]:
    with tables_on(postgres_store, tmp_path, nodes=1) as made:
        yield made


def shown_by(tables: ServerTables) -> set[str]:
    tables.browser().ask("POST", f"/c/{tables.campaigns[0]}/say", {"line": "note x"})
    with urlopen(f"http://127.0.0.1:{tables.nodes[0].words[-1]}/metrics", timeout=5) as answer:
        text = answer.read().decode()
    return set(re.findall(r"^(\w+)[ {]", text, re.MULTILINE)) | set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))


def test_alerts_and_panels_ask_for_what_a_node_shows(tables: ServerTables) -> None:
    asked = {name for text in (*asked_by_panels(), *(rule["expr"] for rule in rules())) for name in NAME.findall(text)}
    scripts = "".join(path.read_text(encoding="utf-8") for path in (DEPLOY / "backup").glob("*.sh"))
    assert asked >= OF_SCRIPTS and all(name in scripts for name in OF_SCRIPTS)
    assert asked - OF_SCRIPTS - shown_by(tables) == set()
    assert {"rollbook_ready", "rollbook_rules_in_force", "rollbook_build_info", "process_open_fds"} <= asked


def test_prometheus_takes_the_files_and_the_alerts_fire_when_they_should() -> None:
    promtool = needed("promtool")
    for words in (("check", "config", "prometheus.yaml"), ("test", "rules", "alerts.test.yaml")):
        done = subprocess.run([promtool, *words], cwd=WATCHING, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    tried = (WATCHING / "alerts.test.yaml").read_text(encoding="utf-8")
    assert sum(rule["alert"] in tried for rule in rules()) >= 6


def firing(port: int) -> dict[str, str]:
    with urlopen(f"http://127.0.0.1:{port}/api/v1/alerts", timeout=5) as answer:
        found = json.load(answer)["data"]["alerts"]
    return {one["labels"]["alertname"]: one["annotations"]["summary"] for one in found if one["state"] == "firing"}


@pytest.mark.slow
def test_a_node_with_other_rules_and_a_node_that_is_gone_raise_alerts(tables: ServerTables, tmp_path: Path) -> None:
    prometheus, port, node = needed("prometheus"), free_port(), tables.nodes[0]
    config = (WATCHING / "prometheus.yaml").read_text(encoding="utf-8").replace(": 10s", ": 1s")
    config = config.replace('"10.0.0.11:9655", "10.0.0.12:9655", "10.0.0.13:9655"', f'"127.0.0.1:{node.words[-1]}"')
    (tmp_path / "prometheus.yaml").write_text(config, encoding="utf-8")
    quick = re.sub(r"for: \w+", "for: 2s", (WATCHING / "alerts.yaml").read_text(encoding="utf-8"))
    (tmp_path / "alerts.yaml").write_text(quick, encoding="utf-8")
    with (tmp_path / "prometheus.log").open("wb") as log:
        running = subprocess.Popen(
            [
                *(prometheus, f"--config.file={tmp_path / 'prometheus.yaml'}"),
                *(f"--storage.tsdb.path={tmp_path / 'data'}", f"--web.listen-address=127.0.0.1:{port}"),
            ],
            stdout=log,
            stderr=log,
        )
    try:
        assert seen(port, set(), 30) == {}
        with open_book(tables.address, tables.folder / "seeds") as book:
            in_store = book.surroundings.rules
            assert in_store is not None
            in_store.put("storytoken", "f" * 32, in_store.of("storytoken"))
        raised = seen(port, {"RollbookNotReady", "RollbookRulesDiffer"}, 40)
        assert "its rules are not in force" in raised["RollbookRulesDiffer"]
        node.stop()
        assert "does not answer" in seen(port, {"RollbookDown"}, 40)["RollbookDown"]
    finally:
        running.terminate()
        running.wait(timeout=20)


def seen(port: int, wanted: set[str], seconds: float) -> dict[str, str]:
    """The alerts that fire, once those that are wanted do."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = firing(port)
        except OSError:
            found = None
        if found is not None and wanted <= set(found):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.3)
