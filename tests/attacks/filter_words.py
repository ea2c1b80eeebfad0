"""Questions on the command line: filters, searches, moments and odds, none of which may change the store or fail untidily."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random

import click

from rollbook.adapters.cli.app import rollbook
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import ReportedFailure
from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from rollbook.application.lines.verb_line import split_words
from rollbook.projections.filters import FIELDS
from tests.attacks.attempts import Attempts
from tests.attacks.hostile import NUMBERS, mutated, text
from tests.attacks.tables import fresh, homes
from tests.attacks.verb_lines import Lines, quoted
from tests.support.example_sessions import EXAMPLE_OF

EVERY = 50
"""After so many questions the store is compared with what it was."""

DATES = (
    "2026-11-20",
    "2026-11-20..",
    "..2026-11-20",
    "2026-11-20T20:15",
    "2026-13-40",
    "0000-00-00",
    "9999-12-31",
    "0001-01-01..9999-12-31",
    "2026-02-29",
)
KINDS = ("DamageTaken", "damage-taken", "Dice", "nothing", "NoteWritten")
STATUSES = ("counts", "undone", "replaced", "correction", "lost")
MOMENTS = ("@1", "@0", "s1", "s0", "last", "1", "0", "40", "#3", "2026-11-20", *NUMBERS)


def attack(rounds: int, seed: int, attempts: Attempts) -> None:
    """Ask so many questions, a visit in each game in turn."""
    chance = Random(f"filters {seed}")
    with homes() as folder:
        while attempts.rounds < rounds:
            for game in EXAMPLE_OF:
                visit(folder, game, chance, attempts, min(rounds, attempts.rounds + 200))


def visit(folder: Path, game: str, chance: Random, attempts: Attempts, until: int) -> None:
    """Ask in one game, until so many rounds are done."""
    store = fresh(folder, game)
    ask(["log"])
    before = digest(store)
    with closing(open_book(store, paths.seeds_folder())) as book:
        questions = Questions(Lines(book.campaign(book.campaigns()[0]), chance, [""]))
        while attempts.rounds < until:
            words = questions.words()
            attempts.attempt(" ".join(words), partial(ask, words))
            if attempts.rounds % EVERY == 0 and digest(store) != before:
                attempts.note("a question changed the store", " ".join(words))
                before = digest(store)


def ask(words: Sequence[str]) -> str:
    """What the command line says to these words, its errors as they are raised."""
    cli = CliContext()
    cli.store = os.environ["ROLLBOOK_STORE"]
    stdin, sys.stdin = sys.stdin, StringIO()
    try:
        with redirect_stdout(text := StringIO()), redirect_stderr(text):
            rollbook.main(args=list(words), prog_name="rollbook", standalone_mode=False, obj=cli)
    except (SystemExit, click.exceptions.Exit, ReportedFailure):
        pass
    finally:
        sys.stdin = stdin
        cli.close()
    return text.getvalue()


def digest(store: Path) -> str:
    """What is in the store, as a hash: the log beside it belongs to it."""
    found = hashlib.sha256()
    for path in (store, Path(f"{store}-wal")):
        found.update(path.read_bytes() if path.exists() else b"")
    return found.hexdigest()


class Questions:
    """The questions that somebody asks."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.chance = lines.chance

    def words(self) -> list[str]:
        """The words of one command."""
        command = self.chance.choice(("log", "log", "log", "stats", "stats", "xp", "odds", "undo"))
        words = [command, *getattr(self, f"_{command}")()]
        if self.chance.random() < 0.1:
            words.append("--json")
        return [
            mutated(self.chance, word) if self.chance.random() < 0.06 and at else word for at, word in enumerate(words)
        ]

    def _log(self) -> Iterator[str]:
        yield from self.filter()
        options = {
            "--session": self.number, "--search": self.anything, "-n": self.number, "--at": self.moment, "--as-corrected": None,
            "--undone": None, "--corrections": None, "--all": None,
        }  # fmt: skip
        yield from self._options(options)

    def _stats(self) -> Iterator[str]:
        yield from self.filter()
        options = {
            "--by": self.anything,
            "--seat": self.anything,
            "--who": self.anything,
            "--at": self.moment,
            "--details": None,
        }
        yield from self._options(options)

    def _xp(self) -> Iterator[str]:
        yield from self.chance.choice(((), (self.anything(),)))
        yield from self._options({"--at": self.moment, "--as-corrected": None})

    def _odds(self) -> Iterator[str]:
        yield from self._options({"--at": self.moment})
        yield from split_words(" ".join(self.lines.verb_line()).replace('"', ""))

    def _undo(self) -> Iterator[str]:
        yield from ("--where", " ".join(self.filter()), "--preview", "--why", "so")

    def _options(self, known: dict[str, object]) -> Iterator[str]:
        for option in self.chance.sample(sorted(known), min(len(known), self.chance.choice((0, 0, 1, 2)))):
            make = known[option]
            yield from (option, str(make())) if callable(make) else (option,)

    def filter(self) -> Iterator[str]:
        """The words of a filter."""
        for _ in range(self.chance.choice((0, 1, 1, 2, 4))):
            if self.chance.random() < 0.15:
                yield self.anything()
                continue
            field = self.chance.choice((*FIELDS, "nothing", "Who", ""))
            values = ",".join(self.value(field) for _ in range(self.chance.choice((1, 1, 1, 2, 30))))
            yield f"{field}{self.chance.choice(('=', '!=', '~', '!~', '==', '='))}{values}"

    def value(self, field: str) -> str:
        """What a field is compared with."""
        known = {
            "time": DATES,
            "before": (*DATES, *MOMENTS),
            "after": (*DATES, *MOMENTS),
            "kind": KINDS,
            "status": STATUSES,
        }
        if field in known and self.chance.random() < 0.8:
            return self.chance.choice(known[field])
        return self.chance.choice((self.number, self.anything))()

    def number(self) -> str:
        return self.lines.number()

    def moment(self) -> str:
        return self.chance.choice(MOMENTS)

    def anything(self) -> str:
        return self.lines.name() if self.chance.random() < 0.6 else quoted(text(self.chance))
