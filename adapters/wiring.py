"""The composition root: opens a store with its seeds, its read model and its rules.

Every entrance opens a store here: scripts, the command line, the table on the web, checks and backups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rollbook.adapters.local_files.paths import read_model_path, read_models_folder, seeds_folder, store_path
from rollbook.adapters.local_files.prompt_lines import PromptLines
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.store_address import Place
from rollbook.application.ports.surroundings import Surroundings
from rollbook.domain.history.event_store import EventStore

if TYPE_CHECKING:
    from rollbook.application.history.read_model import ReadModel
    from rollbook.application.ports.rules_in_force import RulesInForce
    from rollbook.application.ports.seed_store import StoreSecrets
    from rollbook.application.registry import RulesetRegistry
    from rollbook.application.view import CampaignView, Said
    from rollbook.domain.events import ParameterValue
    from rollbook.domain.rules.action import Action
    from rollbook.domain.state.campaign_state import CampaignState


def open_book(store: Place | str = "", seeds: Path | str = "", *, create: bool = True) -> Book:
    """The book in a store, which is a SQLite file with its read model beside it, or at the address of a PostgreSQL server.

    "" for the store means the one that ROLLBOOK_STORE names, else the one in the user's data folder; "" for the folder of
    unrevealed seeds means ROLLBOOK_SEEDS, else the user's. ``~`` is the user's home. A file is made if there is none, unless
    ``create`` is off; nothing is made on a server. Raises RollbookError with the reason why it cannot be opened.
    """
    where, secret = store_path(store), seeds_folder(seeds)
    if isinstance(where, Path):
        in_file = SQLiteEventStore(where, create=create)
        return book_of(in_file, read_model_of(where, in_file), SeedKeeper(secret))
    from rollbook.adapters.storage.postgres.server import open_secrets, open_server

    shared = open_server(where)
    secrets = open_secrets(where, shared.identity(), secret)
    return book_of(shared, read_model_of(where, shared), secrets, rules=shared.rules)


def open_apart(copy: Path) -> Book:
    """The book in a copy of a store that no program uses, with its read model in memory and no file beside it."""
    return book_of(SQLiteEventStore(copy, create=False), SQLiteReadModel(), SeedKeeper(copy.parent))


def book_of(
    store: EventStore,
    read_model: ReadModel,
    seeds: StoreSecrets,
    registry: RulesetRegistry | None = None,
    clock: Callable[[], int] = microseconds,
    rules: RulesInForce | None = None,
) -> Book:
    """The book of an open store, with the installed rulesets unless a ``registry`` is given."""
    kept = seeds.of_store(store.identity(), lasting=store.lasts)
    around = Surroundings(
        clock=clock,
        rules=rules,
        typed_lines=PromptLines(getattr(store, "place", Path(store.file))),
        patterns=_patterns,
        page_settings=kept.page_settings(),
    )
    return Book(store, read_model, kept, registry or discover(), around, say_line)


def say_line(book: Book, campaign: CampaignView, line: str, *, seat: str | None = None, command: str = "") -> Said:
    """Carry out a line for a campaign of a book, and answer it in plain text: see ``Campaign.say``."""
    from rollbook.adapters.line_commands.plain_answer import PlainAnswer
    from rollbook.application.lines import line_runner

    return line_runner.say(campaign, line, partial(PlainAnswer, book), seat=seat, command=command)


def _patterns(
    state: CampaignState, verb: type[Action], given: Mapping[str, str], said: Callable[[str], None]
) -> tuple[Mapping[str, str], dict[str, ParameterValue]]:
    from rollbook.adapters.bestiary.library import expanded

    return expanded(state, verb, given, said)


def read_model_of(where: Place, store: EventStore) -> SQLiteReadModel:
    """The read model of a store: beside its file, or for one on a server in this computer's cache."""
    if isinstance(where, Path):
        return SQLiteReadModel(read_model_path(where))
    return SQLiteReadModel(read_models_folder() / f"{store.identity()}.read.db", clock=microseconds)
