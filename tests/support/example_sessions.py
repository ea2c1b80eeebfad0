"""The sessions of ``examples/``, played into a store of their own."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory, mkdtemp
from unittest.mock import patch

import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import book_of
from rollbook.application.campaign import Campaign

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE_SESSIONS = sorted(path.stem for path in EXAMPLES.glob("*.session"))


def _game_of(name: str) -> str:
    """The game of a script, which its first line says after the name of the campaign."""
    with (EXAMPLES / f"{name}.session").open(encoding="utf-8") as lines:
        return shlex.split(next(lines))[2]


EXAMPLE_OF = {_game_of(name): name for name in EXAMPLE_SESSIONS}
"""The script of each game."""


def played_example(name: str, folder: Path, *, from_scratch: bool = False) -> Campaign:
    """The campaign of one of them, in a new store in that folder."""
    return played_script(EXAMPLES / f"{name}.session", folder, name, from_scratch=from_scratch)


def played_script(script: Path, folder: Path, name: str, *, from_scratch: bool = False) -> Campaign:
    """The campaign of a script, in a store of that name in that folder.

    A script that begins a store is played once in a process, and its files are copied. ``from_scratch`` it has its own dice.
    """
    store, seeds, state = _files(folder, name)
    if from_scratch or store.exists() or seeds.exists() or state.exists():
        _play(script, folder, name)
    else:
        copytree(_played_once(script.read_text(encoding="utf-8"), name), folder, dirs_exist_ok=True)
    book = book_of(SQLiteEventStore(store), SQLiteReadModel(read_model_path(store)), SeedKeeper(seeds), discover())
    campaign = book.campaign(book.campaigns()[0])
    campaign.session.project()
    return campaign


def _files(folder: Path, name: str) -> tuple[Path, Path, Path]:
    return folder / f"{name}.db", folder / "seeds", folder / "state"


def _play(script: Path, folder: Path, name: str) -> None:
    store, seeds, state = _files(folder, name)
    with patch.dict("os.environ", {"ROLLBOOK_SEEDS": str(seeds), "XDG_STATE_HOME": str(state)}):
        assert main(["--store", str(store), "play", str(script)]) == 0


@cache
def _played_once(script: str, name: str) -> Path:
    """A folder with the files of a script that was played. To be copied, not used."""
    folder = Path(mkdtemp(dir=_once_played().name))
    path = folder.with_suffix(".session")
    path.write_text(script, encoding="utf-8")
    _play(path, folder, name)
    return folder


@cache
def _once_played() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


@pytest.fixture(scope="session", params=EXAMPLE_SESSIONS)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """The campaign of an example session, one after the other, each played once. Only to look at."""
    return played_example(request.param, tmp_path_factory.mktemp(request.param))
