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
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from adapters.book import Book, read_model_path
from adapters.cli.app import main
from adapters.deleting import delete_campaign, stone_of
from adapters.redaction import redact
from adapters.registry import RulesetRegistry, discover
from adapters.seeds import SeedKeeper
from adapters.storage.event_store import SQLiteEventStore
from adapters.storage.read_model import ReadModel
from domain.audit.answers import Verdict
from domain.events import NoteWritten
from domain.redaction import is_without_words, redactable
from tests.support.campaigns import begin_campaign, file_book
from tests.support.read_models import rebuilt, rows

WORDS = b"zyxelplugh"
"""A word that stands nowhere else, as it would be stored."""
NOTE = f"{WORDS.decode()} is what nobody may read"

Round = Callable[[Path, random.Random], Counter[str]]


def in_a_process(work: Callable[[int], None]) -> tuple[int, int]:
    """Work in a process of its own, which may write to a pipe: the process, and the end of the pipe that can be read."""
    here, there = os.pipe()
    child = os.fork()
    if child:
        os.close(there)
        return child, here
    code = 1
    try:
        os.close(here)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        work(there)
        code = 0
    finally:
        os._exit(code)


def finished(child: int, pipe: int) -> int:
    """Wait for a process; its exit code, or the negative number of the signal that ended it."""
    with os.fdopen(pipe, "rb") as reading:
        reading.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed(child: int, pipe: int, after: float) -> bytes:
    """Kill a process so many seconds after it says that it begins; what it said until then."""
    begin = os.read(pipe, 1)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    with os.fdopen(pipe, "rb") as reading:
        said = begin + reading.read()
    os.waitpid(child, 0)
    return said


def command(folder: Path, *arguments: str) -> int:
    """The exit code of a command line in a process of its own, at home in the folder."""

    def run(_: int) -> None:
        at_home(folder)
        code = main(["--store", str(folder / "rollbook.db"), *arguments])
        if code:
            os._exit(code)

    return finished(*in_a_process(run))


def at_home(folder: Path) -> None:
    """Everything that the program keeps lies in the folder."""
    for kind in ("STATE", "DATA", "CONFIG"):
        os.environ[f"XDG_{kind}_HOME"] = str(folder / kind.lower())
    os.environ["ROLLBOOK_SEEDS"] = str(folder / "seeds")


def files_with_words(folder: Path) -> list[str]:
    """The files in which the words stand."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and WORDS in p.read_bytes())


def problems(book: Book) -> list[str]:
    """What is wrong with the history or the read model of a store that is open."""
    campaign = book.campaign("sherwood")
    chain = campaign.audit()[0]
    found = [finding.text for finding in chain.findings if chain.verdict is Verdict.FAILED]
    campaign.project()
    return found if rows(book.read_model) == rows(rebuilt(book)) else [*found, "the read model is another"]


# Removals.


def played(folder: Path) -> Book:
    """The book that the command line opens in that folder."""
    store = folder / "rollbook.db"
    return Book(SQLiteEventStore(store), ReadModel(read_model_path(store)), SeedKeeper(folder / "seeds"), _registry())


@cache
def _registry() -> RulesetRegistry:
    """The rulesets that are installed, looked up once."""
    return discover()


def with_notes(folder: Path, chance: random.Random) -> int:
    """A store with words in it: a note, often amended, on timelines, in the prompt's lines, early or late. Returns its action."""
    with played(folder) as book:
        campaign = book.new("Sherwood", "storytoken")
        campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
        for number in range(chance.randrange(12)):
            campaign.do("scene", title=f"scene {number} " + "x" * chance.randrange(60))
        campaign.do("note", text=NOTE * chance.choice((1, 1, 40)))
        action = campaign.head.actions
        if chance.random() < 0.5:
            campaign.corrections.amend(action, {"text": f"once more {NOTE}"}, reason="better").apply()
        for number in range(chance.randrange(40)):
            campaign.do("scene", title=f"later {number}")
        campaign.project()
        return action


def prepared(folder: Path, chance: random.Random) -> int:
    """The same with the lines of the prompt and a timeline on which the campaign was played again."""
    action = with_notes(folder, chance)
    at_home(folder)
    from adapters.paths import prompt_lines  # noqa: PLC0415 - its folder is the one of this moment
    from adapters.prompt_lines import KeptLine, add_line  # noqa: PLC0415

    lines = prompt_lines(folder / "rollbook.db", "sherwood")
    add_line(lines, KeptLine(f'note "{NOTE}"', (action,)))
    add_line(lines, KeptLine(f"log --search '{NOTE}'"))
    if chance.random() < 0.3 and command(folder, "rerun", "--ruleset", "storytoken"):
        raise AssertionError("the campaign was not played again")
    return action


