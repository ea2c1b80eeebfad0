"""A campaign of each game in the middle of play, in a folder that is all there is of the user's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rollbook.adapters.cli import main
from tests.support.example_sessions import EXAMPLE_OF

ROOT = Path(__file__).resolve().parents[2]
PARTS = (0.4, 0.7, 1.0)
"""How much of the example's first session was played: a fight may be on, or over."""

STORE = "books/rollbook.db"
OF_OTHERS = ("ROLLBOOK_CAMPAIGN", "ROLLBOOK_SEEDS", "ROLLBOOK_DEBUG", "ROLLBOOK_BESTIARY", "FORCE_COLOR", "COLUMNS")


def lines_of(game: str) -> list[str]:
    """The lines of a game's example up to the end of its first session, without comments."""
    text = (ROOT / "examples" / f"{EXAMPLE_OF[game]}.session").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    ends = [at for at, line in enumerate(lines) if line.startswith("close-session")]
    return lines[: ends[0]] if ends else lines


@contextmanager
def homes() -> Iterator[Path]:
    """A folder with a home for each game, all of them made once; ``at_home`` moves in."""
    before = dict(os.environ)
    with TemporaryDirectory(prefix="rollbook-attack-") as made:
        try:
            yield Path(made)
        finally:
            os.environ.clear()
            os.environ.update(before)


def at_home(folder: Path) -> Path:
    """Make a folder all there is of the user's. Returns where its store is."""
    for name in OF_OTHERS:
        os.environ.pop(name, None)
    named = {"HOME": folder, "XDG_DATA_HOME": folder / "data", "XDG_STATE_HOME": folder / "state"}
    named |= {"XDG_CONFIG_HOME": folder / "config", "ROLLBOOK_STORE": folder / STORE}
    os.environ.update({name: str(path) for name, path in named.items()})
    return folder / STORE


def played(folder: Path, game: str, part: float = 1.0) -> Path:
    """The home of a game whose example was played that far, made if it is not there yet."""
    home = folder / f"{game}-{part}"
    if not home.exists():
        home.mkdir()
        script = home / "begin.session"
        lines = lines_of(game)
        script.write_text("\n".join(lines[: int(len(lines) * part)]), encoding="utf-8")
        at_home(home)
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            assert main(["play", str(script)]) == 0, said.getvalue()
    return home


def fresh(folder: Path, game: str, part: float = 1.0) -> Path:
    """A new home with the same campaign in it, in the place of the last one; moved in. Returns where its store is."""
    pristine, home = played(folder, game, part), folder / "at-home"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(pristine, home)
    return at_home(home)
