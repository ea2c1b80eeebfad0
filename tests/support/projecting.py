"""A program that plays in a store and asks its read model, again and again: ``python -m tests.support.projecting SETTINGS``.

SETTINGS are the store, a number and the seconds after which it ends, as JSON. What went wrong it says.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.base.errors import Refused, StaleHistory


def play_on(book: Book, campaign: str, chance: random.Random, number: int) -> None:
    """Add a line or undo one, project it and read the log: all of it has to be there."""
    table = book.campaign(campaign)
    try:
        table.say(f"note from {number}" if chance.random() < 0.8 else f"undo {table.head.actions} --why so")
    except (Refused, StaleHistory):
        return
    if chance.random() < 0.7:
        table.session.project()
        last = table.head.entry
        lines = table.read_model.log(campaign, everything=True)
        numbers = [line.entry for line in lines]
        if numbers != list(range(1, len(numbers) + 1)) or len(numbers) < last:
            raise AssertionError(f"after {last} entries the log has {numbers}")
        table.read_model.log(campaign, search="from")


def main() -> None:
    """Do so until the time is over."""
    asked = json.loads(sys.argv[1])
    store, number, end = Path(asked["store"]), asked["number"], time.monotonic() + asked["seconds"]
    chance = random.Random(number)
    while time.monotonic() < end:
        with open_book(store, store.parent / "seeds") as book:
            for _ in range(chance.randint(1, 30)):
                play_on(book, chance.choice(asked["campaigns"]), chance, number)


if __name__ == "__main__":
    main()
