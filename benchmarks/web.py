"""Costs of the web table: seconds to see a command, many campaigns at once, long ones, first load, memory, the end."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from benchmarks.long_fight import CAMPAIGN, blows, opening, written
from benchmarks.measures import ROOT, Row, Scale
from benchmarks.web_clients import Connection, Crowd, uninterrupted
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import open_book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.ports.clock import microseconds
from rollbook.rulesets import storytoken

CLIENTS = 200
SOON, SOON_FROM_ELSEWHERE = 0.1, 0.3
"""Seconds within which all have what one of them did, and what another program stored."""
PLAYERS = ("Mira", "Jo", "Lee", "Ben")
CAMPAIGNS = 50
COMMANDS_EACH = 6
SHORT = 1_000
FIRST_LOAD = 60_000
MEGABYTE = 1_000_000
WARM = 24
"""Campaigns of 1,000 actions that are opened to see what each takes, after as many others."""
TOGETHER, SETTLED = 12, 9.0
"""So many are opened at once; after so many seconds a server has let go of what is not asked for again."""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
HOST_SEAT = ["", "", "gm"]


@attrs.frozen
class Served:
    """A server in another process."""

    process: subprocess.Popen[str]
    port: int
    cookies: dict[str, str]

    @property
    def seconds(self) -> float:
        """The processor time that it has taken so far, with its further processes."""
        further = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        spent = 0
        for each in (self.process.pid, *further):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            spent += int(fields[11]) + int(fields[12])
        return spent / TICKS

    @property
    def plays(self) -> int:
        """The number of times that it has played an action so far, recorded or not."""
        assert self.process.stdout is not None
        self.process.send_signal(signal.SIGUSR1)
        return int(self.process.stdout.readline())

    @property
    def memory(self) -> int:
        """Bytes of memory that it alone holds."""
        resident, shared = map(int, Path(f"/proc/{self.process.pid}/statm").read_text().split()[1:3])
        return (resident - shared) * PAGE_SIZE

    @property
    def gm(self) -> Connection:
        """A connection of the host's."""
        return Connection(self.port, self.cookies.get("", ""))


@contextmanager
def served(
    kind: str, store: Path | str, seats: Sequence[Sequence[str]] = (), seeds: Path | None = None, processes: int = 1
) -> Iterator[Served]:
    """A server of a store in a file, or at an address, until it is left."""
    kept = str(seeds or Path(store).with_name("seeds"))
    words = [kind, str(store), kept, json.dumps([HOST_SEAT, *seats]), str(processes)]
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.web_server", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        said = json.loads(process.stdout.readline())
        yield Served(process, said["port"], said["cookies"])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
        process.stdout.close()


def web(folder: Path, scale: Scale) -> Iterator[Row]:
    """Everything that the table on the web costs."""
    store = _played(folder / "web.db")
    yield from _everybody(store, rounds=8 * scale.rounds)
    yield from _many_campaigns(store)
    yield from _long_campaigns(folder, scale)
    yield _first_load(store)
    yield from _memory(folder, store)
    yield _stopping(store)


def _played(store: Path) -> Path:
    """A store with a table of four players, and many other campaigns."""
    with open_book(store, store.with_name("seeds")) as book:
        table = book.new("Table", storytoken.RULESET.key)
        table.do("take-seat", {"seat": "Ana", "role": "gm"})
        for player in PLAYERS:
            table.do("take-seat", {"seat": player})
        table.say("bring-in robin-hood --seat Mira")
        for number in range(CAMPAIGNS):
            book.new(f"Other {number}", storytoken.RULESET.key)
    return store


# How soon everybody sees it.


def _everybody(store: Path, rounds: int) -> Iterator[Row]:
    seats = [("table", player, "player") for player in PLAYERS] + [("table", "the room", "spectator")]
    with served("table", store, seats) as ours, served("echo", store) as bare:
        mine, theirs = asyncio.run(_side_by_side(ours, bare, rounds))
        elsewhere = asyncio.run(_from_elsewhere(ours, store, rounds=5))
    late, early = _last_percent(mine.waits), _last_percent(theirs.waits)
    yield _row(f"the web: a command by one of {CLIENTS} clients is on the others, 99 % / what is wanted", late, SOON, 1)
    yield _row("the web: the same / a bare Starlette that rings the same bell", late, early, 2)
    yield _row("the web: the same, in processor time of the server", mine.seconds, theirs.seconds, 2)
    yield _row(
        "the web: what another program stored is on all of them / what is wanted", elsewhere, SOON_FROM_ELSEWHERE, 1
    )


