"""Tables in the middle of something: stores with an example session that was played so far and no further."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.support.campaigns import book_with
from tests.support.example_sessions import EXAMPLES, played_script
from tests.support.web import StoreFiles

FIGHT_ENDS = "end-encounter"
BESIDES = (
    'join "Spy" --kind npc --hp 8 --armour light --secret',
    'note "the Sheriff waits for a sign from the spy" --secret',
    'afflict guard shaken --lasts 2 --why "a smile with too many teeth"',
    "amend 12 armour=heavy --why 'he wore plate from the start'",
    "end-turn --next sheriff --seat Mira",
)
"""Further lines: a character hidden from the table, a condition that runs out, and a correction of the past."""


ROBIN_ON_TURN = BESIDES[:-1]
"""The same while it is still Robin's turn, who has acted."""


def in_two_fights(folder: Path) -> StoreFiles:
    """The Sherwood fight, and in the same store that of Carrow Bridge, which is on squares: Sill is about to move."""
    lines = (EXAMPLES / "carrow-bridge.session").read_text(encoding="utf-8").splitlines()
    end = next(place for place, line in enumerate(lines) if line.startswith("move sill --to 7,1"))
    files = in_the_fight(folder)
    _played(lines[:end], folder)
    return files


def in_the_fight(folder: Path, besides: tuple[str, ...] = BESIDES) -> StoreFiles:
    """The Sherwood session up to the end of its fight: one action undone, two changed, two secrets, the Sheriff on turn."""
    lines = (EXAMPLES / "sherwood.session").read_text(encoding="utf-8").splitlines()
    end = next(place for place, line in enumerate(lines) if line.startswith(FIGHT_ENDS))
    return _played((*lines[:end], *besides), folder)


def _played(lines: Iterable[str], folder: Path) -> StoreFiles:
    script = folder / "played.session"
    script.write_text("\n".join(lines), encoding="utf-8")
    campaign = played_script(script, folder, "sherwood")
    book_with(campaign).close()
    return StoreFiles(folder / "sherwood.db", folder / "seeds")


def at_the_beginning(folder: Path) -> StoreFiles:
    """The Sherwood campaign with its seats, before its first session."""
    lines = (EXAMPLES / "sherwood.session").read_text(encoding="utf-8").splitlines()
    begin = next(place for place, line in enumerate(lines) if line.startswith("open-session"))
    return _played(lines[:begin], folder)


SEVEN = "robin-hood,sherlock-holmes,count-dracula,wolf-1,wolf-2,wolf-3,wolf-4"
CLEARING = (
    "join Wolf --kind monster --count 4 --hp 11 --armour light --weapon light",
    f'begin-encounter {SEVEN} --title "The clearing" ! 20 15 12 9 8 7 6',
    "harm wolf-2 5",
    "afflict wolf-1 shaken --lasts 2",
    "harm robin-hood 20",
)


def in_the_clearing(folder: Path) -> StoreFiles:
    """Sherwood once more, with three of the party against four wolves: it is Robin's turn, and nobody has acted."""
    lines = (EXAMPLES / "sherwood.session").read_text(encoding="utf-8").splitlines()
    begin = next(place for place, line in enumerate(lines) if line.startswith("begin-encounter"))
    return _played((*lines[:begin], *CLEARING), folder)
