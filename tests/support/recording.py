"""A line for every command of one act that records, and what is in the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

HIDDEN, ROLL = "do note 'He waits.' --secret", "do roll 1d1000000"
MISS = "do attack robin guard longbow --distance 40 --seat Mira --dice 2"
RECORDING = {
    "do": ((), "do note 'A shout.'"),
    "join": ((), "join Ogre --kind npc --hp 30 --ac 11"),
    "x-card": ((), "x-card"),
    "x-card --resume": (("x-card",), "x-card --resume"),
    "x-card --rewind": ((ROLL, "x-card"), "x-card --rewind --to 9 --yes"),
    "new": ((), "new Other --ruleset grid"),
    "reveal": ((HIDDEN,), "reveal 10"),
    "undo": ((), "undo 8 --why x --yes"),
    "redo": (("undo 8 --why x --yes",), "redo 8 --why x --yes"),
    "amend": ((), "amend 8 distance=10 --why x --yes"),
    "insert": ((), "insert 9 note 'A shout.' --yes"),
    "override": ((ROLL,), "override 10 --dice 7 --why x --yes"),
    "reroll": ((MISS,), "reroll --by robin --dice 3"),
    "adopt": ((), "adopt powers --yes"),
    "fork": ((), "fork --at 5"),
    "play": ((), "play {script}"),
}
"""Preparations for each command, and the command."""


def rows(home: Path) -> int:
    """Number of entries in the store of a home."""
    with closing(sqlite3.connect(home / "books" / "rollbook.db")) as store, store:
        return int(store.execute("SELECT COUNT(*) FROM stored_events").fetchone()[0])
