"""A node says whether it answers and is ready, counts its work by kind alone, logs without naming anybody, and drains."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.local_files.seat_links_file import SeatLinksFile
from rollbook.adapters.presentation.installing import install
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate
from rollbook.adapters.web.logs import JsonLines, note
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.web.serving.metrics import Metrics, MetricsServer, kind_of, outcome_of
from rollbook.application.ports.seat_links import SeatLink
from rollbook.domain.base.errors import RollbookError
from tests.support.stores import ROOT
from tests.support.streams import Reader
from tests.support.web import GM, MIRA, SHERWOOD, Clients, Running, StoreFiles, cookie, cookie_name, until


def asked(address: str, **headers: str) -> tuple[int, str]:
    try:
        with urlopen(Request(address, headers=headers), timeout=5) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as fault:
        return fault.code, fault.read().decode()


# Whether it answers.


def test_a_process_that_answers_is_healthy_and_ready_once_the_store_has_answered(clients: Clients) -> None:
    stranger = clients.as_(None)
    assert (stranger.get("/health").status_code, stranger.get("/health").text) == (200, "This process answers.\n")
    until(lambda: stranger.get("/ready").status_code == 200)
    assert stranger.get("/ready").text == "Ready.\n"
    assert stranger.post("/ready").status_code == 405


def test_a_node_whose_store_is_gone_is_healthy_and_not_ready(
    clients: Clients, sherwood: StoreFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollbook.adapters.web.serving.readiness.SILENT_FOR", 0.3)
    stranger = clients.as_(None)
    until(lambda: stranger.get("/ready").status_code == 200)
    away = sherwood.store.rename(sherwood.store.with_name("away.db"))
    until(lambda: stranger.get("/ready").status_code == 503)
    assert re.fullmatch(r"The store has not answered for \d+ seconds\.\n", stranger.get("/ready").text)
    assert stranger.get("/health").status_code == 200
    away.rename(sherwood.store)
    until(lambda: stranger.get("/ready").status_code == 200)


def test_it_is_not_ready_before_it_has_looked(sherwood: StoreFiles) -> None:
    with closing(create_app(sherwood.store, sherwood.seeds).sessions.links):
        app = create_app(sherwood.store, sherwood.seeds)
        assert app.node.not_ready() == "The store has not answered yet."
        app.sessions.links.close()


class SilentLinks(SeatLinksFile):
    """Links on a server that does not answer."""

    is_far = True

    def taken(self, cookie: str) -> tuple[SeatLink, ...]:
        raise RollbookError("The server cannot be reached; nobody can be let in, try again.")


def test_who_cannot_be_looked_up_is_told_so_and_health_does_not_ask(clients: Clients, tmp_path: Path) -> None:
    gm = clients.as_(GM)
    before = clients.app.sessions.go_on_with(SilentLinks(tmp_path / "links.db"))
    try:
        answer = gm.get(f"/c/{SHERWOOD}")
        assert answer.status_code in (422, 503) and "nobody can be let in, try again" in answer.text
        assert clients.as_(None).get("/health").status_code == 200
    finally:
        clients.app.sessions.go_on_with(before).close()
    assert gm.get(f"/c/{SHERWOOD}").status_code == 200


# What is counted.


@contextmanager
def counted(files: StoreFiles) -> Iterator[tuple[Metrics, Clients, str]]:
    metrics = Metrics()
    limits = Limits(acting=Rate(burst=60, a_second=0.01))  # so that 61 in a row are too much on a slow machine too
    app = create_app(files.store, files.seeds, Door(limits=limits), counts=metrics)
    app.show_in(metrics.shows)
    server = MetricsServer(metrics, "127.0.0.1", 0)
    try:
        with TestClient(app) as started:
            yield metrics, Clients(app, started), f"http://127.0.0.1:{server.port}"
    finally:
        server.stop()


def values(address: str) -> dict[str, float]:
    """What the metrics say, without histograms' buckets, times of creation, and what is of the whole process."""
    lines = asked(f"{address}/metrics")[1].splitlines()
    found = (line.rpartition(" ") for line in lines if not line.startswith(("#", "process_")))
    return {name: float(value) for name, _, value in found if "_bucket" not in name and "_created" not in name}


