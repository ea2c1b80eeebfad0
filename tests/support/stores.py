"""SQLite stores, other processes that use them, and all that a store holds."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.history.event_store import NewEntry, StoredEntry, WholeStore

ROOT = Path(__file__).parents[2]


HIT = NewEntry("hit", b"5")


MISS = NewEntry("miss", b"")


NOBODY = 65534


def filled(path: Path, count: int = 3) -> Path:
    with closing(SQLiteEventStore(path)) as store:
        store.append("sherwood", 0, [NewEntry("tick", b"%d" % n) for n in range(count)])
    return path


def process(script: str, *arguments: object) -> subprocess.Popen[bytes]:
    prelude = "import os, sys\nfrom rollbook.adapters.storage.sqlite.store import SQLiteEventStore\n"
    prelude += "from rollbook.domain.base.errors import *\n"
    prelude += "from rollbook.domain.history.event_store import NewEntry\n"
    return subprocess.Popen(
        [sys.executable, "-c", prelude + textwrap.dedent(script), *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def answer(running: subprocess.Popen[bytes]) -> str:
    out, _ = running.communicate(timeout=30)
    assert running.returncode == 0
    return out.decode().strip()


def unguarded(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A connection to a campaign file without triggers, so that entries may be changed."""
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    return connection


def files_of(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def events_of(path: Path) -> list[StoredEntry]:
    with closing(SQLiteEventStore(path, create=False)) as store:
        return list(store.read("sherwood"))


def whole(store: WholeStore) -> dict[str, object]:
    """Every stream with its marker, its entries, their kinds and the keys of their commands, and the tombstones."""
    streams = store.campaigns()
    held: dict[str, object] = {"streams": streams, "tombstones": store.tombstones()}
    for stream in streams:
        entries = list(store.read_to_copy(stream))
        assert [(version, one.kind, one.data) for version, one in entries] == [tuple(one) for one in store.read(stream)]
        kinds = {kind for _, one in entries for kind in (one.kind.partition("@")[0], *one.events)}
        commands = {one.command for _, one in entries if one.command}
        found = {kind: [one.version for one in store.read_kinds(stream, [kind])] for kind in sorted(kinds)}
        by_command = {command: store.by_command(stream, command) for command in sorted(commands)}
        held[f"stream {stream}"] = (store.marker(stream), entries, found, by_command)
    return held