@attrs.define
class Rounds:
    """Waiting times of clients, and processor time of the server for each command."""

    waits: list[float] = attrs.field(factory=list)
    costs: list[float] = attrs.field(factory=list)

    @property
    def seconds(self) -> float:
        return statistics.mean(self.costs)


async def _side_by_side(ours: Served, bare: Served, rounds: int) -> tuple[Rounds, Rounds]:
    """The same crowd at both, by turns."""
    mine, theirs = Rounds(), Rounds()
    here, there = Crowd(), Crowd()
    cookies = [cookie for seat, cookie in ours.cookies.items() if seat]
    await here.open(ours.port, "table", [cookies[number % len(cookies)] for number in range(CLIENTS)])
    await there.open(bare.port, "echo", ["rollbook=anybody"] * CLIENTS)
    places = ((ours, here, mine, "table"), (bare, there, theirs, "echo"))
    with uninterrupted():
        for number in range(rounds + 2):
            for server, crowd, found, campaign in places:
                line = {"line": f"note The {number}th thing that was said", "command": f"c{number}"}
                before = server.seconds
                waits = await crowd.after(server.gm.ask(f"/c/{campaign}/say", line))
                if number > 1:
                    found.waits += waits
                    found.costs.append(server.seconds - before)
    here.close()
    there.close()
    return mine, theirs


async def _from_elsewhere(ours: Served, store: Path, rounds: int) -> float:
    crowd = Crowd()
    await crowd.open(ours.port, "table", [ours.cookies["Mira"], ours.cookies["the room"]] * 10)
    waits: list[float] = []
    with open_book(store, store.with_name("seeds")) as book, uninterrupted():
        for number in range(rounds):
            campaign = book.campaign("table")
            waits += await crowd.after(asyncio.to_thread(campaign.do, "note", {"text": f"The {number}th"}))
            await asyncio.sleep(0.13)
    crowd.close()
    return max(waits)


def _last_percent(waits: list[float]) -> float:
    return sorted(waits)[int(len(waits) * 0.99)]


def _row(name: str, ours: float, other: float, bound: float) -> Row:
    return Row(
        name=name,
        ours=f"{ours * 1000:.3g} ms",
        other=f"{other * 1000:.3g} ms",
        ratio=ours / other,
        bound=bound,
        at_least=False,
    )


# Many campaigns, and long ones.


def _many_campaigns(store: Path) -> Iterator[Row]:
    with served("table", store) as ours:
        asyncio.run(_play(ours, at_once=True, first=0))
        one_by_one: list[float] = []
        at_once: list[float] = []
        for round_ in range(1, 4):
            for times, together in ((one_by_one, False), (at_once, True)):
                before = ours.seconds
                asyncio.run(_play(ours, at_once=together, first=2 * round_ + together))
                times.append(ours.seconds - before)
    yield _row(
        f"the web: {CAMPAIGNS} campaigns played at once / one after another, in processor time",
        statistics.median(at_once),
        statistics.median(one_by_one),
        1.15,
    )


async def _play(ours: Served, *, at_once: bool, first: int) -> None:
    async def play(number: int) -> None:
        gm = ours.gm
        for command in range(COMMANDS_EACH):
            line = {"line": f"note Said in {number}", "command": f"{first}.{number}.{command}"}
            await gm.ask(f"/c/other-{number}/say", line)
        gm.close()

    if at_once:
        await asyncio.gather(*(play(number) for number in range(CAMPAIGNS)))
    else:
        for number in range(CAMPAIGNS):
            await play(number)


def _long_campaigns(folder: Path, scale: Scale) -> Iterator[Row]:
    stores = {}
    most = scale.events // 2
    for events in (SHORT, most):
        stores[events] = folder / str(events) / "long.db"
        stores[events].parent.mkdir()
        written(stores[events], events, storytoken.RULESET)
    seats = [(CAMPAIGN, "the room", "spectator")]
    with served("table", stores[SHORT], seats) as short, served("table", stores[most], seats) as long:
        for who, seat in (("the GM", ""), ("the table", "the room")):
            times = asyncio.run(_loading((short, long), seat, scale.rounds))
            yield _row(
                f"the web: the page of {most:,} events / of {SHORT:,}, for {who}, in processor time",
                times[long.port],
                times[short.port],
                1.2,
            )


