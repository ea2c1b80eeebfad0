"""Processes that work and are killed (kill -9), and what is looked at afterwards."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from rollbook.adapters.cli.app import main
from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from tests.support.files_with import files_with
from tests.support.read_models import rebuilt, rows

WORDS = b"zyxelplugh"
"""A word that stands nowhere else, as it would be stored."""
NOTE = f"{WORDS.decode()} is what nobody may read"


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
    return [str(path.relative_to(folder)) for path in files_with(WORDS, folder)]


def problems(book: Book) -> list[str]:
    """What is wrong with the history or the read model of a store that is open."""
    campaign = book.campaign("sherwood")
    chain = campaign.audit()[0]
    found = [finding.text for finding in chain.findings if chain.verdict is Verdict.FAILED]
    campaign.session.project()
    return found if rows(book.read_model) == rows(rebuilt(book)) else [*found, "the read model is another"]
