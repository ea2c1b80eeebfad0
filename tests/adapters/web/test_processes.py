"""One address, several processes: each campaign is at home in one of them, and none of them is needed for the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from rollbook.adapters.web.serving.listening import bound
from tests.support.hosting.browsers import Browser
from tests.support.hosting.nodes import Node, free_ports
from tests.support.hosting.on_a_server import ServerTables, tables_on
from tests.support.processes import ROOT
from tests.support.web import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the processes of a process")
TWO = ("--processes", "2")


@contextmanager
def served(folder: Path, *words: str, campaigns: int = 2) -> Iterator[ServerTables]:
    """A node of a file in two processes."""
    with tables_on(str(folder / "store.db"), folder, nodes=1, campaigns=campaigns, each=campaigns, words=words) as made:
        yield made


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerTables]:
    with served(tmp_path_factory.mktemp("processes"), *TWO, campaigns=4) as made:
        assert made.nodes[0].log.read_text().count("The GM's link") == 1
        yield made


DONE = 'rollbook_commands_total{outcome="done"}'


def says(tables: ServerTables, campaign: str, browser: Browser) -> int:
    """Say something on a new connection; the number of the process that it got to."""
    before = tables.metric(DONE, 2)
    assert tables.reader(browser, 0).post(f"/c/{campaign}/say", line="note Here")[0] == 303
    (number,) = [number for number, done in enumerate(tables.metric(DONE, 2)) if done > before[number]]
    return number


def two_homes(tables: ServerTables, browser: Browser) -> tuple[str, str]:
    """A campaign at home in the first process, and one in the second."""
    homes = {says(tables, campaign, browser): campaign for campaign in tables.campaigns}
    return homes[0], homes[1]


class Kept:
    """A connection that is kept open: it belongs to the process of the campaign that it asked for first."""

    def __init__(self, tables: ServerTables, browser: Browser, campaign: str) -> None:
        port = tables.nodes[0].port
        own = {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"}
        self._headers = {**own, "Cookie": browser.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        self._connection = HTTPConnection("127.0.0.1", port, timeout=10)
        self.is_closed = False
        assert self.ask("GET", f"/c/{campaign}/log")[0] == 200

    def ask(self, method: str, path: str, body: str = "") -> tuple[int, dict[str, str]]:
        """Status and headers of an answer. Fails if the connection had been closed."""
        assert not self.is_closed
        self._connection.request(method, path, body or None, self._headers)
        answer = self._connection.getresponse()
        answer.read()
        headers = {name.casefold(): value for name, value in answer.getheaders()}
        self.is_closed = headers.get("connection") == "close"
        return answer.status, headers

    def sits_as(self, browser: Browser) -> None:
        """Ask for another browser from now on."""
        self._headers["Cookie"] = browser.cookie


def test_all_connections_for_a_campaign_get_to_one_process_and_each_process_has_some(tables: ServerTables) -> None:
    browser = tables.browser()
    homes = {campaign: says(tables, campaign, browser) for campaign in tables.campaigns}
    assert sorted(homes.values()) == [0, 0, 1, 1]
    for _ in range(3):
        assert {campaign: says(tables, campaign, browser) for campaign in tables.campaigns} == homes
    assert tables.metric("rollbook_warm_campaigns", 2) == [2, 2]


def test_a_kept_connection_is_answered_for_anothers_campaign_and_closed(tables: ServerTables) -> None:
    browser = tables.browser()
    first, second = two_homes(tables, browser)
    kept = Kept(tables, browser, first)
    assert kept.ask("GET", f"/c/{first}")[0] == 200 and not kept.is_closed
    assert kept.ask("GET", f"/c/{second}/log")[0] == 200 and kept.is_closed


def test_a_stream_on_a_connection_of_the_other_process_is_sent_home(tables: ServerTables) -> None:
    browser = tables.browser()
    first, second = two_homes(tables, browser)
    assert tables.metric("rollbook_streams", 2) == [0, 0]
    status, headers = Kept(tables, browser, first).ask("GET", f"/c/{second}/stream?after=")
    assert (status, headers["connection"]) == (307, "close")
    with tables.reader(browser, 0).listening(headers["location"]) as stream:
        assert stream.bell() and tables.metric("rollbook_streams", 2) == [0, 1]
        assert says(tables, second, browser) == 1 and stream.bell(1)
    until(lambda: tables.metric("rollbook_streams", 2) == [0, 0])


def test_an_act_at_one_process_is_on_a_stream_at_the_other_within_300_milliseconds(tables: ServerTables) -> None:
    browser = tables.browser()
    first, second = two_homes(tables, browser)
    with tables.reader(browser, 0).listening(f"/c/{second}/stream") as stream:
        assert stream.bell() and tables.metric("rollbook_streams", 2) == [0, 1]
        waits = []
        for number in range(5):
            kept = Kept(tables, browser, first)
            before = tables.metric(DONE, 2)
            assert kept.ask("POST", f"/c/{second}/say", f"line=note+Away-{number}")[0] == 303
            began = time.monotonic()
            assert stream.bell()
            waits.append(time.monotonic() - began)
            assert tables.metric(DONE, 2) == [before[0] + 1, before[1]]
        assert sorted(waits)[2] < 0.3, waits
    assert "Away-4" in tables.reader(browser, 0).get(f"/c/{second}/log")[1]


def gms(tables: ServerTables, campaign: str) -> Browser:
    """A browser with a GM's seat in a campaign."""
    browser = Browser(tables.nodes)
    with tables.book() as book:
        links, table = book.seeds.links(), book.campaign(campaign)
        if "Ana" not in table.state.seats:
            table.do("take-seat", {"seat": "Ana", "role": "gm"})
        browser.sit_down(links.make(campaign, table.state.identity, "Ana")[1])
    return browser


