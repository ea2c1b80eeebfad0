"""A world of Foundry with 10,000 messages, taken in by a command in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import ROOT, Row, Scale

MESSAGES = 10_000
SECONDS, MEGABYTES = 10, 200
"""Seconds that a user accepts, and megabytes of a small server."""


def taking_in(folder: Path, scale: Scale) -> Iterator[Row]:
    """Cost of a newcomer's first import, by processor time and peak memory."""
    world = _world(folder / "greenwood", MESSAGES)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ROLLBOOK_STORE": str(folder / "taken.db")}
    environment["ROLLBOOK_SEEDS"] = str(folder / "taken-seeds")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.one_command", "import", str(world), "--from", "foundry"],
        check=True, capture_output=True, text=True, cwd=ROOT, env=environment,
    )  # fmt: skip
    cost = json.loads(done.stderr.splitlines()[-1])
    megabytes = cost["peak_kb"] / 1024
    name = f"import of a Foundry world with {MESSAGES:,} messages"
    yield Row(
        name=f"{name}, processor time / what is wanted",
        ours=f"{cost['cpu']:.1f} s", other=f"{SECONDS} s", ratio=cost["cpu"] / SECONDS, bound=1.0, at_least=False,
    )  # fmt: skip
    yield Row(
        name=f"{name}, peak memory / what is wanted",
        ours=f"{megabytes:.0f} MB", other=f"{MEGABYTES} MB", ratio=megabytes / MEGABYTES, bound=1.0, at_least=False,
    )  # fmt: skip


def _world(path: Path, messages: int) -> Path:
    """A world as versions 9 and 10 keep it: three of four messages are rolls, by a player's character or by the GM."""
    data = path / "data"
    data.mkdir(parents=True)
    (path / "world.json").write_text(json.dumps({"id": "greenwood", "title": "Greenwood", "system": "dnd5e"}))
    users = [{"_id": "anna", "name": "Anna", "role": 1, "character": "robin"}, {"_id": "gm", "name": "Sam", "role": 4}]
    actors = [{"_id": "robin", "name": "Robin", "type": "character", "system": {}}]
    for kind, documents in (("users", users), ("actors", actors), ("messages", map(_message, range(messages)))):
        with (data / f"{kind}.db").open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(each)}\n" for each in documents)
    return path


def _message(number: int) -> dict[str, object]:
    by_gm = number % 3 == 0
    said: dict[str, object] = {
        "_id": f"message{number:09}", "user": "gm" if by_gm else "anna", "timestamp": 1_700_000_000_000 + number * 60_000,
        "whisper": [], "blind": False, "flavor": "", "flags": {}, "rolls": [],
        "speaker": {"actor": None if by_gm else "robin", "alias": "Sam" if by_gm else "Robin"},
    }  # fmt: skip
    if number % 4 == 0:
        return {**said, "type": 2, "content": f"<p>They go on to mile {number} of the <b>long</b> road.</p>"}
    face = number % 20 + 1
    rolled = {
        "class": "Roll", "formula": "1d20 + 5", "total": face + 5, "evaluated": True, "dice": [],
        "terms": [
            {"class": "Die", "number": 1, "faces": 20, "modifiers": [], "results": [{"result": face, "active": True}]},
            {"class": "OperatorTerm", "operator": "+"},
            {"class": "NumericTerm", "number": 5},
        ],
    }  # fmt: skip
    return {**said, "type": 5, "content": str(face + 5), "flavor": "Longbow", "rolls": [json.dumps(rolled)]}
