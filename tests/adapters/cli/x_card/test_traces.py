"""The X-card leaves no trace of who raised it.

Two histories in which different people raised the card are the same in every byte of every file, in the order in which
files were touched, and in everything that any command says. The same comparison tells an ordinary action apart.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from tests.support.terminal import Terminal
from tests.support.x_card import HOUSE, LONG_AGO, PEOPLE, Table, log

Way = Callable[[Table, str], Any]


def at_the_prompt(table: Table, seat: str) -> tuple[int, str, str]:
    lines = iter([f"x-card --seat {seat}", "quit"])
    with patch("builtins.input", lambda _: next(lines)), patch.object(sys.stdin, "isatty", lambda: True):
        return table.rollbook("play")


def by_a_script(table: Table, seat: str) -> tuple[int, str, str]:
    script = table.beside / "card.session"
    script.write_text(f"x-card --seat {seat}\n", encoding="utf-8")
    return table.rollbook(f"play {script}")


def by_the_environment(table: Table, seat: str) -> tuple[int, str, str]:
    named = dict.fromkeys(("USER", "LOGNAME", "USERNAME", "ROLLBOOK_SEAT", "ROLLBOOK_USER", "SUDO_USER"), seat)
    with patch.dict(os.environ, named):
        return table.rollbook("x-card")


def by_the_library(table: Table, seat: str) -> tuple[int, str, str]:
    book = open_book(paths.store_path(os.environ["ROLLBOOK_STORE"]), paths.seeds_folder())
    with book:
        entry = book.campaign("the-mill").do("x-card", seat=seat, reason=f"{seat} is afraid", secret=seat == "mira")
        book.campaign("the-mill").session.project()
    return 0, repr(entry), ""


WAYS: dict[str, Way] = {
    "x-card": lambda table, seat: table.rollbook(f"x-card --seat {seat}"),
    "before the command": lambda table, seat: table.rollbook(f"x-card --acting-seat {seat}"),
    "as JSON": lambda table, seat: table.rollbook(f"--json x-card --seat {seat}"),
    "do x-card": lambda table, seat: table.rollbook(f"do x-card --seat {seat}"),
    "do x-card, acting": lambda table, seat: table.rollbook(f"do x-card --acting-seat={seat} --json"),
    "the prompt": at_the_prompt,
    "a script": by_a_script,
    "the environment": by_the_environment,
    "the library": by_the_library,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_differs_by_who_raised_the_card(mill: Table, way: Way) -> None:
    one, two = (mill.left_by(lambda seat=seat: way(mill, seat)) for seat in PEOPLE)
    assert one.differences(two) == []
    assert "books/rollbook.db" in one.touched


def test_nothing_differs_in_the_write_ahead_logs_either(mill: Table) -> None:
    one, two = (mill.left_by(lambda seat=seat: mill.rollbook(f"x-card --seat {seat}"), wal=True) for seat in PEOPLE)
    assert {"books/rollbook.db-wal", "books/rollbook.read.db-wal"} <= one.files.keys()
    assert one.differences(two) == []


def test_nothing_differs_after_the_session_went_on(mill: Table) -> None:
    def played_on(seat: str) -> tuple[int, str, str]:
        mill.rollbook(f"x-card --seat {seat}")
        mill.rollbook("do note 'A moment.'")
        mill.rollbook("x-card --rewind --yes")
        mill.rollbook("do roll 1d20 --seat mira")
        mill.rollbook(f"do x-card --seat {seat}")
        mill.rollbook("undo last --why oops --yes")
        mill.rollbook("x-card --skip")
        mill.rollbook("rebuild")
        return mill.rollbook("do close-session")

    one, two = (mill.left_by(lambda seat=seat: played_on(seat)) for seat in PEOPLE)
    assert one.differences(two) == []


@pytest.mark.parametrize("wal", [False, True])
def test_the_comparison_tells_an_ordinary_action_apart(mill: Table, wal: bool) -> None:
    one, two = (
        mill.left_by(lambda seat=seat: mill.rollbook(f"do note hush --seat {seat}"), wal=wal) for seat in PEOPLE
    )
    found = one.differences(two)
    ending = "-wal" if wal else ""
    assert f"bytes of books/rollbook.db{ending}" in found
    assert f"bytes of books/rollbook.read.db{ending}" in found
    assert "bytes of the export" in found
    assert sum(difference.startswith("said") for difference in found) >= 3


def test_the_comparison_tells_apart_what_was_touched_in_another_order(mill: Table) -> None:
    def touched(seat: str) -> None:
        first, second = ("a", "b") if seat == "robin" else ("b", "a")
        for at, name in enumerate((first, second), 1):
            (mill.home / name).write_text("")
            os.utime(mill.home / name, (LONG_AGO + at, LONG_AGO + at))

    one, two = (mill.left_by(lambda seat=seat: touched(seat)) for seat in PEOPLE)
    assert any("was touched before" in difference for difference in one.differences(two))


STILL = """\
import itertools, secrets, time
from hashlib import sha256
ticks, drawn = itertools.count(1_800_000_000_000_000_000, 1_000_000), itertools.count()
token = lambda size=32: sha256(b"%d" % next(drawn)).digest()[:size]
time.time_ns = lambda: next(ticks)
secrets.token_bytes, secrets.token_hex = token, lambda size=32: token(size).hex()
"""


def test_nothing_differs_between_two_processes_of_two_people(mill: Table) -> None:
    (mill.beside / "sitecustomize.py").write_text(STILL, encoding="utf-8")

    def process(seat: str) -> tuple[int, str, str]:
        env = {**os.environ, "USER": seat, "LOGNAME": seat, "ROLLBOOK_SEAT": seat, "PYTHONPATH": str(mill.beside)}
        command = [sys.executable, "-m", "rollbook", "x-card", "--seat", seat]
        done = subprocess.run(command, env=env, capture_output=True, text=True, cwd=HOUSE, check=False, timeout=60)
        return done.returncode, done.stdout, done.stderr

    one, two = (mill.left_by(lambda seat=seat: process(seat)) for seat in PEOPLE)
    assert one.said[0][0] == 0
    assert one.differences(two) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_prompt_leaves_no_name_on_the_screen_and_none_within_reach_of_a_key(mill: Table) -> None:
    terminal = Terminal.running("play")
    terminal.answer("the-mill> ", "x-card --seat mira")
    terminal.until("\x1b[A\x1b[2K\rthe-mill> x-card\r\n")
    terminal.until("raises the X-card")
    terminal.answer("the-mill> ", "\x1b[A")
    terminal.answer("the-mill> ", "quit")
    assert terminal.ended() == 0
    assert [line["verb"] for line in log(mill).values()].count("x-card") == 1
