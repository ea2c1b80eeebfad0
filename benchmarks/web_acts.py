"""Costs of an act at the web table: a fight of two players and their GM, whose browsers follow it, at one table and at forty."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from secrets import token_hex

import attrs

from benchmarks.measures import QUICK, Row, Scale
from benchmarks.postgres_server import PROGRAM, SEED_KEY, PostgresServer
from benchmarks.web import Served, served
from benchmarks.web_clients import Crowd, Listener, uninterrupted
from rollbook.adapters.wiring import open_book
from rollbook.rulesets import storytoken

TABLES = 40
WANTED, PLAYS = 0.015, 3
"""Seconds of the processor for an act with all that three browsers show of it, and how often an action is played for it."""
ON_A_FILE, ON_A_SERVER = 80, 70
"""Acts a second at forty tables, with three browsers at each."""
INITIATIVE = "20,15,10,5"
"""The dice that are typed for who begins, so that each round is like the others."""
JOINING = (
    "open-session Friday",
    'bring-in robin-hood --id hood --seat "{mira}"',
    'bring-in sherlock-holmes --id holmes --seat "{jo}"',
    "join Sheriff --kind npc --hp 9000 --ac 15",
    "join Guard --kind npc --hp 9000 --ac 15",
    f"begin-encounter hood,holmes,sheriff,guard ! {INITIATIVE}",
)
TURNS = (
    ("mira", "hood", "sheriff", "longbow", "40", "holmes"),
    ("jo", "holmes", "sheriff", "unarmed", "5", "sheriff"),
    ("ana", "sheriff", "guard", "unarmed", "5", "guard"),
    ("ana", "guard", "sheriff", "unarmed", "5", ""),
)
"""The turns of a round: seat, fighter, target, weapon, distance, and who is named as the next one."""
SHOWN = {"ana": "/act?who=sheriff", "mira": "/at/sheriff?who=hood", "jo": "/do/attack?roll.as=holmes"}
"""The content of the acting panel of each: verbs, all that may be done to a foe, a form with its odds."""


def seats_of(table: str) -> dict[str, str]:
    """The seats of a table; no two tables have one of the same name."""
    return {who: f"{who.title()} of {table}" for who in SHOWN}


def tables_in(address: Path | str, seeds: Path, many: int) -> list[str]:
    """Tables in the first turn of a fight."""
    names = [f"table-{number}" for number in range(many)]
    with open_book(address, seeds) as book:
        for name in names:
            seats, table = seats_of(name), book.new(name, storytoken.RULESET.key)
            table.do("take-seat", {"seat": seats["ana"], "role": "gm"})
            for who in ("mira", "jo"):
                table.do("take-seat", {"seat": seats[who]})
            for line in JOINING:
                table.say(line.format(**seats))
    return names


@attrs.define
class Playing:
    """A table that is played: its browsers, and the acts of its fight without end."""

    name: str
    browsers: Crowd
    acting: dict[str, Listener]
    sitting: str = attrs.field(factory=token_hex)
    commands: Iterator[int] = attrs.field(factory=count)

    @classmethod
    async def at(cls, node: Served, name: str) -> Playing:
        """Sit down at a table."""
        cookies = {who: node.cookies[seat] for who, seat in seats_of(name).items()}
        browsers = Crowd()
        await browsers.open(node.port, name, list(cookies.values()))
        for tab, address in zip(browsers.tabs, SHOWN.values(), strict=True):
            tab.show("act", f"/c/{name}{address}")
        return cls(name, browsers, dict(zip(cookies, browsers.tabs, strict=True)))

    async def play(self, rounds: int) -> int:
        """Play some rounds, each act as soon as all have seen the one before. Returns how many acts they were."""
        for _ in range(rounds):
            for who, fighter, target, weapon, distance, following in TURNS:
                blow = {"attacker": fighter, "target": target, "weapon": weapon, "distance": distance}
                await self._act(who, "attack", blow)
                await self._act(who, "end-turn", {"next": following} if following else {"roll.dice": INITIATIVE})
        return rounds * len(TURNS) * 2

    async def _act(self, who: str, verb: str, filled: dict[str, str]) -> None:
        form = {**filled, "roll.command": f"{self.sitting[:8]} {next(self.commands)}"}
        await self.browsers.after(self.acting[who].act(f"/c/{self.name}/do/{verb}", form))

    def close(self) -> None:
        """Leave the table."""
        self.browsers.close()


@attrs.frozen
class Taken:
    """So many ``acts``: seconds by the clock, and of the server's processors."""

    acts: int
    seconds: float
    processor: float


