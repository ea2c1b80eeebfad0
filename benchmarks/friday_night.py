"""A night at many tables on three nodes behind a proxy, with faults while they play: ``python -m benchmarks.friday_night``.

Forty tables with three tabs each, an act every two seconds, on PostgreSQL: a node is killed and comes back, another is
restarted, a third drains, a fourth joins, and the database restarts. Printed are the times from an act to its acknowledgement
and to each tab that shows it, with faults and before the first; how many acknowledged acts were lost, doubled, or missing at a
tab at the end.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import attrs
import click

from benchmarks.friday_tabs import Act, Table, Way
from benchmarks.measures import ROOT
from benchmarks.ports import free_port
from benchmarks.postgres_server import PROGRAM, SEED_KEY, PostgresServer
from benchmarks.proxies import NAME, own_certificate, proxied, status, trusting
from rollbook.adapters.web.seats.signing_in import HTTP, HTTPS
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.keeping.hosting import WantedTable, begin_table, seat_for
from rollbook.domain.events import Role

NODES = 4
"""Three from the beginning, and one that joins."""
TABS = 3
SETTLES_WITHIN = 60.0
"""Seconds after the last act in which every tab has to have everything."""
LOOKS_EVERY = 0.1
DRAIN = "5"
"""Seconds for which a node that is told to stop answers on."""


@attrs.define
class Node:
    """A node as a process of its own."""

    number: int
    store: str
    folder: Path
    port: int = attrs.field(factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, without waiting."""
        own = self.folder / f"node-{self.number}"
        variables = {
            "PYTHONPATH": str(ROOT),
            "ROLLBOOK_SEED_KEY": SEED_KEY,
            "ROLLBOOK_SEEDS": str(own / "seeds"),
            "ROLLBOOK_CACHE": str(own / "cache"),
            "XDG_STATE_HOME": str(own / "state"),
        }
        words = ["serve", "--no-browser", "--port", str(self.port), "--public", f"https://{NAME}", "--drain", DRAIN]
        with (self.folder / f"node-{self.number}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "rollbook", "--store", self.store, *words],
                cwd=ROOT,
                env={**os.environ, **variables},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def is_ready(self) -> None:
        """Wait until it is ready."""
        await until(lambda: status(self.port, "/ready") == 200)

    async def end(self, how: signal.Signals) -> None:
        """End it by a signal, and wait until it has ended."""
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(how)
            await asyncio.to_thread(process.wait)

    def stop(self) -> None:
        """End it at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@attrs.define
class Night:
    """A night: the server, its nodes and tables, and what happened when (seconds from the first act)."""

    server: PostgresServer
    nodes: Sequence[Node]
    tables: Sequence[Table]
    log: list[tuple[float, str]] = attrs.field(factory=list)
    began: float = 0.0
    ends: float = float("inf")

    async def play(self, seconds: float, every: float) -> None:
        """Play, with faults at their times, until every tab has had the time to show everything."""
        tabs = [task for table in self.tables for task in table.open_tabs()]
        await until(lambda: all(tab.after for table in self.tables for tab in table.tabs))
        self.began = time.perf_counter()
        playing = [table.play(lambda: time.perf_counter() > self.ends, every) for table in self.tables]
        await asyncio.gather(self._faults(seconds, every), *playing)
        await until(lambda: not any(table.missing() for table in self.tables), SETTLES_WITHIN)
        for task in tabs:
            task.cancel()
        await asyncio.gather(*tabs, return_exceptions=True)

    async def _faults(self, seconds: float, every: float) -> None:
        """Each fault at its part of the night, or when the one before is over; people play on for a while after the last."""
        killed, restarted, drained, fourth = self.nodes
        faults: list[tuple[float, str, Callable[[], Awaitable[None]]]] = [
            (0.30, "node 1 is killed (SIGKILL)", lambda: killed.end(signal.SIGKILL)),
            (0.40, "node 1 is back", lambda: _back(killed)),
            (0.45, "node 2 is restarted (SIGINT)", lambda: _again(restarted, signal.SIGINT)),
            (0.60, "node 3 drains (SIGTERM) and is back", lambda: _again(drained, signal.SIGTERM)),
            (0.75, "node 4 joins", lambda: _back(fourth)),
            (0.85, "PostgreSQL restarts", lambda: asyncio.to_thread(self.server.restart)),
        ]
        for part, what, happens in faults:
            await asyncio.sleep(max(self.began + part * seconds - time.perf_counter(), 0))
            self.log.append((time.perf_counter() - self.began, what))
            await happens()
        self.ends = max(self.began + seconds, time.perf_counter() + 2 * every)

    @property
    def acts(self) -> list[Act]:
        """All acts of all tables."""
        return [act for table in self.tables for act in table.acts]

    def to_tabs(self, until: float = float("inf")) -> list[float]:
        """Milliseconds from an act that was sent before a moment to each tab that showed it."""
        return [
            (tab.seen[act.mark] - act.sent) * 1_000
            for table in self.tables
            for tab in table.tabs
            for act in table.acts
            if act.mark in tab.seen and act.sent < until
        ]

    def to_acknowledgements(self, until: float = float("inf")) -> list[float]:
        """Milliseconds from an act that was sent before a moment to its acknowledgement."""
        return [(act.acknowledged - act.sent) * 1_000 for act in self.acts if act.acknowledged and act.sent < until]


async def until(is_so: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something is so, and no longer than some seconds."""
    for _ in range(round(seconds / LOOKS_EVERY)):
        if await asyncio.to_thread(is_so):
            return
        await asyncio.sleep(LOOKS_EVERY)


async def _back(node: Node) -> None:
    node.start()
    await node.is_ready()


async def _again(node: Node, how: signal.Signals) -> None:
    await node.end(how)
    await _back(node)


@attrs.frozen
class Outcome:
    """The outcome of a night: acts, those that were sent more than once, and what went wrong."""

    acts: int
    again: int
    unanswered: list[str]
    lost: list[str]
    doubled: list[str]
    missing: list[str]

    @property
    def is_right(self) -> bool:
        """True if nothing went wrong."""
        return not (self.unanswered or self.lost or self.doubled or self.missing)


def outcome(book: Book, night: Night) -> Outcome:
    """Compare what was acknowledged with what is stored, and with what the tabs show."""
    stored: Counter[str] = Counter()
    for name in book.campaigns():
        stored.update(entry.command for entry in book.campaign(name).history.entries if entry.command)
    return Outcome(
        acts=len(night.acts),
        again=sum(act.tries > 1 for act in night.acts),
        unanswered=[act.mark for act in night.acts if not act.acknowledged],
        lost=[act.mark for act in night.acts if act.acknowledged and not stored[act.mark]],
        doubled=[mark for mark, times in stored.items() if times > 1],
        missing=[each for table in night.tables for each in table.missing()],
    )


def begin(book: Book, many: int, way: Way) -> list[Table]:
    """Tables with a GM and players, whose browsers have their seats, and an open session."""
    made, kind = [], HTTPS if way.trust else HTTP
    with closing(book.seeds.links()) as links:
        for number in range(1, many + 1):
            wanted = WantedTable(name=f"Table {number:03d}", ruleset="storytoken", gm=f"Gina {number}")
            begun = begin_table(book, links, wanted)
            campaign, seats = begun.campaign, [begun.gm]
            seats += [seat_for(campaign, f"P{place} of {number}", Role.PLAYER)[0] for place in range(1, TABS)]
            campaign.do("open-session", {"title": "Friday"})
            tokens = [links.make(campaign.id, campaign.state.identity, seat)[1] for seat in seats]
            cookies = [f"{kind}-{book.store.identity()[:8]}={links.take(token, '')}" for token in tokens]
            made.append(Table(number, way, campaign.id, cookies))
    return made


@contextmanager
def prepared(folder: Path, tables: int, proxy: str, *, tls: bool = False) -> Iterator[tuple[Night, Book]]:
    """A server, nodes, a proxy and tables; all of them end with the block. ``tls`` is for nginx."""
    folder.chmod(0o755)
    (folder / "postgres").mkdir()
    (folder / "proxy").mkdir()
    os.environ["ROLLBOOK_SEED_KEY"] = SEED_KEY
    server = PostgresServer(folder / "postgres", fsync=True)
    nodes: list[Node] = []
    try:
        address = server.make().dsn(PROGRAM, server.new_database())
        nodes += [Node(number, address, folder) for number in range(1, NODES + 1)]
        for node in nodes[:-1]:
            node.start()
        certificate = own_certificate(folder) if tls else None
        ports = [node.port for node in nodes]
        with proxied(proxy, folder / "proxy", ports, page="/health", certificate=certificate) as port:
            way = Way(port, trusting(certificate) if certificate else None)
            with open_book(address, folder / "seeds") as book:
                made = begin(book, tables, way)
            asyncio.run(_ready(nodes[:-1]))
            with open_book(address, folder / "looking") as book:
                yield Night(server, nodes, made), book
    finally:
        for node in nodes:
            node.stop()
        server.close()


async def _ready(nodes: Sequence[Node]) -> None:
    async with asyncio.timeout(60):
        await asyncio.gather(*(node.is_ready() for node in nodes))


def percentiles(times: Sequence[float]) -> str:
    """The 50th, 95th and 99th of times in milliseconds; "-" for none."""
    if not times:
        return "-"
    ordered = sorted(times)
    return " / ".join(f"{ordered[min(int(len(ordered) * part), len(ordered) - 1)]:,.0f}" for part in (0.5, 0.95, 0.99))


def report(night: Night, found: Outcome) -> Iterator[str]:
    """The lines that say how it went."""
    first = night.began + night.log[0][0] if night.log else float("inf")
    yield f"{len(night.tables)} tables, {sum(len(table.tabs) for table in night.tables)} streams, {found.acts:,} acts"
    yield "milliseconds, p50 / p95 / p99            to the answer          to a tab"
    for called, until in (("before the first fault", first), ("all of it", float("inf"))):
        answer, tab = percentiles(night.to_acknowledgements(until)), percentiles(night.to_tabs(until))
        yield f"{called:36s} {answer:>20s} {tab:>20s}"
    for moment, what in night.log:
        yield f"{moment:6.1f} s  {what}"
    cut = sum(tab.cut for table in night.tables for tab in table.tabs)
    yield f"{found.again} acts were sent again, {cut} streams came back"
    for answer, times in Counter(each for table in night.tables for each in table.answers).most_common(5):
        yield f"  {times} × {answer}"
    wrong = {"never answered": found.unanswered, "lost": found.lost, "doubled": found.doubled}
    for what, each in {**wrong, "missing at a tab": found.missing}.items():
        yield f"{len(each)} {what}{': ' if each else ''}{', '.join(each[:5])}"


@click.command(help=__doc__)
@click.option("--tables", default=40, show_default=True, type=click.IntRange(1, 500))
@click.option("--seconds", default=300.0, show_default=True, type=click.FloatRange(5))
@click.option("--every", default=2.0, show_default=True, help="Seconds between two acts at a table.")
@click.option("--tls", is_flag=True, help="Over HTTPS, with nginx.")
@click.option("--proxy", default="nginx", show_default=True, type=click.Choice(("nginx", "caddy")))
def main(tables: int, seconds: float, every: float, proxy: str, *, tls: bool) -> None:
    """Play, print, and end with 1 if anything went wrong."""
    if tls and proxy != "nginx":
        raise click.UsageError("Over HTTPS it is measured with nginx.")
    path = shutil.which(proxy, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/bin")
    if path is None:
        raise click.ClickException(f"There is no {proxy} here.")
    with tempfile.TemporaryDirectory(prefix="rollbook-friday-", ignore_cleanup_errors=True) as folder:
        with prepared(Path(folder), tables, path, tls=tls) as (night, book):
            asyncio.run(night.play(seconds, every))
            found = outcome(book, night)
        for line in report(night, found):
            click.echo(line)
    sys.exit(not found.is_right)


if __name__ == "__main__":
    main()
