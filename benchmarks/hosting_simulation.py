"""A Friday night on many nodes, reckoned from what one node costs: ``python -m benchmarks.hosting_simulation [ADDRESS]``.

ADDRESS is an empty store on a PostgreSQL server of this computer, made by ``rollbook store migrate``; ROLLBOOK_SEED_KEY has its
key. Without one a server is started for it. A real node plays some tables and then four times as many: what a command, a live
read, a stream and a warm campaign take is measured at both, and the rest is arithmetic, which is printed.
"""

from __future__ import annotations

import asyncio
import math
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import attrs
import click
import psycopg

from benchmarks.long_fight import blows, opening
from benchmarks.postgres_server import PROGRAM, SEED_KEY, PostgresServer
from benchmarks.web import MEGABYTE, TICKS, Served, served
from benchmarks.web_clients import Crowd
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.ports.clock import microseconds
from rollbook.rulesets import storytoken

CAMPAIGNS, TABLES, BROWSERS, EVERY = 100_000, 5_000, 6, 20.0
"""Simulated load: stored campaigns, tables at once, browsers at each, seconds between two commands at a table."""
ENTRIES_EACH = 2_000
"""Entries of a stored campaign: forty sessions of fifty actions."""
BUSY = 0.5
"""The part of a processor that is to be busy on a Friday night, so that there is room for bursts and for a node that is gone."""
STREAMS_OF_A_NODE = 1_000
"""So many streams a node takes (``adapters/web/guards/limits.py``)."""
POOL = 12
"""Connections that a node may have open: its pool, its bell and its tail."""
FEW, MANY = 3, 12
"""Tables at which is measured."""
ACTIONS = 400
"""Actions that each of them has played before."""
COMMANDS = 4
"""Commands for each table, of which each second one rolls dice."""
MONTHLY = {"processor": 12.0, "gigabyte of memory": 3.0, "gigabyte of disk": 0.1}
"""Prices that are assumed, in euros a month."""


@attrs.frozen
class Taken:
    """Measurements with so many ``tables``: processor seconds for one, and bytes."""

    tables: int
    command: float
    live_read: float
    database: float
    commits: float
    log: float
    warm: float
    stream: float


class Database:
    """Counters of the database server, as the program's role may read them."""

    def __init__(self, address: str) -> None:
        self._line = psycopg.connect(address, autocommit=True, application_name="the simulation")

    def _one(self, statement: str) -> float:
        found = self._line.execute(statement.encode()).fetchone()
        return float(found[0]) if found and found[0] is not None else 0.0

    @property
    def seconds(self) -> float:
        """Processor time of the connections that nodes have now."""
        rows = self._line.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'rollbook'").fetchall()
        return sum(_seconds_of(pid) for (pid,) in rows)

    @property
    def commits(self) -> float:
        """Transactions that wrote something, since the server began."""
        return self._one("SELECT pg_current_xact_id()::text::numeric")

    @property
    def log(self) -> float:
        """Bytes that went into the write-ahead log."""
        return self._one("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")

    @property
    def bytes_an_entry(self) -> float:
        """Bytes on the disk for an entry, with its indexes."""
        return self._one(
            "SELECT pg_total_relation_size('rollbook.stored_events') / GREATEST(COUNT(*), 1) FROM rollbook.stored_events"
        )


def _seconds_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def play_before(book: Book, tables: int) -> list[str]:
    """Campaigns with some hundred actions; the names of them."""
    names = [f"table-{number}" for number in range(tables)]
    for name in names:
        EntryLog(book.store, name, microseconds).write(Head(), [opening(storytoken.RULESET), *blows(ACTIONS)])
        campaign = book.campaign(name)
        campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
        campaign.do("close-session")
        campaign.do("open-session", {"title": "Friday"})
    return names


def seats_of(campaign: str) -> tuple[str, str]:
    """A player and the room of a table; no two tables have seats of one name."""
    return f"Mira of {campaign}", f"the room of {campaign}"