def test_commands_refusals_and_pages_are_counted_by_kind(sherwood: StoreFiles) -> None:
    with counted(sherwood) as (_, clients, address):
        gm, mira = clients.as_(GM), clients.as_(MIRA)
        gm.post(f"/c/{SHERWOOD}/say", data={"line": "note One"})
        gm.post(f"/c/{SHERWOOD}/say", data={"line": "note Two"})
        mira.post(f"/c/{SHERWOOD}/say", data={"line": "attack robin nobody"})
        mira.post(f"/c/{SHERWOOD}/adjust/9")
        assert mira.get(f"/c/{SHERWOOD}").status_code == 200
        gm.get("/", headers={"Host": "elsewhere.example"})
        said = values(address)
        assert said['rollbook_commands_total{outcome="done"}'] == 2
        assert said['rollbook_commands_total{outcome="refused"}'] == 2
        assert said['rollbook_turned_away_total{status="421"}'] == 1
        assert said['rollbook_answer_seconds_count{method="POST",page="say"}'] == 3
        assert said['rollbook_answer_seconds_count{method="GET",page="table"}'] == 3, (
            "each form leads back to the table"
        )
        assert said["rollbook_conflicts_total"] == 0
        assert said["rollbook_warm_campaigns"] == 1
        assert said["rollbook_ready"] == 1 and said["rollbook_tail_age_seconds"] < 3


def test_being_overtaken_is_counted(sherwood: StoreFiles) -> None:
    with counted(sherwood) as (_, clients, address):
        gm = clients.as_(GM)
        go, done = threading.Event(), []

        def others() -> None:
            with sherwood.book() as book:
                campaign = book.campaign(SHERWOOD)
                go.set()
                while not done:
                    campaign.say("note From elsewhere")

        writing = threading.Thread(target=others)
        writing.start()
        try:
            go.wait(10)
            for _ in range(200):
                gm.post(f"/c/{SHERWOOD}/say", data={"line": "note Here"})
                if values(address)["rollbook_conflicts_total"]:
                    break
        finally:
            done.append(1)
            writing.join(10)
        assert values(address)["rollbook_conflicts_total"] >= 1


def test_open_streams_are_counted(served: Running) -> None:
    gm = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, GM)}")
    assert served.app.hub.listeners() == 0
    with gm.listening(f"/c/{SHERWOOD}/stream") as stream:
        assert stream.bell()
        assert served.app.hub.listeners() == 1
    until(lambda: served.app.hub.listeners() == 0)


def test_the_x_card_is_counted_nowhere(sherwood: StoreFiles) -> None:
    with counted(sherwood) as (_, clients, address):
        gm, mira = clients.as_(GM), clients.as_(MIRA)
        assert mira.get(f"/c/{SHERWOOD}").status_code == gm.get(f"/c/{SHERWOOD}").status_code == 200
        before = values(address)
        mira.follow_redirects = gm.follow_redirects = False
        assert mira.post(f"/c/{SHERWOOD}/x-card").status_code in (200, 204, 303)
        assert gm.post(f"/c/{SHERWOOD}/x-card/answer", data={"how": "resume"}).status_code < 500
        gm.get(f"/c/{SHERWOOD}/x-card/rewind")
        stranger = clients.as_(None)
        for _ in range(70):  # until the guards say that it is too much at once
            last = stranger.post(f"/c/{SHERWOOD}/x-card").status_code
        assert last == 429
        after = values(address)
        assert {**after, "rollbook_tail_age_seconds": 0} == {**before, "rollbook_tail_age_seconds": 0}


