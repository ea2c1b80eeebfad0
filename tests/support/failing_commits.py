"""Plays at a disk that fails at random, in a process of its own, and writes down what it was told about each command.

    python -m tests.support.failing_commits FOLDER ROUNDS FIRST_ROUND

One line of JSON a round: what was said of each command, and what the store holds once everything has been opened again.
"""

from __future__ import annotations

import errno
import json
import os
import random
import sys
from contextlib import suppress
from pathlib import Path

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.base.errors import OutcomeUnknown, RollbookError
from rollbook.domain.events import NoteWritten

CALLS = ("sync", "write")
NAMES = ("rollbook.db-wal", "rollbook.db", "rollbook.read.db", "failing-disk")
NUMBERS = (errno.EIO, errno.ENOSPC)


def attempt(book: Book, name: str) -> str:
    """Record a note with an idempotency key, and return the outcome."""
    try:
        book.campaign("sherwood").do("note", text=name, command=name)
    except OutcomeUnknown:
        return "unknown"
    except RollbookError as fault:
        return "nothing" if "nothing was recorded" in str(fault).lower() else f"refused: {fault}"
    return "made"


def opened(folder: Path) -> Book:
    return open_book(folder / "rollbook.db", folder / "seeds")


def notes(book: Book) -> list[str]:
    entries = book.campaign("sherwood").history.entries
    return [event.text for entry in entries for event in entry.events if isinstance(event, NoteWritten)]


def play(folder: Path, seed: int) -> dict[str, object]:
    """One round: a process plays while the disk fails and ends; then the store is opened on a disk that is well."""
    folder = folder / "failing-disk"
    folder.mkdir(parents=True)
    reading, writing = os.pipe()
    player = os.fork()
    if player == 0:
        said = json.dumps(played(folder, random.Random(seed)))
        os.environ["FAILING_CALL"] = ""
        os.write(writing, said.encode())
        os._exit(0)  # whatever is still open is not closed
    os.close(writing)
    with os.fdopen(reading) as heard:
        told: list[tuple[str, str]] = [(name, answer) for name, answer in json.load(heard)]
    os.waitpid(player, 0)
    (folder / "armed").unlink(missing_ok=True)
    return {"seed": seed, "said": told, **found(folder, told)}


def played(folder: Path, chance: random.Random) -> list[tuple[str, str]]:
    """Send some commands, most while the disk fails, perhaps with the file open elsewhere too. Returns the outcomes."""
    when = folder / "armed"
    os.environ["FAILING_WHEN"] = str(when)
    book = opened(folder)
    book.new("Sherwood", "storytoken").do("take-seat", {"seat": "Ana", "role": "gm"})
    other = opened(folder) if chance.random() < 0.3 else None
    said: list[tuple[str, str]] = []
    for number in range(6):
        arm(chance, when)
        said += [(f"n{number}", attempt(book, f"n{number}")) for _ in range(chance.choice((1, 1, 2)))]
    if chance.random() < 0.3:  # the program goes on after the disk is well
        when.unlink(missing_ok=True)
        said.append(("last", attempt(book, "last")))
    for one in (book, other):
        if one is not None and chance.random() < 0.5:
            with suppress(RollbookError):
                one.close()
    return said


def arm(chance: random.Random, when: Path) -> None:
    when.unlink(missing_ok=True)
    os.environ["FAILING_CALL"] = chance.choice(CALLS)
    os.environ["FAILING_NAME"] = chance.choice(NAMES)
    os.environ["FAILING_ERRNO"] = str(chance.choice(NUMBERS))
    os.environ["FAILING_TIMES"] = "0"
    if chance.random() < 0.7:
        when.touch()


def found(folder: Path, said: list[tuple[str, str]]) -> dict[str, object]:
    """The notes in the store, before and after every command is sent again with the same key."""
    book = opened(folder)
    before = notes(book)
    again = [attempt(book, name) for name in dict.fromkeys(name for name, _ in said)]
    verdict = str(book.campaign("sherwood").audit()[0].verdict)
    after = notes(book)
    book.close()
    return {"before": before, "again": again, "after": after, "verdict": verdict}


if __name__ == "__main__":
    home, rounds, first = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for each in range(first, first + rounds):
        sys.stdout.write(f"{json.dumps(play(home / str(each), each))}\n")
        sys.stdout.flush()
