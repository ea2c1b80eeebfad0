"""What a killed program left half written is named by the doctor, and goes with the next copy or with removed words."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rollbook.adapters.local_files.own_files import unfinished

WORDS = b"the guard shouts"


@pytest.fixture
def elsewhere(table, home: Path) -> Path:
    """A folder into which a backup was made, with what a program left there that was killed while it made another."""
    folder = home / "elsewhere"
    assert table(f"backup {folder}/first.db").code == 0
    left_by_a_killed_program(folder / "second.db")
    return folder


def left_by_a_killed_program(target: Path) -> None:
    child = os.fork()
    if child == 0:
        with unfinished(target) as beside:
            for end in ("", "-journal"):
                Path(f"{beside}{end}").write_bytes(WORDS)
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert len(left_in(target.parent)) == 2


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if ".unfinished" in path.name)


def said_of(table) -> str:
    lines = map(json.loads, table("doctor --json").out.splitlines())
    return "".join(line["says"] for line in lines if line["about"] == "left over")


def test_the_doctor_names_it_wherever_a_store_was_copied_to(table, elsewhere: Path) -> None:
    said = said_of(table)
    assert all(str(elsewhere / name) in said for name in left_in(elsewhere)) and "rm " in said


@pytest.mark.parametrize("again", ["backup {}/third.db", "backup {}/first.db --overwrite", "export {}/all.jsonl"])
def test_the_next_that_is_written_there_removes_it(table, elsewhere: Path, again: str) -> None:
    assert table(again.format(elsewhere)).code == 0
    assert left_in(elsewhere) == [] and said_of(table) == ""


@pytest.mark.parametrize("removal", ["redact 9 --yes --why 'a private matter'", "delete-campaign test-table --yes"])
def test_it_goes_with_the_words_that_it_may_hold(table, home: Path, elsewhere: Path, removal: str) -> None:
    beside_the_store, among_the_seeds = (
        home / "books" / "rollbook.db",
        home / "state" / "rollbook" / "seeds" / "arriving",
    )
    for target in (beside_the_store, among_the_seeds):
        left_by_a_killed_program(target)
    assert table(removal).code == 0
    assert [left_in(path.parent) for path in (elsewhere / "x", beside_the_store, among_the_seeds)] == [[], [], []]


def test_what_a_program_is_writing_is_neither_named_nor_removed(table, elsewhere: Path) -> None:
    with in_another_program(elsewhere / "slow.db") as beside:
        assert table(f"backup {elsewhere}/third.db").code == 0
        assert left_in(elsewhere) == [beside] and said_of(table) == ""


@contextmanager
def in_another_program(target: Path) -> Iterator[str]:
    """Somebody else who is writing a file: its name."""
    there, here = os.pipe()
    wait, go_on = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(go_on)
        with unfinished(target) as beside:
            os.write(here, beside.name.encode())
            os.read(wait, 1)
        os._exit(0)
    yield os.read(there, 1_000).decode()
    for end in (wait, go_on, there, here):
        os.close(end)
    assert os.waitpid(child, 0)[1] == 0
    assert left_in(target.parent) == []


@pytest.mark.parametrize(
    "name", [".copy.db.0123.unfinished", ".copy.db.0123456789ABCDEF.unfinished", "copy.unfinished"]
)
def test_what_has_another_name_is_nobodys_to_remove(table, elsewhere: Path, name: str) -> None:
    (elsewhere / name).write_bytes(WORDS)
    assert table(f"backup {elsewhere}/third.db").code == 0
    assert left_in(elsewhere) == [name]


def test_a_link_of_such_a_name_is_left_alone(table, elsewhere: Path) -> None:
    letter, link = elsewhere / "letter", elsewhere / ".copy.db.0123456789abcdef.unfinished"
    letter.write_text("Dear Marian")
    link.symlink_to(letter)
    assert table(f"backup {elsewhere}/third.db").code == 0
    assert link.is_symlink() and letter.read_text() == "Dear Marian"
