"""Processes that are killed at any moment (kill -9), and write-ahead logs that are cut anywhere, as often as one likes.

By hand: ``python -m tests.attacks.kills --rounds 1000`` plays all, ``--what redactions`` one of them. Every round is a
real process on real files. What must hold: nothing that was acknowledged is lost, no history is torn, and once a removal is in
the history and the store has been opened again, no byte of the words is in any file.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from tests.attacks.killed_removals import kill_a_copy, kill_a_deletion, kill_a_removal
from tests.attacks.killing import in_a_process, killed, problems
from tests.support.campaigns import begin_campaign, file_book
from tests.support.read_models import rebuilt, rows

Round = Callable[[Path, random.Random], Counter[str]]


def writing(folder: Path, chance: random.Random) -> Callable[[int], None]:
    """A writer that says which entries were acknowledged, with their hashes, and now and then empties the log beside the file."""

    def write(pipe: int) -> None:
        with file_book(folder) as book:
            campaign = book.campaign("sherwood")
            os.write(pipe, b"!")
            while True:
                kind = chance.random()
                if kind < 0.1:
                    campaign.corrections.undo(campaign.head.actions, reason="no").apply()
                elif kind < 0.5:
                    campaign.do("roll", {"expression": "1d20", "purpose": "luck"})
                else:
                    campaign.do("note", {"text": "a line " * chance.randrange(1, 60)})
                os.write(pipe, b"%d %s\n" % (campaign.head.entry, campaign.head.hash.encode()))
                if chance.random() < 0.3:
                    campaign.session.project()
                if chance.random() < 0.15:
                    os.write(pipe, b"emptying the log\n")
                    with closing(sqlite3.connect(folder / "rollbook.db")) as other:
                        [(busy, _, _)] = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                    os.write(pipe, b"busy\n" if busy else b"kept %d\n" % campaign.head.entry)

    return write


def begun(folder: Path) -> None:
    """A campaign with an open session."""
    with file_book(folder) as book:
        begin_campaign(book).session.project()


def acknowledged(said: bytes) -> dict[int, str]:
    """The entries that a writer was told are stored, by number; a line that was cut off is left out."""
    lines = [line.split() for line in said.partition(b"!")[2].split(b"\n")[:-1]]
    return {int(words[0]): words[1].decode() for words in lines if words[0].isdigit()}


def kill_a_writer(folder: Path, chance: random.Random) -> Counter[str]:
    """Kill a writer somewhere; everything it was told is stored must be there."""
    begun(folder)
    told = acknowledged(killed(*in_a_process(writing(folder, chance)), chance.uniform(0, 0.3)))
    found = Counter(rounds=1, acknowledged=len(told))
    with file_book(folder) as book:
        log = book.campaign("sherwood").session.log
        found["lost"] = sum(log.hash_at(number) != hash_ for number, hash_ in told.items())
        found["torn"] = bool(problems(book))
        book.campaign("sherwood").do("note", {"text": "and on"})
    return found


def cut_a_log(folder: Path, chance: random.Random) -> Counter[str]:
    """Cut the log beside the file anywhere: what follows is gone, and what is there is whole."""
    begun(folder)
    said = killed(*in_a_process(writing(folder, chance)), chance.uniform(0.05, 0.3))
    told = acknowledged(said)
    kept = max((int(line.split()[1]) for line in said.split(b"\n")[:-1] if line.startswith(b"kept")), default=0)
    found = Counter(rounds=1, acknowledged=len(told))
    if said.endswith(b"emptying the log\n") or b"busy" in said:
        return found  # what is half in the file already is on the disk in the log: there nothing can be cut off
    for name in ("rollbook.db", "rollbook.read.db")[: chance.choice((1, 1, 2))]:
        with suppress(FileNotFoundError):
            size = (folder / f"{name}-wal").stat().st_size
            there = min(size, _in_the_file(folder / name))
            os.truncate(folder / f"{name}-wal", chance.randint(there, size))
            found["cut"] += 1
            found["cut of what was partly in the file"] += there > BEGIN_OF_A_LOG
        (folder / f"{name}-shm").unlink(missing_ok=True)
    with file_book(folder) as book:
        campaign = book.campaign("sherwood")
        head = campaign.head.entry
        found["entries cut off"] = max(0, max(told, default=0) - head)
        found["lost"] = sum(
            campaign.session.log.hash_at(at) != hash_ for at, hash_ in told.items() if at <= max(kept, 0)
        )
        found["damaged"] = bool(campaign.session.damage)
        found["torn"] = any(campaign.session.log.hash_at(at) != hash_ for at, hash_ in told.items() if at <= head)
        campaign.session.project()
        found["read model is another"] = rows(book.read_model) != rows(rebuilt(book))
        campaign.do("note", {"text": "and on"})
    return found


BEGIN_OF_A_LOG = 32


def _in_the_file(database: Path) -> int:
    """How many bytes of the log SQLite has begun to copy into the file: those are on the disk for sure, and cannot be cut off."""
    index = Path(f"{database}-shm").read_bytes()
    (page,) = struct.unpack_from(">H", database.read_bytes(), 16)
    return BEGIN_OF_A_LOG + max(struct.unpack_from("=I", index, at)[0] for at in (96, 128)) * (24 + page)


ROUNDS: dict[str, Round] = {
    "redactions": kill_a_removal,
    "deletions": kill_a_deletion,
    "copies": kill_a_copy,
    "writers": kill_a_writer,
    "logs": cut_a_log,
}
WRONG = ("words left", "not named", "not repeatable", "damaged", "lost", "torn", "read model is another")


def play(what: str, rounds: int, seed: int, until: float = float("inf")) -> Counter[str]:
    """So many rounds of one attack, or as many as there is time for (``until``, as ``time.monotonic`` has it)."""
    total: Counter[str] = Counter()
    for number in range(rounds):
        if time.monotonic() > until:
            break
        folder = Path(tempfile.mkdtemp(prefix="rollbook-kill-"))
        before = dict(os.environ)
        try:
            found = ROUNDS[what](folder, random.Random(f"{what} {seed + number}"))
        finally:
            os.environ.clear()
            os.environ.update(before)
        total += found
        if any(found[wrong] for wrong in WRONG):
            sys.stderr.write(f"{what}, seed {seed + number}: {dict(found)}; its files are in {folder}\n")
        else:
            shutil.rmtree(folder)
    return total


def run() -> int:
    """The command line. Returns 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--what", choices=[*ROUNDS, "all"], default="all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    asked = parser.parse_args()
    until = time.monotonic() + asked.minutes * 60
    bad = 0
    for what in ROUNDS if asked.what == "all" else (asked.what,):
        total = play(what, asked.rounds, asked.seed, until)
        sys.stdout.write(f"{what} {dict(total)}\n")
        sys.stdout.flush()
        bad += sum(total[wrong] for wrong in WRONG)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(run())