async def taken(node: Served, names: Sequence[str], rounds: int) -> Taken:
    """Play at all tables of a node at once, after the first one has been played at."""
    tables = [await Playing.at(node, name) for name in names]
    await tables[0].play(1)
    with uninterrupted():
        processor, began = node.seconds, time.perf_counter()
        acts = sum(await asyncio.gather(*(table.play(rounds) for table in tables)))
        seconds, processor = time.perf_counter() - began, node.seconds - processor
    for table in tables:
        table.close()
    return Taken(acts, seconds, processor)


def web_acts(folder: Path, scale: Scale) -> Iterator[Row]:
    """One act, and as many as one node can do, in one process and in two."""
    rounds, seeds = 1 if scale is QUICK else scale.rounds, folder / "seeds"
    names = tables_in(folder / "acts.db", seeds, 1)
    with node_of(folder / "acts.db", seeds, names) as node:
        plays = node.plays
        found = asyncio.run(taken(node, names, 5 * rounds))
        yield from _of_one(found, node.plays - plays)
    yield from _most("SQLite", folder / "many.db", seeds, rounds, ON_A_FILE)
    with _on_a_server(folder) as address:
        yield from _most("PostgreSQL", address, seeds, rounds, ON_A_SERVER)


def _most(store: str, address: Path | str, seeds: Path, rounds: int, wanted: float) -> Iterator[Row]:
    names = tables_in(address, seeds, TABLES)
    for processes, what in ((1, "one node"), (2, "one node with two processes")):
        with node_of(address, seeds, names, processes) as node:
            found = asyncio.run(taken(node, names, rounds))
        a_second = found.acts / found.seconds
        yield Row(
            name=f"the web: acts a second at {TABLES} tables × 3 browsers of {what}, {store} / what is wanted",
            ours=f"{a_second:.3g}/s, {found.processor / found.acts * 1000:.3g} ms of the processor each",
            other=f"{wanted}/s",
            ratio=a_second / wanted,
            bound=1,
        )


@contextmanager
def node_of(address: Path | str, seeds: Path, names: Sequence[str], processes: int = 1) -> Iterator[Served]:
    """A node of a store, in so many processes, with seats at these tables."""
    roles = {"ana": "gm", "mira": "player", "jo": "player"}
    seats = [(name, seat, roles[who]) for name in names for who, seat in seats_of(name).items()]
    with served("table", address, seats, seeds, processes) as node:
        yield node


@contextmanager
def _on_a_server(folder: Path) -> Iterator[str]:
    before = dict(os.environ)
    folder.chmod(0o755)
    (folder / "postgres").mkdir()
    with ExitStack() as stack:
        server = PostgresServer(folder / "postgres", fsync=True)
        stack.callback(server.close)
        stack.callback(os.environ.update, before)
        stack.callback(os.environ.clear)
        os.environ.update({"ROLLBOOK_CACHE": str(folder / "cache"), "ROLLBOOK_SEED_KEY": SEED_KEY})
        yield server.make().dsn(PROGRAM, server.new_database())


def _of_one(found: Taken, plays: int) -> Iterator[Row]:
    each = found.processor / found.acts
    yield Row(
        name="the web: an act with panels and log of three browsers, processor time of the server / what is wanted",
        ours=f"{each * 1000:.3g} ms",
        other=f"{WANTED * 1000:g} ms",
        ratio=each / WANTED,
        bound=1,
        at_least=False,
    )
    yield Row(
        name="the web: how often an action is played for it / what is wanted",
        ours=f"{plays / found.acts:.3g}",
        other=f"{PLAYS}",
        ratio=plays / found.acts / PLAYS,
        bound=1,
        at_least=False,
    )
