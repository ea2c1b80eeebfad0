"""``rollbook watch``: a second screen that follows what other processes store, in a real terminal and in a pipe."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.processes import PipedProcess, piped, run
from tests.support.stores import unguarded
from tests.support.terminal import RunRollbook, Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
ENTERS, LEAVES, SHOWS_CURSOR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[?25h"
"""What a terminal is told when the second screen begins, and when it ends."""
HOME = "\x1b[H"
INTERRUPT = "\x03"
Watch = Callable[..., PipedProcess]
MOST_IDLE = 0.1
"""The most that watching may take of a processor while nothing happens."""


def rollbook(*words: str) -> None:
    """Another process that writes."""
    assert run(*words).returncode == 0


@pytest.fixture
def fight(table: RunRollbook) -> RunRollbook:
    """Robin's turn; Guard waits, and a hidden Spy has come."""
    for line in (
        "do join Spy --kind npc --hp 9 --ac 12 --secret",
        "do begin-encounter robin,guard --title 'The ambush' --dice 15,4",
        "do join-encounter spy --secret",
    ):
        done = table(line)
        assert done.code == 0, done.err
    return table


def widest_line(screen: str) -> int:
    """The length of the longest line that was drawn, without what moves the cursor and changes colours."""
    plain = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", screen.replace(HOME, "\n"))
    return max(map(len, plain.replace("\r", "\n").split("\n")))


def test_it_follows_what_another_process_stores_and_leaves_the_terminal_as_it_was(fight: RunRollbook) -> None:
    screen = Terminal.running("watch", columns=80)
    screen.until(ENTERS)
    screen.until("Robin Hood's turn")
    screen.until("q leaves")
    rollbook("do", "harm", "guard", "3")
    screen.until("7 of 18")
    rollbook("do", "end-turn", "--next", "guard")
    assert widest_line(screen.until("Guard's turn")) <= 80
    screen.press(INTERRUPT)
    screen.until(LEAVES)
    screen.until(SHOWS_CURSOR)
    assert screen.ended() == 0


def test_who_ends_it_from_outside_gets_the_terminal_back_too(fight: RunRollbook) -> None:
    screen = Terminal.running("watch")
    screen.until("q leaves")
    screen.end()
    screen.until(LEAVES)
    assert screen.ended() == 0


def test_it_fills_the_window_whatever_size_that_is(fight: RunRollbook) -> None:
    screen = Terminal.running("watch", columns=100)
    screen.until("q leaves")
    screen.resize(44, rows=6)
    screen.until(HOME)
    drawn = screen.until("more lines")
    assert "Robin Hood's turn" in drawn
    assert widest_line(drawn) <= 44
    screen.resize(120)
    screen.until(HOME)
    assert "The ambush" in screen.until("q leaves")
    screen.press("q")
    assert screen.ended() == 0


def test_who_is_hidden_never_comes_upon_the_screen_of_the_table(fight: RunRollbook) -> None:
    screen = Terminal.running("watch", "--for", "table")
    seen = screen.until("q leaves")
    rollbook("do", "end-turn", "--next", "guard")
    seen += screen.until("Guard's turn")
    rollbook("do", "harm", "spy", "2", "--secret")
    rollbook("do", "harm", "guard", "1")
    seen += screen.until("9 of 18")
    screen.press("q")
    assert screen.ended() == 0
    assert "spy" not in seen.casefold()
    assert "Spy" in fight("status").out


@pytest.fixture
def watching(fight: RunRollbook) -> Iterator[Watch]:
    """Starts watching in a pipe."""
    started: list[PipedProcess] = []

    def watch(*words: str) -> PipedProcess:
        started.append(piped("watch", *words))
        return started[-1]

    yield watch
    for process in started:
        process.kill()


def test_in_a_pipe_every_change_is_an_object_of_its_own(watching: Watch) -> None:
    process = watching("--json", "--for", "player:mira")
    first = json.loads(process.stdout.readline())
    rollbook("do", "harm", "guard", "3")
    second = json.loads(process.stdout.readline())
    left = [[each["left"] for each in data["fight"]["fighters"]] for data in (first, second)]
    assert left == [[6, 10], [6, 7]]
    process.send_signal(signal.SIGINT)
    assert process.wait() == 0


def test_in_a_pipe_it_is_printed_at_once_and_after_every_change(watching: Watch) -> None:
    process = watching()
    assert process.stdout.readline() == "Round 1 · Robin Hood's turn\n"
    rollbook("do", "end-turn", "--next", "guard")
    assert any(line == "Round 1 · Guard's turn\n" for line in process.stdout)


def test_a_store_that_vanishes_is_a_sentence(watching: Watch, home: Path) -> None:
    process = watching()
    process.stdout.readline()
    (home / "books" / "rollbook.db").unlink()
    assert process.wait() == 3
    said = process.stderr.read()
    assert said.count("\n") == 1
    assert "is gone" in said


def test_what_is_damaged_is_a_sentence(fight: RunRollbook, home: Path, watching: Watch) -> None:
    with closing(sqlite3.connect(home / "books" / "rollbook.db")) as store, store:
        unguarded(store).execute("UPDATE stored_events SET state = x'00' WHERE originator_version = 9")
    (home / "books" / "rollbook.read.db").unlink()
    process = watching()
    assert process.wait() == 6
    assert "Entry @9 is damaged" in process.stderr.read()


def test_a_store_that_is_restored_is_gone_on_with(fight: RunRollbook, home: Path, watching: Watch) -> None:
    fight(f"backup {home}/copy.db")
    fight("do harm guard 3")
    process = watching("--json")
    assert json.loads(process.stdout.readline())["fight"]["fighters"][1]["left"] == 7
    rollbook("restore", f"{home}/copy.db")
    assert json.loads(process.stdout.readline())["fight"]["fighters"][1]["left"] == 10


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel")
def test_while_nothing_happens_it_costs_next_to_nothing(fight: RunRollbook) -> None:
    screen = Terminal.running("watch")
    screen.until("q leaves")
    before = screen.processor_seconds()
    time.sleep(2)
    assert screen.processor_seconds() - before < 2 * MOST_IDLE
    screen.press("q")
    assert screen.ended() == 0


def test_an_unknown_seat_is_said_before_anything_is_drawn(table: RunRollbook) -> None:
    assert table("watch --for player:nobody").code == 3
