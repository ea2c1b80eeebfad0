"""Files that were changed: exports, scripts, bestiaries, stores and read models, each read by what reads it.

A file that is refused changes nothing in the store. A read model is made again, whatever was done to it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random

from rollbook.adapters.exports import verify_rollbook
from rollbook.adapters.local_files.paths import read_model_path
from tests.attacks.attempts import RAW, Attempts
from tests.attacks.changed_bytes import Changes
from tests.attacks.filter_words import ask, digest
from tests.attacks.tables import fresh, homes, lines_of

GAME = "storytoken"
HOSTILE_VALUES: Sequence[object] = (
    *(
        None,
        "abc",
        "",
        "\x00",
        -1,
        0,
        7,
        1.5,
        -2.5e300,
        2**63 - 1,
        -(2**63),
        b"",
        b"\xff\xfe",
        b"[1]",
        b"a\nb",
        "9" * 400,
        "[" * 2_000,
    ),
    *('{"a":1}', "~", "~1", "x~1", "NoteWritten", "ActionTaken@99", "ActionTaken@1\n", "é" * 500, "1", "1e3", "true"),
)
FOREIGN = "another file is there"
"""What is said of a file whose mark is gone, so that it may be somebody else's: it is left as it is."""

LOOKS = (
    "log",
    "campaigns",
    "status",
    "sheet robin",
    "audit",
    "stats",
    "pictures",
    "replay",
    "xp",
    "timelines",
    "receipt",
    "diff 3 9",
    "odds check robin dex",
)
CHANGES = (
    "do note hello",
    "undo last --yes --why so",
    "rebuild",
    "fork --at 5",
    "redact 1 --yes --why so",
    "new Other --ruleset grid",
)


def attack(rounds: int, seed: int, attempts: Attempts) -> None:
    """Change so many files, and have them read."""
    chance = Random(f"files {seed}")
    with homes() as folder:
        files = Files(folder, chance, attempts)
        while attempts.rounds < rounds:
            chance.choice((files.export, files.script, files.bestiary, files.store, files.store, files.read_model))()


