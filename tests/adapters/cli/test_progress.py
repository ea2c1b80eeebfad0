"""What takes longer than a moment says on a terminal how far it is, how fast, and how long it takes; Ctrl-C ends it at once.

Nothing of that is printed where nobody watches, and what was interrupted has changed nothing.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.cli.drawing import console
from rollbook.adapters.cli.errors import Exit
from rollbook.adapters.cli.progress import bar
from rollbook.adapters.imports import Imported, ImportedAction
from rollbook.adapters.imports.recording import record_import
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.wiring import open_book
from rollbook.domain.events import DiceRolled
from tests.support.brute_force import first_of
from tests.support.processes import run
from tests.support.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
ACTIONS = 50_000
UNDONE = 5_000
ROWS = 20_000
SLOW = (
    "audit",
    "rebuild",
    "export",
    "export to cloudevents",
    "export to html for the table",
    "import",
    "import from csv",
    "move",
    "backup",
    "restore",
    "stats",
    "undo",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of one long campaign, its read model and an export of it."""
    folder = tmp_path_factory.mktemp("long")
    rolled = tuple(DiceRolled(roller="", purpose=f"roll {at}", expression="1d6", total=4) for at in range(3))
    action = ImportedAction("roll", {"expression": "1d6"}, "", 1, rolled)
    with open_book(folder / "rollbook.db", folder / "seeds") as book:
        campaign = record_import(book, Imported("Long", (action,) * ACTIONS, 0, 0, ()))
        campaign.session.project()
    for name, kept in (("export", "kept.jsonl"), ("backup", "kept.db")):
        assert run(*words(folder, name, kept), folder=folder).returncode == 0
    (folder / "columns.toml").write_text('[columns]\nseat = "Who"\nroll = "Roll"\ntotal = "Total"\n', encoding="utf-8")
    (folder / "rolls.csv").write_text("Who,Roll,Total\n" + "Sam,2d6,7\n" * ROWS, encoding="utf-8")
    return folder


def words(folder: Path, *said: str, store: str = "rollbook.db") -> tuple[str, ...]:
    return (*said, "--store", str(folder / store))


def command(folder: Path, name: str) -> tuple[str, ...]:
    """A command that takes a while; what it writes is not there yet."""
    if name == "import":
        return words(folder, "import", str(folder / "kept.jsonl"), store="other.db")
    if name == "restore":
        return words(folder, "restore", str(folder / "kept.db"), store="other.db")
    if name == "export to cloudevents":
        return words(folder, "export", str(folder / "written.jsonl"), "--to", "cloudevents", "--for", "gm")
    if name == "export to html for the table":
        return words(folder, "export", str(folder / "written.html"), "--to", "html", "--for", "table")
    if name == "import from csv":
        meant = ("--from", "csv", "--map", str(folder / "columns.toml"))
        return words(folder, "import", str(folder / "rolls.csv"), *meant, store="other.db")
    if name == "stats":
        return words(folder, "stats", "--at", f"#{ACTIONS}")
    if name == "undo":
        return words(folder, "undo", f"2-{UNDONE}", "--preview")
    target = folder / {"export": "written.jsonl", "backup": "written.db", "move": "written.move"}.get(name, "")
    return words(folder, name, str(target)) if target != folder else words(folder, name)


def content(folder: Path) -> dict[str, object]:
    """All that is kept: the rows of the store and of the read model, and the names of the files."""
    found: dict[str, object] = {}
    for path in (folder / "rollbook.db", read_model_path(folder / "rollbook.db")):
        with closing(sqlite3.connect(path)) as connection:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for table in tables:
                found[f"{path.name} {table}"] = connection.execute(f"SELECT * FROM {table}").fetchall()
    found["files"] = sorted(
        path.name for path in folder.iterdir() if path.suffix in (".jsonl", ".db", ".html", ".move")
    )
    return found


@pytest.mark.parametrize("name", first_of(SLOW, 3))
def test_on_a_terminal_it_is_said_how_fast_it_goes_and_ctrl_c_stops_it(folder: Path, name: str) -> None:
    before = content(folder)
    try:
        terminal = Terminal.running(*command(folder, name))
        terminal.shows("/s")
        terminal.interrupt()
        assert terminal.seconds_to_its_end() < 1  # of a processor: the machine may have other things to do
        terminal.shows("Stopped.")
        assert terminal.ended() == Exit.ABORTED
        with open_book(folder / "other.db", folder / "seeds") as other:
            assert not other.campaigns()
    finally:
        (folder / "other.db").unlink(missing_ok=True)
        read_model_path(folder / "other.db").unlink(missing_ok=True)
    after = content(folder)
    for written in ("written.db", "written.jsonl", "written.html", "written.move"):
        (folder / written).unlink(missing_ok=True)
    assert after == before


def test_a_pipe_and_json_get_no_progress(folder: Path) -> None:
    piped = run(*words(folder, "audit"))
    assert piped.returncode == Exit.OK
    assert not piped.stderr
    assert "/s" not in piped.stdout
    terminal = Terminal.running(*words(folder, "audit", "--json"))
    assert "/s" not in terminal.until('"answers"')
    assert terminal.ended() == Exit.OK


def test_work_that_is_over_at_once_starts_no_thread_for_a_bar() -> None:
    before = threading.active_count()
    with bar(console(stderr=True), "Reading", once_told=True) as progress:
        progress(1, 1)
        assert threading.active_count() == before, "nothing is left to do"
        progress(64, 1_000)
        assert threading.active_count() == before + 1