@pytest.mark.parametrize("is_at_home", [True, False])
def test_slow_work_is_found_on_any_connection(tables: ServerTables, is_at_home: bool) -> None:
    homes = two_homes(tables, tables.browser())
    campaign, elsewhere = homes
    browser = gms(tables, campaign)
    if is_at_home:
        browser.close()  # it may have sat down at the other process
        assert browser.ask("POST", f"/c/{campaign}/gm/audit", {})[0] == 303
        job = browser.answered["location"]
    else:
        kept = Kept(tables, tables.browser(), elsewhere)
        kept.sits_as(browser)
        status, headers = kept.ask("POST", f"/c/{campaign}/gm/audit", "x=")
        assert (status, headers["connection"]) == (303, "close")
        job = headers["location"]
    sent_on, text = 0, "Play goes on meanwhile"
    end = time.monotonic() + 20
    while "Play goes on meanwhile" in text:
        assert time.monotonic() < end
        browser.close()
        status, text, _ = browser.ask("GET", job)
        if status == 307:
            sent_on += 1
            browser.close()
            status, text, _ = browser.ask("GET", browser.answered["location"])
        assert status == 200
    assert "VERIFIED" in text.upper() and bool(sent_on) != is_at_home
    kept = Kept(tables, tables.browser(), elsewhere)
    kept.sits_as(browser)
    assert kept.ask("GET", job)[0] == (307 if is_at_home else 200)


def test_a_process_that_is_killed_is_replaced_and_the_others_go_on(tmp_path: Path) -> None:
    with served(tmp_path, *TWO, "--log", "json") as tables, ExitStack() as stack:
        (node,), browser = tables.nodes, tables.browser()
        first, second = two_homes(tables, browser)
        streams = [
            stack.enter_context(tables.reader(browser, 0).listening(f"/c/{each}/stream")) for each in (first, second)
        ]
        assert all(stream.bell() for stream in streams)
        before = node.processes()
        os.kill(before[0], signal.SIGKILL)
        assert streams[0].ends(2) and not streams[1].ends(0.1)
        for campaign in (first, second):
            assert tables.reader(browser, 0).post(f"/c/{campaign}/say", line="note They go on")[0] == 303
        assert streams[1].bell()
        until(lambda: len(tables.metric(DONE, 2)) == 2, 10)
        assert (says(tables, first, browser), says(tables, second, browser)) == (0, 1), "it is at home where it was"
        now = node.processes()
        assert len(now) == 2 and before[1] in now and before[0] not in now
        assert node.log.read_text().count('"event": "process_ended"') == 1