class Files:
    """What is attacked, each in a fresh home."""

    def __init__(self, folder: Path, chance: Random, attempts: Attempts) -> None:
        self.folder = folder
        self.chance = chance
        self.changes = Changes(chance)
        self.attempts = attempts
        at = fresh(folder, GAME)
        self.whole, self.shown = folder / "whole.jsonl", folder / "shown.jsonl"
        said(["export", str(self.whole)])
        said(["export", str(self.shown), "--for", "table"])
        said(["log"])
        self.read = read_model_path(at).read_bytes()

    def new(self, name: str, content: bytes) -> tuple[Path, Path]:
        """A fresh home with a file in it; where the store is, and the file."""
        store = fresh(self.folder, GAME)
        path = store.parent.parent / name
        path.write_bytes(content)
        return store, path

    def export(self) -> None:
        """A whole export, or a player's, is imported and verified."""
        found = self.chance.choice((self.whole, self.shown)).read_bytes()
        store, path = self.new("odd.jsonl", self.changes.changed(found))
        self.refused_or_done(store, f"import {path} --as Another{self.chance.randint(1, 9)}")
        self.verified(path)

    def script(self) -> None:
        """A script; the lines before the bad one are played."""
        lines = "\n".join(lines_of(GAME)).replace("Sherwood", f"Wood {self.chance.randint(1, 99)}")
        _, path = self.new("odd.session", self.changes.changed(lines.encode()))
        self.asked(f"play {path}")

    def bestiary(self) -> None:
        """The user's own stat blocks."""
        rows = b'[storytoken.wolf]\nhp = 9\nac = 12\n[storytoken."old bear"]\nhp = 30\nskills = "a, b"\nextra = { x = 1 }\n'
        store, path = self.new("odd.toml", self.changes.changed(rows))
        os.environ["ROLLBOOK_BESTIARY"] = str(path)
        try:
            for command in ("bestiary", "bestiary wolf", "join Wolf --like wolf --yes"):
                self.refused_or_done(store, command)
        finally:
            del os.environ["ROLLBOOK_BESTIARY"]

    def store(self) -> None:
        """A store: its bytes, or odd values in its columns."""
        store = fresh(self.folder, GAME)
        what = self.spoilt(store, ("stored_events", "kind_sets", "entry_kinds", "entry_commands", "store_identity"))
        if self.chance.random() < 0.5:
            for path in store.parent.glob("*.read.db*"):
                path.unlink()
        commands = [
            *self.chance.sample(LOOKS, 3),
            self.chance.choice(CHANGES),
            f"backup {store}.copy",
            f"export {store}.jsonl",
        ]
        for command in self.chance.sample(commands, 3):
            self.asked(command, what)
        copy = store.with_name("copy.db")
        store.rename(copy)
        self.asked(f"restore {copy}", what)

    def read_model(self) -> None:
        """A read model: every command answers all the same."""
        store = fresh(self.folder, GAME)
        path = read_model_path(store)
        path.write_bytes(self.read)
        for beside in ("-wal", "-shm"):
            Path(f"{path}{beside}").unlink(missing_ok=True)
        what = self.spoilt(
            path, ("position", "campaigns", "snapshots", "session_log", "xp_timeline", "sheets", "sheet_values")
        )
        for command in self.chance.sample((*LOOKS[:9], "do note hello", "undo last --yes --why so", "rebuild"), 3):
            if not self.asked(command, what) and FOREIGN not in self.attempts.said:
                self.attempts.note(f"a spoilt read model stops {command.split()[0]}", f"{what}: {command}")

    # How they are changed.

    def spoilt(self, path: Path, tables: Sequence[str]) -> str:
        """Spoil a database. Returns what was done."""
        if self.chance.random() < 0.4:
            path.write_bytes(self.changes.flipped(path.read_bytes()))
            return "bytes"
        done = []
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.create_function("fold", 1, str.casefold, deterministic=True)
            for _ in range(self.chance.choice((1, 1, 2))):
                statement, value = self.statement(database, self.chance.choice(tables))
                done.append(f"{statement} {value!r}"[:200])
                try:
                    database.execute(statement, [value] if "?" in statement else [])
                except sqlite3.Error:
                    continue
        return "; ".join(done)

    def statement(self, database: sqlite3.Connection, table: str) -> tuple[str, object]:
        """Something odd to do to a table: its columns forget what they must be first."""
        columns = [(row[1], row[2]) for row in database.execute(f"PRAGMA table_info({table})")] or [("x", "TEXT")]
        value = self.chance.choice(HOSTILE_VALUES)
        if self.chance.random() < 0.75:
            loosen(database, table, columns)
        column = self.chance.choice(columns)[0]
        where = f"rowid IN (SELECT rowid FROM {table} ORDER BY random() LIMIT {self.chance.choice((1, 1, 3, 1000))})"
        how = self.chance.random()
        if how < 0.7:
            return f"UPDATE {table} SET {column} = ? WHERE {where}", value
        if how < 0.8:
            return f"DELETE FROM {table} WHERE {where}", None
        if how < 0.9:
            names = ", ".join(name for name, _ in columns)
            return f"INSERT INTO {table} ({names}) SELECT {names.replace(column, '?', 1)} FROM {table} LIMIT 1", value
        return self.chance.choice(
            (
                f"DROP TABLE {table}",
                f"ALTER TABLE {table} ADD COLUMN odd TEXT",
                f"PRAGMA user_version = {self.chance.choice((0, 1, 3, 99, 2**31 - 1, -1))}",
                "DROP VIEW IF EXISTS events",
                f"CREATE TRIGGER odd BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END",
                "PRAGMA application_id = 7",
                "PRAGMA encoding = 'UTF-16'",
                "PRAGMA journal_mode = DELETE",
            )
        ), None

    # How they are read.

    def asked(self, command: str, what: str = "") -> bool:
        """Whether a command answered; a fault is noted."""
        return self.attempts.attempt(f"{command} ({what})" if what else command, partial(said, command.split()))

    def refused_or_done(self, store: Path, command: str) -> None:
        """A command that changes the store only if it is done."""
        before = digest(store)
        if not self.asked(command) and digest(store) != before:
            self.attempts.note("a refused file changed the store", command)

    def verified(self, path: Path) -> None:
        """The verifier that stands alone has an answer to everything."""

        def verify() -> None:
            out = StringIO()
            with redirect_stdout(out), redirect_stderr(out):
                assert verify_rollbook.main(str(path)) in (0, 1, 2)
            assert not RAW.search(out.getvalue()), out.getvalue()

        self.attempts.attempt(f"verify {path}", verify)


def said(words: Sequence[str]) -> None:
    """A command; raw words in what it says are a fault as well."""
    text = ask(words)
    found = RAW.search(text)
    assert not found, f"{found and found[0]}: {text[-600:]}"


def loosen(database: sqlite3.Connection, table: str, columns: Sequence[tuple[str, str]]) -> None:
    """Make a table again whose columns may hold anything, with the same names and types."""
    kind = {"rowid": "INTEGER PRIMARY KEY AUTOINCREMENT"}
    made = ", ".join(f"{name} {kind.get(name, type_)}" for name, type_ in columns)
    try:
        held = database.execute(f"SELECT * FROM {table}").fetchall()
        database.execute(f"DROP TABLE {table}")
        database.execute(f"CREATE TABLE {table} ({made})")
        database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", held)
    except sqlite3.Error:
        return