def test_no_name_is_in_any_metric(sherwood: StoreFiles) -> None:
    with counted(sherwood) as (_, clients, address):
        gm = clients.as_(GM)
        for path in ("", "/sheet/robin", "/do/attack", "/log?q=robin", "/screen", "/nowhere", "/x-card/rewind"):
            gm.get(f"/c/{SHERWOOD}{path}")
        gm.post(f"/c/{SHERWOOD}/say", data={"line": "note Zyxel"})
        said = asked(f"{address}/metrics")[1].casefold()
        assert "rollbook_answer_seconds" in said
        for word in ("sherwood", "robin", "mira", "zyxel", "attack", "x-card", "x_card", "127.0.0.1"):
            assert word not in said, word


def test_there_are_as_many_kinds_as_routes_and_no_more(clients: Clients) -> None:
    kinds = {kind_of(page) for page in clients.app.pages}
    assert {"table", "lobby", "do", "say", "live", "stream", "gm", "health"} <= kinds
    assert all(re.fullmatch(r"[a-z-]+", kind) for kind in kinds)
    assert kind_of(Page(path="/c/{campaign}/why/{who}/{key:path}", handler=lambda _: None)) == "why"
    assert [outcome_of(status) for status in (200, 303, 409, 422, 503)] == [
        "done",
        "done",
        "conflict",
        "refused",
        "failed",
    ]


def test_metrics_go_by_their_own_address_alone(sherwood: StoreFiles) -> None:
    with counted(sherwood) as (_, clients, address):
        assert clients.as_(GM).get("/metrics").status_code == 404
        assert asked(f"{address}/metrics", Host="evil.example")[0] == 421
        assert asked(f"{address}/metrics", Host="localhost:1")[0] == 200
        assert asked(f"{address}/c/{SHERWOOD}")[0] == 404


# What is logged.


def logged(name: str, *, fault: BaseException | None = None, **values: object) -> str:
    said: list[str] = []
    handler = logging.Handler()
    handler.setFormatter(JsonLines())
    handler.emit = lambda record: said.append(handler.format(record))
    log = logging.getLogger("rollbook.web")
    log.addHandler(handler)
    try:
        note(logging.ERROR, name, "Robin Hood at 10.0.0.1 said a word", fault, **values)
    finally:
        log.removeHandler(handler)
    (line,) = said
    return line


def test_a_line_of_json_names_the_route_and_the_places_of_a_fault_and_nothing_that_was_said() -> None:
    try:
        json.loads("Robin's token")
    except ValueError as found:
        fault = found
    line = logged("fault", fault=fault, page="/c/{campaign}/do/{verb}", method="POST")
    said = json.loads(line)
    assert (said["event"], said["level"], said["fault"]) == ("fault", "error", "JSONDecodeError")
    assert said["page"] == "/c/{campaign}/do/{verb}"
    assert said["places"][0].startswith("tests/adapters/web/test_nodes.py:")
    assert "Robin" not in line and "10.0.0.1" not in line and "token" not in line


def test_what_other_libraries_log_is_kept_without_its_words() -> None:
    record = logging.LogRecord("psycopg.pool", logging.WARNING, "x", 1, "cannot reach 10.0.0.1 as %s", ("robin",), None)
    said = json.loads(JsonLines().format(record))
    assert (said["event"], said["logger"], said["level"]) == ("remark", "psycopg.pool", "warning")
    assert set(said) == {"at", "level", "event", "logger"}


# The command.


