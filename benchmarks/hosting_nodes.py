"""Costs of sending a campaign's commands to three nodes in turn, as without routing, instead of to one, as with it."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.long_fight import blows, opening
from benchmarks.measures import QUICK, Row, Scale, milliseconds
from benchmarks.web import Served, served
from benchmarks.web_clients import Connection
from rollbook.adapters.wiring import open_book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.ports.clock import microseconds
from rollbook.rulesets import storytoken

NODES = 3
ACTIONS = 200
ONE, MANY = "routed", "spread"


def over_nodes(address: str, folder: Path, scale: Scale) -> Row:
    """The time of a command at three nodes in turn, against that at one. Both take turns, so they meet the same load."""
    with open_book(address, folder / "seeds") as book:
        for name in (ONE, MANY):
            EntryLog(book.store, name, microseconds).write(Head(), [opening(storytoken.RULESET), *blows(ACTIONS)])
            book.campaign(name).do("close-session")
            book.campaign(name).do("open-session", {"title": "Friday"})
    with ExitStack() as stack:
        nodes = []
        for number in range(NODES):
            os.environ["ROLLBOOK_CACHE"] = str(folder / f"cache-{number}")
            nodes.append(stack.enter_context(served("table", address, seeds=folder / "seeds")))
        one, many = asyncio.run(_taken(nodes, 12 if scale is QUICK else 40 * scale.rounds))
    return Row(
        name=f"PostgreSQL: a command over {NODES} nodes in turn, against one node",
        ours=milliseconds(many),
        other=milliseconds(one),
        ratio=statistics.median(many) / statistics.median(one),
        bound=1.5,
        at_least=False,
    )


async def _taken(nodes: Sequence[Served], rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of each command in both campaigns, after each node has had both once."""
    lines = [node.gm for node in nodes]
    for number, line in enumerate(lines):
        for name in (ONE, MANY):
            await _say(line, name, f"warm {number}")
    taken: dict[str, list[float]] = {ONE: [], MANY: []}
    for turn in range(rounds):
        for number, line in enumerate(lines):
            mark = f"{turn}.{number}"
            taken[ONE].append(await _say(lines[0], ONE, mark))
            taken[MANY].append(await _say(line, MANY, mark))
    for line in lines:
        line.close()
    return taken[ONE], taken[MANY]


async def _say(line: Connection, name: str, mark: str) -> float:
    began = time.perf_counter()
    await line.ask(f"/c/{name}/say", {"line": "roll 1d20+3", "command": mark})
    return time.perf_counter() - began
