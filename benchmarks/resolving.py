"""Costs of the rules alone: actions resolved a second, against rows of raw SQLite read a second.

A row is an entry as the store keeps it, about a thousand bytes: an action brings one entry, and so one row. Rows of single
events, a fifth as long, are read nearly twice as fast and say less of what an action costs beside storing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks import raw
from benchmarks.games import GAMES, Shaken, campaign_of, intent_of_line
from benchmarks.long_fight import CAMPAIGN, written
from benchmarks.measures import Row, Scale, in_turn

STRIKES = 1_000
"""Actions in one timing."""

WANTED = {"storytoken": 0.0110, "grid": 0.0065, "srd5": 0.0099}
"""Games of which the first deed, an attack, is resolved, and how much of the rows' rate they should reach."""


def resolving(folder: Path, scale: Scale) -> Iterator[Row]:
    """An attack resolved again and again, against reading rows."""
    read, rows = _raw(folder, scale.events)
    for key, wanted in WANTED.items():
        resolve = strikes(key, folder / f"{key}.db")
        resolve()
        ours, theirs = in_turn(3 * scale.rounds, resolve, read)
        per_row = [seconds * STRIKES / rows for seconds in theirs]
        yield Row.of_rates(
            f"{key}, {GAMES[key].deeds[0]}: actions resolved a second / raw sqlite3, rows read a second",
            STRIKES,
            ours,
            per_row,
            at_least=wanted,
        )


def _raw(folder: Path, events: int) -> tuple[Callable[[], int], int]:
    """Reader of the entries of a campaign of so many events as rows, and their number."""
    rows = [(CAMPAIGN, *entry) for entry in written(folder / "rows.db", events).stored()]
    connection = raw.connect(folder / "rows-raw.db")
    raw.append(connection, rows)
    return partial(raw.read, connection, CAMPAIGN), len(rows)


def strikes(key: str, store: Path) -> Callable[[], None]:
    """The first deed of a game, resolved ``STRIKES`` times."""
    campaign = campaign_of(key, store, 1_000)
    intent, dice = intent_of_line(campaign, GAMES[key].deeds[0]), Shaken()

    def strike() -> None:
        for _ in range(STRIKES):
            campaign.session.rulebook.play(campaign.state, intent, dice)

    return strike