def started(files: StoreFiles, *words: str) -> subprocess.Popen[str]:
    own = {"ROLLBOOK_SEEDS": str(files.seeds), "XDG_STATE_HOME": str(files.store.parent / "state")}
    return subprocess.Popen(
        [sys.executable, "-m", "rollbook", "--store", str(files.store), "serve", "--no-browser", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_log_as_json_says_when_it_started_and_stopped_and_holds_no_link(sherwood: StoreFiles) -> None:
    node = started(sherwood, "--port", "0", "--log", "json")
    assert node.stderr is not None
    first = json.loads(node.stderr.readline())
    assert first["event"] == "started"
    address = f"http://127.0.0.1:{first['port']}"
    for _ in range(200):
        try:
            assert asked(f"{address}/c/{SHERWOOD}")[0] == 401
            break
        except OSError:
            time.sleep(0.05)
    node.terminate()
    out, rest = node.communicate(timeout=10)
    assert out == "", "a link to sit down by belongs in no log"
    assert [json.loads(line)["event"] for line in rest.splitlines()] == ["stopped"]
    assert node.returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--metrics", "10.0.0.5"), "is no address and port"),
        (("--metrics", "table.example:9000"), "is no address and port"),
        (("--metrics", "127.0.0.1:99999"), "is no address and port"),
        (("--metrics", "192.0.2.1:9655"), "Metrics cannot be at 192.0.2.1 port 9655"),
    ],
)
def test_metrics_that_cannot_be_are_refused_in_a_sentence(
    sherwood: StoreFiles, words: tuple[str, ...], said: str
) -> None:
    node = started(sherwood, "--port", "0", *words)
    _, found = node.communicate(timeout=30)
    assert node.returncode == 1 and said in " ".join(found.split())


def test_without_what_counts_it_says_what_to_install(tmp_path: Path) -> None:
    script = "import sys; sys.modules['prometheus_client'] = None; from rollbook.adapters.cli import main; "
    done = subprocess.run(
        [sys.executable, "-c", script + "sys.exit(main(['serve', '--metrics', '9655']))"],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "--metrics needs what is not installed (prometheus_client)" in " ".join(done.stderr.split())
    assert install("hosting") in " ".join(done.stderr.split())


# Draining.


def test_a_draining_node_serves_on_and_says_at_once_that_it_is_not_ready(sherwood: StoreFiles) -> None:
    node = started(sherwood, "--port", "0", "--log", "json", "--drain", "5")
    assert node.stderr is not None
    address = f"http://127.0.0.1:{json.loads(node.stderr.readline())['port']}"
    until(lambda: status(f"{address}/ready") == 200)
    began = time.monotonic()
    node.send_signal(signal.SIGTERM)
    until(lambda: status(f"{address}/ready") == 503, 4)
    assert asked(f"{address}/ready")[1] == "This node is stopping, and takes nothing new.\n"
    assert asked(f"{address}/health")[0] == 200 and asked(f"{address}/c/{SHERWOOD}")[0] == 401
    assert json.loads(node.stderr.readline())["event"] == "draining"
    node.communicate(timeout=10)
    assert 4.9 < time.monotonic() - began < 15
    assert node.returncode == 0


def test_a_second_signal_ends_the_wait(sherwood: StoreFiles) -> None:
    node = started(sherwood, "--port", "0", "--log", "json", "--drain", "60")
    assert node.stderr is not None
    address = f"http://127.0.0.1:{json.loads(node.stderr.readline())['port']}"
    until(lambda: status(f"{address}/ready") == 200)
    node.send_signal(signal.SIGTERM)
    until(lambda: status(f"{address}/ready") == 503, 5)
    node.send_signal(signal.SIGTERM)
    node.communicate(timeout=10)
    assert node.returncode == 0


def status(address: str) -> int:
    try:
        return asked(address)[0]
    except OSError:
        return 0


def test_a_command_that_is_under_way_is_finished_and_answered(served: Running) -> None:
    gm = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, GM)}")
    worker, go_on = served.app.workers.of(SHERWOOD), threading.Event()
    assert gm.get(f"/c/{SHERWOOD}")[0] == 200
    worker._thread.submit(go_on.wait, 20)
    answers: list[int] = []
    sending = threading.Thread(
        target=lambda: answers.append(gm.post(f"/c/{SHERWOOD}/say", line="note The last one")[0])
    )
    sending.start()
    time.sleep(0.2)
    threading.Timer(1.5, go_on.set).start()  # longer than a second: commands are waited for
    assert served.stop() < 8
    sending.join(5)
    assert answers == [303]