def kill_a_removal(folder: Path, chance: random.Random) -> Counter[str]:
    """Kill ``redact`` somewhere, open the store again, and look into every file."""
    action = prepared(folder, chance)
    assert files_with_words(folder)

    def remove(pipe: int) -> None:
        at_home(folder)
        with played(folder) as book:
            campaign = book.campaign("sherwood")
            campaign.load_history()
            os.write(pipe, b"!")
            redact(book, campaign, action, why="a private matter")
            os.write(pipe, b".")

    said = killed(*in_a_process(remove), chance.uniform(0, _typical(chance)))
    found = Counter(rounds=1, finished=said.endswith(b"."))
    assert command(folder, chance.choice(("log", "campaigns", "timelines", "sheet"))) in (0, 2, 3)
    is_removed = _is_removed(folder, action)
    found["in the history"] = is_removed
    if is_removed and (left := files_with_words(folder)):
        found["words left"] += 1
        sys.stderr.write(f"words left after opening again: {left}\n")
    if command(folder, "redact", str(action), "--why", "a private matter", "--yes"):
        found["not repeatable"] += 1
    if left := files_with_words(folder):
        found["words left"] += 1
        sys.stderr.write(f"words left after redact was said again: {left}\n")
    with played(folder) as book:
        found["damaged"] += bool(problems(book))
    return found


def _typical(chance: random.Random) -> float:
    """Most removals take this long; some are killed early and some late."""
    return chance.choice((0.01, 0.05, 0.1, 0.3))


def _is_removed(folder: Path, action: int) -> bool:
    with played(folder) as book:
        history = book.campaign("sherwood").load_history()
        numbers = redactable(history, action)
        kept = [e.text for number in numbers for e in history.entry(number).events if isinstance(e, NoteWritten)]
        assert is_without_words(history, numbers) or all(WORDS.decode() in text for text in kept), "half of it"
        return is_without_words(history, numbers)


def kill_a_deletion(folder: Path, chance: random.Random) -> Counter[str]:
    """Kill ``delete-campaign`` somewhere: the campaign is whole, or nothing of it is anywhere."""
    prepared(folder, chance)

    def remove(pipe: int) -> None:
        at_home(folder)
        with played(folder) as book:
            stone = stone_of(book, "sherwood")
            os.write(pipe, b"!")
            delete_campaign(book, stone)
            os.write(pipe, b".")

    said = killed(*in_a_process(remove), chance.uniform(0, _typical(chance)))
    found = Counter(rounds=1, finished=said.endswith(b"."))
    assert command(folder, "campaigns") == 0
    with played(folder) as book:
        is_there = book.campaigns() != ()
        found["damaged"] += is_there and bool(problems(book))
    found["in the history"] = not is_there
    found["words left"] += not is_there and bool(files_with_words(folder))
    if is_there:
        found["not repeatable"] += command(folder, "delete-campaign", "sherwood", "--yes") != 0
        found["words left"] += bool(files_with_words(folder))
    return found


# Writers.


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
                    campaign.project()
                if chance.random() < 0.15:
                    os.write(pipe, b"emptying the log\n")
                    with closing(sqlite3.connect(folder / "rollbook.db")) as other:
                        [(busy, _, _)] = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                    os.write(pipe, b"busy\n" if busy else b"kept %d\n" % campaign.head.entry)

    return write


def begun(folder: Path) -> None:
    """A campaign with an open session."""
    with file_book(folder) as book:
        begin_campaign(book).project()


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
        log = book.campaign("sherwood").log
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
            os.truncate(folder / f"{name}-wal", chance.randint(0, (folder / f"{name}-wal").stat().st_size))
            found["cut"] += 1
        (folder / f"{name}-shm").unlink(missing_ok=True)
    with file_book(folder) as book:
        campaign = book.campaign("sherwood")
        head = campaign.head.entry
        found["entries cut off"] = max(0, max(told, default=0) - head)
        found["lost"] = sum(campaign.log.hash_at(at) != hash_ for at, hash_ in told.items() if at <= max(kept, 0))
        found["torn"] = bool(campaign.damage) or any(
            campaign.log.hash_at(at) != hash_ for at, hash_ in told.items() if at <= head
        )
        campaign.project()
        found["torn"] += rows(book.read_model) != rows(rebuilt(book))
        campaign.do("note", {"text": "and on"})
    return found


ROUNDS: dict[str, Round] = {
    "redactions": kill_a_removal,
    "deletions": kill_a_deletion,
    "writers": kill_a_writer,
    "logs": cut_a_log,
}
WRONG = ("words left", "not repeatable", "damaged", "lost", "torn")


def play(what: str, rounds: int, seed: int, until: float = float("inf")) -> Counter[str]:
    """So many rounds of one attack, or as many as there is time for (``until``, as ``time.monotonic`` has it)."""
    total: Counter[str] = Counter()
    for number in range(rounds):
        if time.monotonic() > until:
            break
        folder = Path(tempfile.mkdtemp(prefix="rollbook-kill-"))
        before = dict(os.environ)
        try:
            total += ROUNDS[what](folder, random.Random(f"{what} {seed + number}"))
        finally:
            os.environ.clear()
            os.environ.update(before)
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
