"""Every entrance opens the same store for the same name: a script, the command line, the web, the doctor, checks and copies.

Nobody's store is made in a place that nobody named, and no password becomes the name of a folder.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import rollbook
from rollbook.adapters.cli import main
from rollbook.adapters.local_files import paths
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from rollbook.application.keeping.verifying import verify
from rollbook.domain.base.errors import RollbookError

SERVER = "postgresql://mira:secret@localhost:1/rollbook"
Entrance = Callable[[str], str]
"""Opens the store of that name ("" for the default). Says which campaigns or which file it found, or why it opened none."""


def in_a_script(store: str) -> str:
    with rollbook.open(store) as book:
        return "\n".join(book.campaigns())


def command(*words: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        main([*words])
    return said.getvalue()


def stored(store: str) -> list[str]:
    return ["--store", store] if store else []


def on_the_command_line(store: str) -> str:
    return command("campaigns", *stored(store))


def on_the_web(store: str) -> str:
    table = create_app(paths.store_path(store), paths.seeds_folder())
    with open_book(table.store, create=False) as book:
        return "\n".join(book.campaigns())


def at_the_doctor(store: str) -> str:
    return command("doctor", *stored(store))


def at_a_check(store: str) -> str:
    return "\n".join(audit.stream for audit in verify(partial(open_book, store, create=False), 1))


def at_a_backup(store: str) -> str:
    file = Path.cwd().parent / "copy.db"
    said = command("backup", str(file), *stored(store))
    return said + (in_a_script(str(file)) if file.exists() else "")


ENTRANCES: dict[str, Entrance] = {
    entrance.__name__: entrance
    for entrance in (in_a_script, on_the_command_line, on_the_web, at_the_doctor, at_a_check, at_a_backup)
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose home, data and current folder are here, with nothing in them."""
    for name in ("ROLLBOOK_STORE", "ROLLBOOK_SEEDS", "ROLLBOOK_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, folder in (
        ("HOME", "home"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
    ):
        monkeypatch.setenv(name, str(tmp_path / folder))
    for folder in ("home", "here"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def answer(entrance: str, store: str) -> str:
    """What an entrance says of a store, its refusal too."""
    try:
        return ENTRANCES[entrance](store)
    except RollbookError as refusal:
        return str(refusal)


def made_at(path: Path) -> None:
    """A store with the campaign "sherwood" in a file."""
    with rollbook.open(path) as book:
        book.new("Sherwood", "storytoken")


def named_in_words(home: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> tuple[str, Path]:
    """What is typed as the name of a store, and the file that it means."""
    match how:
        case "nothing":
            return "", home / "data" / "rollbook" / "rollbook.db"
        case "the variable":
            monkeypatch.setenv("ROLLBOOK_STORE", str(home / "named.db"))
            return "", home / "named.db"
        case "the variable with a home":
            monkeypatch.setenv("ROLLBOOK_STORE", "~/named.db")
            return "", home / "home" / "named.db"
        case "a home":
            return "~/books.db", home / "home" / "books.db"
        case "a relative path":
            return "books/rollbook.db", home / "here" / "books" / "rollbook.db"
        case _:
            return str(home / "books.db"), home / "books.db"


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize(
    "how", ["nothing", "the variable", "the variable with a home", "a home", "a relative path", "an absolute path"]
)
def test_a_name_means_the_same_file_everywhere(
    home: Path, monkeypatch: pytest.MonkeyPatch, how: str, entrance: str
) -> None:
    name, file = named_in_words(home, monkeypatch, how)
    made_at(file)
    found = answer(entrance, name)
    assert "sherwood" in found or (name or str(file)) in found or str(file) in found, found
    assert not (home / "here" / "~").exists()


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("name", [SERVER, SERVER.replace("//", "/", 1), "mysql://mira:secret@localhost/rollbook"])
def test_an_address_never_becomes_a_folder_nor_is_its_password_said(home: Path, name: str, entrance: str) -> None:
    found = answer(entrance, name)
    assert "secret" not in found
    assert "sherwood" not in found
    assert found
    assert not list((home / "here").iterdir())


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_a_folder_and_a_file_that_is_none_are_refused_and_left_alone(home: Path, entrance: str) -> None:
    letter = home / "letter.txt"
    letter.write_text("Dear Mira,\n" * 200)
    assert "folder" in answer(entrance, str(home / "home"))
    said = answer(entrance, str(letter))
    assert "letter.txt" in said and "sherwood" not in said
    assert letter.read_text().startswith("Dear Mira,")
    assert {path.name for path in home.iterdir()} <= {"home", "here", "letter.txt", "state", "data", "cache"}


def test_a_path_may_be_given_as_one(home: Path) -> None:
    made_at(Path("~/books.db"))
    with rollbook.open(Path("~/books.db"), seeds=Path("~/seeds")) as book:
        assert book.location == str(home / "home" / "books.db")
        assert book.campaigns() == ("sherwood",)


def test_one_module_alone_puts_a_book_together() -> None:
    root = Path(__file__).parents[2]
    sources = [path for part in ("application", "adapters", "rollbook") for path in (root / part).rglob("*.py")]
    makers = {path.name for path in sources if re.search(r"(?<![\w.])Book\((?!Book)", path.read_text(encoding="utf-8"))}
    assert makers == {"wiring.py"}
