"""A fight on squares for pages of the board: Sill, whom Tom plays, has the turn beside Grosk, and Ysolde Ash waits further on."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.wiring import open_book
from rollbook.domain.events import Role
from tests.support.web import StoreFiles

TOLL = "the-toll"
TOM = Identity(campaign=TOLL, seat="Tom", role=Role.PLAYER)
IDA = Identity(campaign=TOLL, seat="Ida", role=Role.PLAYER)
WATCHER = Identity(campaign=TOLL, seat="Watcher", role=Role.SPECTATOR)
LINES = (
    "take-seat Ida",
    "take-seat Tom",
    "take-seat Watcher --role spectator",
    'open-session "Carrow Bridge"',
    "join Brannoc --class-name fighter --weapon sword --shield shield --armour plate --at 4,-3 --seat Ida",
    "join Sill --class-name rogue --weapon sword --armour leather --at 6,0 --seat Tom",
    "join Grosk --kind monster --hp 42 --ac 14 --attack 5 --damage 1 --at 5,0",
    'join "Ysolde Ash" --id ash --kind npc --side foes --class-name wizard --weapon staff --at 8,1',
    "begin-encounter sill,brannoc,grosk,ash --title 'The toll' ! 20 15 10 5",
)


def toll(folder: Path, *more: str) -> StoreFiles:
    """A store with the fight, after more was said."""
    files = StoreFiles(folder / "toll.db", folder / "seeds")
    with open_book(files.store, files.seeds) as book:
        campaign = book.new("The toll", "grid")
        for line in (*LINES, *more):
            campaign.say(line)
    return files


@pytest.fixture
def at_the_toll(tmp_path: Path) -> StoreFiles:
    """The fight, for one test."""
    return toll(tmp_path)