async def _loading(servers: Sequence[Served], seat: str, rounds: int) -> dict[int, float]:
    """The processor time of a page that is warm, by the port of its server."""
    times: dict[int, list[float]] = {server.port: [] for server in servers}
    for round_ in range(rounds + 1):
        for server in servers:
            browser = Connection(server.port, server.cookies[seat])
            before = server.seconds
            for _ in range(40):
                await browser.ask(f"/c/{CAMPAIGN}")
            browser.close()
            if round_:
                times[server.port].append((server.seconds - before) / 40)
    return {port: statistics.median(found) for port, found in times.items()}


# The first load, memory, stopping.


def _first_load(store: Path) -> Row:
    with served("table", store) as ours:
        size = asyncio.run(_loaded(ours))
    return Row(
        name="the web: the first load, compressed / what is wanted",
        ours=f"{size / 1000:.3g} kB",
        other=f"{FIRST_LOAD / 1000:.3g} kB",
        ratio=size / FIRST_LOAD,
        bound=1,
        at_least=False,
    )


async def _loaded(ours: Served) -> int:
    """The bytes of a page and of all files that it asks for."""
    packed = "Accept-Encoding: gzip"
    page = await ours.gm.ask("/c/table", None, packed)
    html = gzip.decompress(page).decode()
    files = sorted(set(re.findall(r'(?:src|href)="(/static/[^"#]+)"', html)))
    return len(page) + sum([len(await ours.gm.ask(file, None, packed)) for file in files])


def _memory(folder: Path, store: Path) -> Iterator[Row]:
    with served("bare", store) as bare, served("table", store) as ours:
        asyncio.run(_open(ours, ["table"]))
        more = ours.memory - bare.memory
    yield _megabytes(
        "the web: memory of the server above engine and Starlette / what is wanted", more, 30 * MEGABYTE, 1
    )
    long = folder / "warm.db"
    names = _many(long, 2 * WARM)
    seats = [(name, name, "spectator") for name in names]
    for what, who in (("the GM", ""), ("the table and the GM", "room")):
        with served("table", long, seats) as ours:
            before = asyncio.run(_opened(ours, names[:WARM], who))
            each = (asyncio.run(_opened(ours, names[WARM:], who)) - before) // WARM
        yield _megabytes(
            f"the web: memory of a warm campaign of 1,000 actions, open for {what} / what is wanted", each, MEGABYTE, 1
        )


async def _opened(ours: Served, names: Sequence[str], who: str) -> int:
    """The memory of the server once these campaigns have been opened, some at a time, and nothing of their past is asked for."""
    for begin in range(0, len(names), TOGETHER):
        await _open(ours, names[begin : begin + TOGETHER], who)
        await asyncio.sleep(SETTLED)
    return ours.memory


def _many(store: Path, count: int) -> list[str]:
    """A store with campaigns of 1,000 actions."""
    actions = [opening(storytoken.RULESET), *blows(999)]
    names = [f"fight-{number}" for number in range(count)]
    for name in names:
        EntryLog(SQLiteEventStore(store), name, microseconds).write(Head(), actions)
    return names


async def _open(ours: Served, names: Sequence[str], who: str = "") -> None:
    for name in names:
        await ours.gm.ask(f"/c/{name}")
        if who:
            await Connection(ours.port, ours.cookies[name]).ask(f"/c/{name}")


def _megabytes(name: str, ours: int, other: int, bound: float) -> Row:
    return Row(
        name=name,
        ours=f"{ours / MEGABYTE:.3g} MB",
        other=f"{other / MEGABYTE:.3g} MB",
        ratio=ours / other,
        bound=bound,
        at_least=False,
    )


def _stopping(store: Path) -> Row:
    with served("table", store, [("table", "Mira", "player")]) as ours:
        seconds = asyncio.run(_stopped(ours))
    return Row(
        name="the web: stopping with streams open / what is wanted",
        ours=f"{seconds:.2g} s",
        other="1 s",
        ratio=seconds,
        bound=1,
        at_least=False,
    )


async def _stopped(ours: Served) -> float:
    crowd = Crowd()
    await crowd.open(ours.port, "table", [ours.cookies["Mira"]] * CLIENTS)
    began = time.perf_counter()
    ours.process.send_signal(signal.SIGTERM)
    await asyncio.to_thread(ours.process.wait, 20)
    crowd.close()
    return time.perf_counter() - began
