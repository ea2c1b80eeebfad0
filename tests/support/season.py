"""A season of ten sessions, the same at each time, and the pictures that docs/notebooks.md draws of it.

``python -m tests.support.season`` draws docs/luck-by-session.svg and docs/luck-in-sum.svg, as the page does.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from unittest.mock import patch

import rollbook

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "notebooks.md"
PICTURES = ("luck-by-session.svg", "luck-in-sum.svg")
SESSIONS, ROUNDS = 10, 4
HEROES = {"Mira": "robin-hood", "Jo": "sherlock-holmes", "Wen": "count-dracula"}
DEEDS = ("check {who} dex", "save {who} con", "roll 2d6+1")
"""Lines that every player says in a round."""
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def play_season(store: Path, seeds: Path) -> None:
    """A campaign in which three people play ten sessions; its seeds, and so its dice, are always the same."""
    drawn = (sha256(b"season %d" % at).digest() for at in count())
    with (
        patch("secrets.token_bytes", lambda size=32: next(drawn)[:size]),
        patch("secrets.token_hex", lambda size=32: next(drawn)[:size].hex()),
        rollbook.open(store, seeds=seeds) as book,
    ):
        campaign = book.new("Sherwood", "storytoken")
        for seat, hero in HEROES.items():
            campaign.do("take-seat", {"seat": seat})
            campaign.do("bring-in", {"who": hero, "seat": seat})
        for session in range(1, SESSIONS + 1):
            campaign.do("open-session", title=f"Session {session}")
            for _ in range(ROUNDS):
                for seat, hero in HEROES.items():
                    for deed in DEEDS:
                        campaign.say(deed.format(who=hero), seat=seat)
            campaign.do("close-session")


def blocks() -> list[str]:
    """The blocks of Python on the page: opening, pandas, polars."""
    return _BLOCK.findall(PAGE.read_text(encoding="utf-8"))


@contextmanager
def a_season(folder: Path) -> Iterator[Mapping[str, str]]:
    """Work in a folder with a season that ``rollbook.open()`` opens there. Gives the variables that say so."""
    store, seeds = folder / "season.db", folder / "seeds"
    play_season(store, seeds)
    variables = {
        "ROLLBOOK_STORE": str(store),
        "ROLLBOOK_SEEDS": str(seeds),
        "MPLBACKEND": "svg",
        "SOURCE_DATE_EPOCH": "0",
    }
    with chdir(folder), patch.dict(os.environ, variables):
        yield variables


def run(*which: int) -> dict[str, object]:
    """Run some blocks of the page after the first. Returns the names that they made."""
    names: dict[str, object] = {}
    for at in (0, *which):
        exec(compile(blocks()[at], PAGE.name, "exec"), names)
    return names


def main() -> None:
    """Draw the pictures of the page."""
    from matplotlib import rcParams  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - only here

    rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rollbook", "font.family": "sans-serif"})
    with tempfile.TemporaryDirectory() as gone, a_season(Path(gone)):
        run(1, 2)
        for name in PICTURES:
            (PAGE.parent / name).write_bytes(Path(name).read_bytes())
            sys.stdout.write(f"{PAGE.parent / name} is drawn.\n")


if __name__ == "__main__":
    main()
