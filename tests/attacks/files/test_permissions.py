"""Whatever the umask, what rollbook writes is for its owner alone."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.terminal import ROOT, Terminal

UMASKS = (0o000, 0o022, 0o777)


@pytest.fixture(params=UMASKS, ids=["000", "022", "777"])
def _umask(home: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """The umask of what is written in the home folder, which is made before."""
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    before = os.umask(request.param)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The permissions of everything below a folder."""
    return {str(path.relative_to(folder)): stat.S_IMODE(path.lstat().st_mode) for path in sorted(folder.rglob("*"))}


def for_others(found: dict[str, int]) -> list[str]:
    return [name for name, mode in found.items() if mode & 0o077 or mode & 0o600 != 0o600]


@pytest.mark.usefixtures("_umask")
def test_every_file_and_folder_is_for_its_owner_alone(rollbook, home: Path) -> None:
    for words in (
        "new Sherwood --ruleset storytoken",
        "do take-seat Ana --role gm",
        "do open-session First",
        "do join Guard --kind npc --hp 18 --ac 12",
        f"export {home}/all.jsonl",
        f"export {home}/mira.jsonl --for table",
        f"backup {home}/copies/sunday.db",
        f"restore {home}/copies/sunday.db",
        "bestiary guard",
        "rebuild",
        "do note after",
    ):
        answer = rollbook(words)
        assert answer.code == 0, (words, answer)
    found = modes(home)
    assert len(found) > 12 and for_others(found) == []


@pytest.mark.usefixtures("_umask")
def test_what_lies_beside_a_store_while_it_is_open_is_private_too(home: Path) -> None:
    script = """
import os, sys
from pathlib import Path
from rollbook.adapters.wiring import open_book
folder = Path(sys.argv[1])
book = open_book(folder / "deep" / "rollbook.db", folder / "seeds")
campaign = book.new("Sherwood", "storytoken")
campaign.session.project()
for path in sorted(folder.rglob("*")):
    print(path.name, oct(path.stat().st_mode & 0o777))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(home)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    said = dict(line.split() for line in done.stdout.splitlines())
    assert {"rollbook.db-wal", "rollbook.db-shm", "rollbook.read.db-wal", "rollbook.read.db-shm"} <= set(said)
    assert {name for name, mode in said.items() if mode not in ("0o600", "0o700")} == set()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_lines_of_the_prompt_are_private(table, home: Path) -> None:
    before = os.umask(0)
    try:
        terminal = Terminal.running("play")
        terminal.answer("test-table> ", "log -n 1")
        terminal.answer("test-table> ", "quit")
        assert terminal.ended() == 0
    finally:
        os.umask(before)
    lines = home / "state" / "rollbook" / "lines"
    assert stat.S_IMODE(lines.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in lines.iterdir()] == [0o600]


def test_a_store_that_others_may_read_stays_as_it_is_for_its_owner_may_want_that(table, home: Path) -> None:
    store = home / "books" / "rollbook.db"
    store.chmod(0o640)
    assert table("do note x").code == 0
    assert stat.S_IMODE(store.stat().st_mode) == 0o640


def test_a_store_behind_a_link_is_made_private_where_the_link_leads(rollbook, home: Path) -> None:
    (home / "books").mkdir()
    (home / "books" / "rollbook.db").symlink_to(home / "elsewhere.db")
    before = os.umask(0)
    try:
        assert rollbook("new Sherwood --ruleset storytoken").code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((home / "elsewhere.db").stat().st_mode) == 0o600
