"""Whatever export and backup are told to write to: only a file that begins as one of the same kind is ever replaced."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from threading import Event, Thread

import pytest

from rollbook.adapters.exports.files import IS_VERIFIER, VERIFIER
from rollbook.adapters.local_files.own_files import give_name, unfinished

INSTALLED = files("rollbook.adapters.exports") / VERIFIER
STORE = Path("books") / "rollbook.db"


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with what is in it; of a link, where it leads."""
    return {
        str(path.relative_to(folder)): bytes(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def a_letter(home: Path) -> Path:
    (home / "letter.txt").write_text("Dear Marian")
    return home / "letter.txt"


def a_link_to(target: str) -> Callable[[Path], Path]:
    def make(home: Path) -> Path:
        (home / "link").symlink_to(home / target)
        return home / "link"

    return make


def a_hard_link_to_the_store(home: Path) -> Path:
    (home / "link").hardlink_to(home / STORE)
    return home / "link"


def a_pipe(home: Path) -> Path:
    os.mkfifo(home / "pipe")
    return home / "pipe"


PRECIOUS: dict[str, Callable[[Path], Path]] = {
    "the store": lambda home: home / STORE,
    "the read model": lambda home: home / "books" / "rollbook.read.db",
    "the place of the store's log": lambda home: home / "books" / "rollbook.db-wal",
    "the place of the store's journal": lambda home: home / "books" / "rollbook.db-journal",
    "an unrevealed seed": lambda home: next((home / "state" / "rollbook" / "seeds").iterdir()),
    "the note of what was used last": lambda home: home / "state" / "rollbook" / "last.json",
    "a letter": a_letter,
    "a link to the store": a_link_to("books/rollbook.db"),
    "a link to nothing": a_link_to("nothing"),
    "a hard link to the store": a_hard_link_to_the_store,
    "a folder": lambda home: home / "books",
    "a pipe": a_pipe,
    "a device": lambda _: Path("/dev/null"),
    "a full device": lambda _: Path("/dev/full"),
    "a name with a line break in a folder that is none": lambda home: home / "letter\n" / "x",
}


@pytest.mark.parametrize("command", ["export", "export --for table", "backup"])
@pytest.mark.parametrize("precious", PRECIOUS)
def test_nothing_that_is_not_ours_is_replaced_asked_or_not(table, home: Path, precious: str, command: str) -> None:
    target = PRECIOUS[precious](home)
    if command == "backup" and precious == "a name with a line break in a folder that is none":
        a_letter(home).rename(home / "letter\n")
    before = contents(home)
    for asked in ("", " --overwrite"):
        answer = table(f"{command} {shlex.quote(str(target))}{asked}")
        assert answer.code in (1, 2), answer
        assert answer.out == "" and answer.err.count("\n") == 1, answer
        assert contents(home) == before


def test_a_name_that_no_file_can_have_is_said(table, home: Path) -> None:
    script = home / "odd.session"
    for name in ("a\x00b", "x" * 300, "\udcff" * 200):
        script.write_bytes(f"export {name}\n".encode(errors="surrogateescape"))
        answer = table(f"play {script}")
        assert answer.code in (1, 2) and answer.err.count("\n") == 1, answer


def test_a_name_of_bytes_that_are_no_text_is_a_name(table, home: Path) -> None:
    target = home / "sherwood-\udcff.jsonl"
    assert table(f"export {target}").code == 0
    assert b'"format": "rollbook/export/1"' in target.read_bytes()


@pytest.mark.parametrize("command", ["export", "export --for table", "backup"])
def test_an_earlier_one_of_the_same_kind_is_replaced_if_that_is_asked_for(table, home: Path, command: str) -> None:
    target = home / "copy"
    assert table(f"{command} {target}").code == 0
    before = target.read_bytes()
    table("do note more")
    assert table(f"{command} {target}").code == 1 and target.read_bytes() == before
    assert table(f"{command} {target} --overwrite").code == 0
    assert target.read_bytes() != before


def test_an_export_does_not_replace_a_backup_nor_a_backup_an_export(table, home: Path) -> None:
    table(f"export {home}/all.jsonl")
    table(f"backup {home}/all.db")
    before = contents(home)
    assert table(f"export {home}/all.db --overwrite").code == 1
    assert table(f"backup {home}/all.jsonl --overwrite").code == 1
    assert contents(home) == before


def test_another_store_is_not_replaced_by_a_backup(table, home: Path) -> None:
    table(f"--store {home}/other.db new Other --ruleset grid")
    before = (home / "other.db").read_bytes()
    assert "it was left as it is" in table(f"backup {home}/other.db --overwrite").err
    assert (home / "other.db").read_bytes() == before


def test_who_has_another_name_for_an_old_export_keeps_the_old_one(table, home: Path) -> None:
    table(f"export {home}/all.jsonl")
    (home / "sunday.jsonl").hardlink_to(home / "all.jsonl")
    before = (home / "sunday.jsonl").read_bytes()
    table("do note more")
    assert table(f"export {home}/all.jsonl --overwrite").code == 0
    assert (home / "sunday.jsonl").read_bytes() == before


@pytest.mark.parametrize("kind", ["a file", "a link", "a folder"])
def test_a_verifier_of_somebody_elses_is_left_alone(table, home: Path, kind: str) -> None:
    mine = home / VERIFIER
    precious = a_letter(home)
    {"a file": lambda: precious.rename(mine), "a link": lambda: mine.symlink_to(precious), "a folder": mine.mkdir}[
        kind
    ]()
    before = contents(home)
    answer = table(f"export {home}/all.jsonl")
    assert answer.code == 0 and "is not the verifier, so it was left as it is" in answer.err
    assert contents(home).items() >= before.items()
    shown = shlex.split(answer.out.partition("python3 ")[2].splitlines()[0])[0]
    assert Path(shown).read_bytes() == INSTALLED.read_bytes()


def test_the_verifier_that_ships_is_known_as_ours(tmp_path: Path) -> None:
    (tmp_path / VERIFIER).write_bytes(INSTALLED.read_bytes())
    assert IS_VERIFIER(tmp_path / VERIFIER)


def test_files_with_names_that_were_once_temporary_are_left_alone(table, home: Path) -> None:
    for name in ("all.jsonl.part", ".all.jsonl.1.unfinished"):
        (home / name).write_text("Dear Marian")
    (home / "all.jsonl.part").unlink()
    (home / "all.jsonl.part").symlink_to(home / STORE)
    before = contents(home)
    assert table(f"export {home}/all.jsonl").code == 0
    assert contents(home).items() >= before.items()
    assert set(contents(home)) - set(before) == {"all.jsonl", VERIFIER}


def test_a_file_that_another_program_makes_at_the_last_moment_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "copy"
    for is_ours in (None, lambda path: path.read_bytes() == b"ours"):
        with unfinished(target) as beside:
            target.write_bytes(b"theirs")
            with pytest.raises(FileExistsError):
                give_name(beside, target, is_ours=is_ours)
        assert target.read_bytes() == b"theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


SWAPS = int(os.environ.get("ROLLBOOK_SWAPS", "15"))


def test_what_is_swapped_for_a_link_at_any_moment_is_not_written_through(table, home: Path) -> None:
    """Somebody puts a link to a letter in the place of the export, again and again, while exports are made over it."""
    precious, target, made = a_letter(home), home / "all.jsonl", home / "first.jsonl"
    assert table(f"export {made}").code == 0
    is_over = Event()

    def swap() -> None:
        while not is_over.is_set():
            with suppress(FileNotFoundError, FileExistsError):
                target.unlink()
                target.symlink_to(precious)
                target.unlink()
                shutil.copyfile(made, target)

    swapper = Thread(target=swap)
    swapper.start()
    try:
        answers = [table(f"export {target} --overwrite") for _ in range(SWAPS)]
    finally:
        is_over.set()
        swapper.join()
    assert [answer for answer in answers if answer.code not in (0, 1)] == []
    assert precious.read_text() == "Dear Marian"