async def measured(node: Served, database: Database, names: Sequence[str]) -> Taken:
    """Play at all these tables, first alone and then with browsers that follow."""
    gm, scale = node.gm, len(names)
    cold = node.memory
    for name in names:
        await gm.ask(f"/c/{name}")
    warm = (node.memory - cold) / len(names)
    await _commands(node, names, f"first of {scale}", [])
    before = (node.seconds, database.seconds, database.commits, database.log)
    count = await _commands(node, names, f"alone of {scale}", [])
    after = (node.seconds, database.seconds, database.commits, database.log)
    alone, on_server, commits, log = ((end - begin) / count for begin, end in zip(before, after, strict=True))
    memory = node.memory
    crowds = [Crowd() for _ in names]
    for crowd, name in zip(crowds, names, strict=True):
        await crowd.open(node.port, name, [node.cookies[seat] for seat in seats_of(name)] * (BROWSERS // 2))
    stream = (node.memory - memory) / (len(names) * BROWSERS)
    await _commands(node, names[:2], f"warm of {scale}", crowds)
    began = node.seconds
    count = await _commands(node, names, f"followed of {scale}", crowds)
    followed = (node.seconds - began) / count
    for crowd in crowds:
        crowd.close()
    live_read = max(followed - alone, 0.0) / BROWSERS
    return Taken(len(names), alone, live_read, on_server, commits, log, warm, stream)


async def _commands(node: Served, names: Sequence[str], what: str, crowds: Sequence[Crowd]) -> int:
    """Give each table its commands, one table after the other; returns how many there were."""
    gm = node.gm
    for number in range(COMMANDS):
        line = f"note {what} {number}" if number % 2 else "roll 1d20+3"
        for at, name in enumerate(names):
            act = gm.ask(f"/c/{name}/say", {"line": line, "command": f"{what}.{number}"})
            if crowds:
                await crowds[at].after(act)
            else:
                await act
    gm.close()
    return COMMANDS * len(names)


def measure(address: str, folder: Path) -> Iterator[Taken]:
    """Measure a node at both scales."""
    os.environ["ROLLBOOK_CACHE"] = str(folder / "cache")
    with open_book(address, folder / "seeds") as book:
        names = play_before(book, MANY)
    roles = ("player", "spectator")
    seats = [(name, *seat) for name in names for seat in zip(seats_of(name), roles, strict=True)]
    database = Database(address)
    for tables in (FEW, MANY):
        with ExitStack() as stack:
            node = stack.enter_context(served("table", address, seats[: 2 * tables], folder / "seeds"))
            yield asyncio.run(measured(node, database, names[:tables]))


def without_beginning(few: Taken, many: Taken) -> Taken:
    """Measurements with many tables; memory is that of each further table, as the first ones load code and pages."""

    def further(of_few: float, of_many: float) -> float:
        return max((many.tables * of_many - few.tables * of_few) / (many.tables - few.tables), 0.0)

    return attrs.evolve(many, warm=further(few.warm, many.warm), stream=further(few.stream, many.stream))


def reckoned(taken: Taken, entry: float, base: float) -> list[str]:
    """The arithmetic of the whole night from what one node took, line by line."""
    commands = TABLES / EVERY
    reads, streams = commands * BROWSERS, TABLES * BROWSERS
    of_commands, of_reads = commands * taken.command, reads * taken.live_read
    by_processor = math.ceil((of_commands + of_reads) / BUSY)
    by_streams = math.ceil(streams / STREAMS_OF_A_NODE)
    nodes = max(by_processor, by_streams) + 1
    memory = base + TABLES / nodes * taken.warm + streams / nodes * taken.stream
    database = commands * taken.database
    size = CAMPAIGNS * ENTRIES_EACH * entry
    processors = max(2, math.ceil(database / BUSY) * 2)
    monthly = nodes * (MONTHLY["processor"] + 2 * MONTHLY["gigabyte of memory"])
    monthly += 2 * (processors * MONTHLY["processor"] + 32 * MONTHLY["gigabyte of memory"])
    monthly += 4 * size / 1e9 * MONTHLY["gigabyte of disk"]
    return [
        (
            f"commands: {TABLES:,} tables / {EVERY:g} s = {commands:,.0f}/s; live reads: × {BROWSERS} = {reads:,.0f}/s; "
            f"streams: {streams:,}"
        ),
        (
            f"processors of nodes: {commands:,.0f} × {_ms(taken.command)} + {reads:,.0f} × {_ms(taken.live_read)} = "
            f"{of_commands:.2f} + {of_reads:.2f} = {of_commands + of_reads:.2f}"
        ),
        (
            f"nodes: {of_commands + of_reads:.2f} / {BUSY:g} = {by_processor} for processors; "
            f"{streams:,} / {STREAMS_OF_A_NODE:,} = {by_streams} for streams; the larger, and one to spare: {nodes}"
        ),
        (
            f"memory of a node: {_mb(base)} + {TABLES / nodes:,.0f} campaigns × {_mb(taken.warm)} + "
            f"{streams / nodes:,.0f} streams × {taken.stream / 1000:.1f} kB = {_mb(memory)}"
        ),
        f"database, processors: {commands:,.0f} × {_ms(taken.database)} = {database:.2f}",
        f"database, transactions that write: {commands:,.0f} × {taken.commits:.1f} = {commands * taken.commits:,.0f}/s",
        f"database, log: {commands:,.0f} × {taken.log / 1000:.1f} kB = {commands * taken.log / MEGABYTE:.1f} MB/s",
        f"database, connections: {nodes} × {POOL} = {nodes * POOL:,} at most",
        f"database, size: {CAMPAIGNS:,} × {ENTRIES_EACH:,} entries × {entry:,.0f} bytes = {size / 1e9:,.0f} GB",
        (
            f"a month, as assumed: {nodes} nodes of 1 processor and 2 GB, a database and its standby of {processors} processors "
            f"and 32 GB each, and four times its size on disks: {monthly:,.0f} euros"
        ),
    ]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _mb(count: float) -> str:
    return f"{count / MEGABYTE:.2f} MB"


def table(taken: Sequence[Taken]) -> str:
    """The measurements as Markdown, a column for each scale."""
    rows = (
        ("a command, processor time of the node", [_ms(one.command) for one in taken]),
        ("a live read, processor time of the node", [_ms(one.live_read) for one in taken]),
        ("a command, processor time of the database", [_ms(one.database) for one in taken]),
        ("a command, transactions that write", [f"{one.commits:.1f}" for one in taken]),
        ("a command, bytes of the log", [f"{one.log:,.0f}" for one in taken]),
        (f"a warm campaign of {ACTIONS} actions, memory", [_mb(one.warm) for one in taken]),
        ("a stream, memory", [f"{one.stream / 1000:.1f} kB" for one in taken]),
    )
    heads = " | ".join(f"{one.tables} tables" for one in taken)
    lines = [f"| one node | {heads} |", "| --- |" + " ---: |" * len(taken)]
    return "\n".join([*lines, *(f"| {name} | {' | '.join(found)} |" for name, found in rows)])


@contextmanager
def _own_server() -> Iterator[str]:
    """The address of an empty store on a server of its own, with a key."""
    server = PostgresServer(fsync=True)
    os.environ["ROLLBOOK_SEED_KEY"] = SEED_KEY
    try:
        yield server.make().dsn(PROGRAM, server.new_database())
    finally:
        server.close()


@click.command()
@click.argument("given", metavar="[ADDRESS]", default="")
def main(given: str) -> None:
    """Measure one node at two scales, and reckon a Friday night of five thousand tables."""
    with ExitStack() as stack:
        address = given or stack.enter_context(_own_server())
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        taken = []
        for one in measure(address, Path(folder)):
            click.echo(f"measured: {one}", err=True)
            taken.append(one)
        click.echo(table(taken))
        click.echo("")
        for line in reckoned(without_beginning(*taken), Database(address).bytes_an_entry, 100 * MEGABYTE):
            click.echo(f"* {line}")


if __name__ == "__main__":
    main()
