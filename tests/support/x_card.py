"""A table at which an X-card is raised, and every byte that is left of it."""

from __future__ import annotations

import itertools
import json
import os
import shlex
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import attrs
import pytest

from rollbook.adapters.cli import main

HOUSE = Path(__file__).resolve().parents[2]


LONG_AGO = 1_700_000_000
"""Seconds since 1970: when every file of the folder was last touched, as far as it knows."""


PEOPLE = ("robin", "mira")


STORY = """\
campaign "The Mill" storytoken round_seconds=6
take-seat Ana --role gm
take-seat robin
take-seat mira
open-session First
join "Robin Hood" --id hood --seat robin --heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17 ! 5
join Guard --kind npc --hp 18 --ac 12
give hood longbow --use weapon:medium-ranged
scene The mill
attack hood guard longbow --distance 40 --seat robin ! 14 4
note The guard shouts.
roll 1d20
"""
"""Twelve actions: #9 frames the scene, #10 is the attack."""


QUESTIONS = (
    "log",
    "log --all --json",
    "log --corrections --json",
    "sheet",
    "sheet hood --json",
    "xp --json",
    "audit",
    "audit --json",
    "diff 12 now --json",
    "campaigns --json",
    "export {out}",
)


@attrs.frozen
class Traces:
    """All that is left after something was done: files, what was touched in which order, and what was said."""

    files: dict[str, str]
    modes: dict[str, int]
    touched: dict[str, int]
    looked_at: frozenset[str]
    said: tuple[tuple[int, str, str], ...]

    def differences(self, other: Traces) -> list[str]:
        """Everything that tells the two apart."""
        found = [f"file {name}" for name in self.files.keys() ^ other.files.keys()]
        found += [f"bytes of {name}" for name in self.files if self.files[name] != other.files.get(name)]
        found += [f"mode of {name}" for name in self.modes if self.modes[name] != other.modes.get(name)]
        found += [f"{name} was touched" for name in self.touched.keys() ^ other.touched.keys()]
        found += [f"{name} was looked at" for name in self.looked_at ^ other.looked_at]
        for one, two in itertools.permutations(self.touched.keys() & other.touched.keys(), 2):
            if self.touched[one] < self.touched[two] and other.touched[one] > other.touched[two]:
                found.append(f"{one} was touched before {two}")
        return found + [
            f"said {mine!r}, {theirs!r}" for mine, theirs in zip(self.said, other.said, strict=True) if mine != theirs
        ]


class Table:
    """A home in which the same campaign is put back, byte for byte, before each act."""

    def __init__(self, home: Path, beside: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home, self.beside, self.capsys = home, beside, capsys
        self.origin = beside / "origin"
        beside.mkdir()

    def keep(self) -> None:
        shutil.copytree(self.home, self.origin)

    def put_back(self) -> None:
        for path in self.home.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(self.origin, self.home, dirs_exist_ok=True)
        for path in (*self.home.rglob("*"), self.home):
            os.utime(path, (LONG_AGO, LONG_AGO))

    def rollbook(self, words: str) -> tuple[int, str, str]:
        self.capsys.readouterr()
        code = main(shlex.split(words))
        said = self.capsys.readouterr()
        return int(code), said.out, said.err

    def left_by(self, do: Callable[[], Any], *, wal: bool = False) -> Traces:
        """Traces left by an act at a fixed moment with fixed chance, and what commands say afterwards."""
        self.put_back()
        held = [_held(path) for path in self.home.rglob("*.db")] if wal else []
        with fixed():
            first = do()
            times, looked_at, files = self.times(), self.looked_at(), self.files()
            said = [self.rollbook(words.format(out=self.beside / "out.jsonl")) for words in QUESTIONS]
        exported = self.beside / "out.jsonl"
        files["the export"] = exported.read_bytes().hex()
        exported.unlink()
        for connection in held:
            connection.close()
        modes = {str(path.relative_to(self.home)): path.stat().st_mode for path in self.home.rglob("*")}
        return Traces(files, modes, times, looked_at, (first if isinstance(first, tuple) else (0, "", ""), *said))

    def times(self) -> dict[str, int]:
        found = {str(path.relative_to(self.home)): path.stat().st_mtime_ns for path in self.home.rglob("*")}
        return {name: at for name, at in found.items() if at != LONG_AGO * 1_000_000_000}

    def looked_at(self) -> frozenset[str]:
        every = ((path, path.stat().st_atime_ns) for path in self.home.rglob("*") if path.is_file())
        return frozenset(str(path.relative_to(self.home)) for path, at in every if at != LONG_AGO * 1_000_000_000)

    def files(self) -> dict[str, str]:
        every = (path for path in self.home.rglob("*") if path.is_file())
        return {str(path.relative_to(self.home)): sha256(without_salts(path)).hexdigest() for path in every}


def _held(path: Path) -> sqlite3.Connection:
    """A reader meanwhile, so that the write-ahead log stays where it is."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def without_salts(path: Path) -> bytes:
    """The bytes of a file without what SQLite draws at random for a write-ahead log, and the sums over it."""
    data = bytearray(path.read_bytes())
    if path.name.endswith("-wal") and data:
        page = int.from_bytes(data[8:12], "big")
        data[16:32] = bytes(16)
        for frame in range(32, len(data), 24 + page):
            data[frame + 8 : frame + 24] = bytes(16)
    if path.name.endswith("-shm"):
        data[24:48] = data[72:96] = bytes(24)
    return bytes(data)


@contextmanager
def fixed() -> Iterator[None]:
    """A clock that ticks once for every look, and chance that comes out the same."""
    ticks, drawn = itertools.count(1_800_000_000_000_000_000, 1_000_000), itertools.count()

    def token(size: int = 32) -> bytes:
        return sha256(b"%d" % next(drawn)).digest()[:size]

    with (
        patch("time.time_ns", lambda: next(ticks)),
        patch("secrets.token_bytes", token),
        patch("secrets.token_hex", lambda size=32: token(size).hex()),
    ):
        yield


def log(table: Table) -> dict[int, dict[str, Any]]:
    lines = [json.loads(line) for line in table.rollbook("log --json")[1].splitlines()]
    return {line["action"]: line for line in lines}