def is_running(id_: int) -> bool:
    return Path(f"/proc/{id_}").exists()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_all_processes_end_with_the_one_that_accepts(tmp_path: Path, how: signal.Signals) -> None:
    with served(tmp_path, *TWO) as tables:
        (node,), browser = tables.nodes, tables.browser()
        two_homes(tables, browser)
        process, processes = node.process, node.processes()
        assert process is not None and len(processes) == 2
        with tables.reader(browser, 0).listening(f"/c/{tables.campaigns[0]}/stream") as stream:
            assert stream.bell()
            began = time.monotonic()
            process.send_signal(how)
            assert stream.ends(4)
            assert process.wait(timeout=5) == (0 if how != signal.SIGKILL else -how)
            until(lambda: not any(map(is_running, processes)), 5)
            assert time.monotonic() - began < 5
        assert not node.is_answering()


def test_a_service_manager_that_tells_every_process_does_not_cut_the_drain_short(tmp_path: Path) -> None:
    with served(tmp_path, *TWO, "--drain", "2") as tables:
        (node,), browser = tables.nodes, tables.browser()
        process = node.process
        assert process is not None
        processes = node.processes()
        began = time.monotonic()
        for each in (*processes, process.pid):
            os.kill(each, signal.SIGTERM)
        until(lambda: tables.reader(browser, 0).get("/ready")[0] == 503, 1)
        assert tables.reader(browser, 0).post(f"/c/{tables.campaigns[0]}/say", line="note One more")[0] == 303
        assert process.wait(timeout=10) == 0
        assert 1.9 < time.monotonic() - began < 6


def test_a_second_signal_ends_the_drain(tmp_path: Path) -> None:
    with served(tmp_path, *TWO, "--drain", "60") as tables:
        (node,) = tables.nodes
        process = node.process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        until(lambda: tables.reader(Browser(()), 0).get("/ready")[0] == 503, 1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == 0


# The command.


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    own = {"ROLLBOOK_SEEDS": str(folder / "seeds"), "XDG_STATE_HOME": str(folder / "state"), "TMPDIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-m", "rollbook", "--store", str(folder / "new.db"), "serve", "--no-browser", *TWO, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("add", [0, 1])
def test_a_process_that_cannot_serve_ends_all_with_one_sentence(tmp_path: Path, add: int) -> None:
    port = free_ports(2)
    with bound("127.0.0.1", port + add):
        node = started(tmp_path, "--port", "0", "--metrics", str(port))
        _, found = node.communicate(timeout=30)
    assert node.returncode == 1 and found.count("\n") == 1
    assert found.startswith(f"Metrics cannot be at 127.0.0.1 port {port + add} ")


def test_there_has_to_be_a_port_for_the_metrics_of_each(tmp_path: Path) -> None:
    node = started(tmp_path, "--port", "0", "--metrics", "65535")
    _, found = node.communicate(timeout=30)
    assert node.returncode == 1 and found.startswith("'65535' is no address and port.") and found.count("\n") == 1


def test_a_demo_is_removed_at_the_end_and_not_when_one_of_its_processes_ends(tmp_path: Path) -> None:
    demo = started(tmp_path, "--demo", "--port", "0", "--json")
    assert demo.stdout is not None
    said = demo.stdout.readline()
    assert '"link"' in said and '"port": 0' not in said
    (folder,) = tmp_path.glob("rollbook-demo-*")
    processes = Node(0, "", tmp_path, {}, process=demo).processes()  # type: ignore[arg-type]  # it is only asked for its id
    os.kill(processes[0], signal.SIGTERM)
    until(lambda: not is_running(processes[0]))
    assert (folder / "demo.db").exists()
    demo.send_signal(signal.SIGINT)
    assert demo.communicate(timeout=20)[0] == "", "the link is said once"
    assert demo.returncode == 0 and not folder.exists()


def test_it_listens_by_ipv6_too(tmp_path: Path) -> None:
    node = started(tmp_path, "--port", "0", "--host", "::1", "--json")
    assert node.stdout is not None
    port = int(node.stdout.readline().partition('"port": ')[2].partition(",")[0])
    connection = HTTPConnection("::1", port, timeout=10)
    connection.request("GET", "/health")
    assert connection.getresponse().read() == b"This process answers.\n"
    node.terminate()
    assert node.wait(timeout=10) == 0
