"""``rollbook doctor`` says of each thing whether it is well, and in one sentence what to do if it is not. It changes nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from rich.cells import cell_len

from rollbook.adapters.doctor import installation
from rollbook.adapters.doctor.installation import _unmet
from tests.support.failing_disk import FULL, compiled, environment, run
from tests.support.pty_screen import COLUMNS, on_screen
from tests.support.rewriting import write_again
from tests.support.stores import unguarded
from tests.support.terminal import ROOT, CommandResult

ABOUT = (
    *("Python", "SQLite", "packages", "shadows", "plug-ins", "letters", "permissions", "free space"),
    *("store", "read model", "seeds", "rulesets", "clock"),
)


@pytest.fixture
def doctor(table, home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[str, tuple[bool, str]]]:
    """What the doctor says of each thing; of several sayings about one, those that are not well."""
    (home / "elsewhere").mkdir()
    monkeypatch.chdir(home / "elsewhere")

    def look() -> dict[str, tuple[bool, str]]:
        answer: CommandResult = table("doctor --json")
        found: dict[str, tuple[bool, str]] = {}
        for line in answer.lines:
            if found.get(line["about"], (True, ""))[0]:
                found[line["about"]] = (line["well"], line["says"])
        assert answer.code == (0 if all(well for well, _ in found.values()) else 1)
        assert answer.err == ""
        return found

    return look


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_where_all_is_well_it_says_so_of_everything_and_changes_nothing(doctor, table, home: Path) -> None:
    before = contents(home)
    found = doctor()
    assert [about for about, (well, _) in found.items() if not well] == [], found
    assert set(found) == set(ABOUT)
    assert contents(home) == before
    assert table("doctor").out.splitlines()[-1] == "All is well."


def test_without_a_store_it_looks_at_the_rest(rollbook, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    answer = rollbook("doctor")
    assert answer.code == 0 and "none yet at" in answer.out
    assert not (home / "books").exists()


ILLS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a store that others may read": (
        lambda home: (home / "books/rollbook.db").chmod(0o644),
        "permissions",
        "chmod 600",
    ),
    "a read model that others may read": (
        lambda home: (home / "books/rollbook.read.db").chmod(0o640),
        "permissions",
        "chmod 600",
    ),
    "seeds in a folder that others may read": (lambda home: seeds(home).chmod(0o755), "permissions", "chmod 700"),
    "a seed that others may read": (lambda home: next(seeds(home).iterdir()).chmod(0o604), "permissions", "chmod 600"),
    "a folder that others may write to": (lambda home: (home / "books").chmod(0o777), "permissions", "chmod go-w"),
    "seeds that are gone": (lambda home: shutil.rmtree(seeds(home)), "seeds", "put them back from a backup"),
    "a letter in the place of the read model": (
        lambda home: (home / "books/rollbook.read.db").write_text("Dear Marian"),
        "read model",
        "another program's file",
    ),
    "a store that is a letter": (
        lambda home: (home / "books/rollbook.db").write_text("Dear Marian"),
        "store",
        "not a rollbook",
    ),
    "a store with a spoilt page": (lambda home: spoil(home / "books/rollbook.db"), "store", "restore"),
    "a changed byte": (lambda home: change(home / "books/rollbook.db"), "store", "restore a backup"),
    "an unfinished file": (
        lambda home: (home / "books/.copy.db.0123456789abcdef.unfinished").write_bytes(b""),
        "left over",
        "which may hold any words: rm ",
    ),
    "a package called rollbook": (
        lambda home: make_package(home / "elsewhere/rollbook"),
        "shadows",
        "start rollbook in another folder",
    ),
    "a module called rollbook": (lambda home: (home / "elsewhere/rollbook.py").touch(), "shadows", "or rename it"),
}


def seeds(home: Path) -> Path:
    return home / "state" / "rollbook" / "seeds"


def spoil(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xa5" * 4096 + data[12288:])


def make_package(folder: Path) -> None:
    folder.mkdir()
    (folder / "__init__.py").touch()


def change(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        unguarded(connection).execute(
            "UPDATE stored_events SET state = CAST(replace(state, 'shouts', 'sleeps') AS BLOB)"
        )
    for model in path.parent.glob("rollbook.read.db*"):
        model.unlink()


@pytest.mark.parametrize("ill", ILLS)
def test_what_is_not_well_is_named_with_what_to_do(ill: str, doctor, home: Path) -> None:
    harm, about, advice = ILLS[ill]
    harm(home)
    found = doctor()
    wrong = {about: says for about, (well, says) in found.items() if not well}
    assert set(wrong) == {about} and advice in wrong[about], found
    assert "\n" not in wrong[about]


def test_a_folder_of_the_name_in_which_no_package_is_such_as_a_checkout_hides_nothing(doctor, home: Path) -> None:
    make_package(home / "elsewhere/rollbook")
    (home / "elsewhere/rollbook/__init__.py").rename(home / "elsewhere/rollbook/pyproject.toml")
    assert doctor()["shadows"] == (True, "nothing hides rollbook's package")


def test_what_it_says_to_type_puts_permissions_right(doctor, home: Path) -> None:
    for path in (home / "books").glob("rollbook*db"):
        path.chmod(0o666)
    seeds(home).chmod(0o777)
    while not (said := doctor()["permissions"])[0]:
        subprocess.run(said[1].rpartition(": ")[2].split(), check=True)
    assert all(well for well, _ in doctor().values())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("3", "2", "storytoken 2, and 3 is installed: adopt it with rollbook adopt storytoken -c test-table"),
        ("storytoken", "chess", "the ruleset 'chess' (version 3), which is not installed"),
    ],
)
def test_a_ruleset_that_is_not_installed_or_in_another_version_is_named(
    old: str, new: str, said: str, doctor, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home / "books" / "other.db"
    write_again(home / "books" / "rollbook.db", seeds(home), other, lambda text: new if text == old else text)
    monkeypatch.setenv("ROLLBOOK_STORE", str(other))
    is_well, says = doctor()["rulesets"]
    assert not is_well and said in says


@pytest.mark.parametrize(
    ("need", "said"),
    {
        "click>=8.2": "",
        "click<8,>=7": "should be <8",
        "click>=99": "should be >=99",
        "cattrs[msgspec]>=25.1": "",
        "no-such-package>=1": "is not installed",
        "sqlite-utils<5,>=4.2": "",
    }.items(),
)
def test_a_package_that_is_too_old_too_new_or_missing_is_named(need: str, said: str) -> None:
    found = _unmet(need)
    assert (found == "") == (said == "") and said in found


def test_a_clock_that_cannot_be_right_is_named(table, home: Path) -> None:
    (finding,) = installation.clock(0, None)
    assert not finding.well and "1970" in finding.says


def examined(home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """doctor, in a process of its own with such an environment."""
    command = [sys.executable, "-m", "rollbook", "doctor"]
    env = {**os.environ, **variables}
    return subprocess.run(command, env=env, cwd=home, capture_output=True, text=True, check=False)


def test_letters_that_a_terminal_cannot_show_are_named(table, home: Path) -> None:
    done = examined(home, PYTHONIOENCODING="ascii", PYTHONPATH=str(ROOT))
    assert done.returncode == 1 and "the terminal is in ascii" in done.stdout


def test_little_room_is_named(table, home: Path) -> None:
    (home / "armed").touch()
    done = run(["-m", "rollbook", "doctor"], **environment(compiled(home), home / "armed", "no file", "write", FULL))
    assert done.returncode == 1 and "only 0 MB are left on the disk" in done.stdout


def test_another_distribution_with_a_package_of_that_name_is_named(table, home: Path) -> None:
    other = home / "site" / "robin-1.0.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: robin\nVersion: 1.0\n")
    (other / "top_level.txt").write_text("rollbook\n")
    done = examined(home, PYTHONPATH=f"{ROOT}{os.pathsep}{home / 'site'}")
    assert done.returncode == 1 and "robin brings a package 'rollbook' too" in done.stdout


def test_it_fits_a_terminal_of_eighty_columns(table, home: Path) -> None:
    for path in (home / "books").glob("rollbook*db"):
        path.chmod(0o666)
    (said,) = on_screen("doctor").values()
    assert "✗" in said and "✓" in said
    assert [line for line in said.splitlines() if cell_len(line) > COLUMNS] == []
