"""The composition root: which store is opened, where its seeds lie, and which read model and rules belong to it.

Every entrance opens a store here: scripts, the command line, the table on the web, checks and backups.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rollbook.adapters.local_files.paths import read_model_path, read_models_folder, seeds_folder, store_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.read_model.model import ReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.store_address import Place
from rollbook.domain.history.event_store import EventStore

if TYPE_CHECKING:
    from rollbook.application.campaign import Campaign
    from rollbook.application.lines.said import Said


def open_book(store: Place | str = "", seeds: Path | str = "", *, create: bool = True) -> Book:
    """The book in a store, which is a SQLite file with its read model beside it, or at the address of a PostgreSQL server.

    "" for the store means the one that ROLLBOOK_STORE names, else the one in the user's data folder; "" for the folder of
    unrevealed seeds means ROLLBOOK_SEEDS, else the user's. ``~`` is the user's home. A file is made if there is none, unless
    ``create`` is off; nothing is made on a server. Raises RollbookError with the reason why it cannot be opened.
    """
    where, secret = store_path(store), seeds_folder(seeds)
    if isinstance(where, Path):
        in_file = SQLiteEventStore(where, create=create)
        return Book(in_file, read_model_of(where, in_file), SeedKeeper(secret), say_line=say_line)
    from rollbook.adapters.storage.postgres.server import open_secrets, open_server

    shared = open_server(where)
    secrets = open_secrets(where, shared.identity(), secret)
    return Book(shared, read_model_of(where, shared), secrets, rules=shared.rules, say_line=say_line)


def open_apart(copy: Path) -> Book:
    """The book in a copy of a store that nobody uses: its read model is in memory, and nothing is made beside it."""
    return Book(SQLiteEventStore(copy, create=False), ReadModel(), SeedKeeper(copy.parent))


def read_model_of(where: Place, store: EventStore) -> ReadModel:
    """The read model of a store: beside its file, or for one on a server in this computer's cache."""
    if isinstance(where, Path):
        return ReadModel(read_model_path(where))
    return ReadModel(read_models_folder() / f"{store.identity()}.read.db", clock=microseconds)


def say_line(campaign: Campaign, line: str, *, seat: str | None = None, command: str = "") -> Said:
    """Carry out a line that is said to a campaign, and answer it in plain text: see ``Campaign.say``."""
    from rollbook.adapters.line_commands.plain_answer import PlainAnswer
    from rollbook.application.lines import line_runner

    return line_runner.say(campaign, line, PlainAnswer, seat=seat, command=command)
