"""A run: nodes of one store, players who act at all its tables, readers who follow some of them, and the checks at the end."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.book import Book
from tests.support.hosting.browsers import Browser, Player, Reader, Unanswered, until
from tests.support.hosting.checks import Findings, check_audits, check_history, check_read_model, check_readers
from tests.support.hosting.ledger import Ledger
from tests.support.hosting.nodes import Node
from tests.support.hosting.tables import OpenBook, Seating, close_sessions

HEALED_WITHIN = 60.0
"""Seconds after a run in which every command that is under way has to be acknowledged."""


@attrs.define
class Hosted:
    """A store that several nodes serve. ``read_models`` are the files of the nodes' read models."""

    open_book: OpenBook
    nodes: Sequence[Node]
    seatings: Sequence[Seating]
    read_models: Callable[[], Sequence[Path]]
    ledger: Ledger = attrs.field(factory=Ledger)
    readers: list[Reader] = attrs.field(factory=list)
    players: list[Player] = attrs.field(factory=list)
    cookies: dict[str, str] = attrs.field(factory=dict)

    def start(self) -> None:
        """Start the nodes, and let all players sit down."""
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            node.wait()
        for number, seating in enumerate(self.seatings):
            browser = Browser(self.nodes, at=number)
            for token in seating.tokens:
                browser.sit_down(token)
            self.cookies[seating.seat] = browser.cookie
            browser.close()

    @contextmanager
    def under_load(self, *, only: str = "", pause: float = 0.05, followed: int = 2) -> Iterator[Ledger]:
        """Clients play meanwhile, in one campaign or in all of theirs; the first campaigns are followed at each node."""
        self.begin_load(only=only, pause=pause, followed=followed)
        try:
            yield self.ledger
        finally:
            self.end_load()

    def begin_load(self, *, only: str = "", pause: float = 0.05, followed: int = 2) -> None:
        """Begin to play and to read with all clients."""
        chance = random.Random(4)
        for number, seating in enumerate(self.seatings):
            campaigns = tuple(id_ for id_ in seating.campaigns if only in ("", id_))
            if campaigns:
                browser = Browser(self.nodes, self.cookies[seating.seat], number)
                self.players.append(
                    Player(
                        seating.seat,
                        browser,
                        campaigns,
                        self.ledger,
                        chance=random.Random(chance.random()),
                        patience=HEALED_WITHIN,
                        pause=pause,
                    )
                )
        for seating in self.seatings[:followed]:
            for place in range(len(self.nodes)):
                self.readers.append(
                    Reader(Browser(self.nodes, self.cookies[seating.seat], place), only or seating.campaigns[0])
                )
        for thread in (*self.players, *self.readers):
            thread.start()

    def end_load(self) -> None:
        """Let players finish what is under way; then stop the readers."""
        for player in self.players:
            player.tell_to_stop()
        for player in self.players:
            player.join(timeout=HEALED_WITHIN + 15)
        for reader in self.readers:
            reader.tell_to_stop()
        for reader in self.readers:
            reader.join(timeout=30)

    def check(self) -> Findings:
        """Find what is wrong once everything has come to rest. Sessions are closed, so that dice can be proven."""
        with self.open_book() as book:
            close_sessions(book)
            found = check_history(book, self.ledger)
            found.unproven += check_audits(book)
            self.check_views(book, found)
        found.lost += [
            f"{one.id} of {one.campaign} was never answered: {one.tries} tries." for one in self.ledger.unanswered
        ]
        return found

    def check_views(self, book: Book, found: Findings) -> None:
        """Note where a node's read model is not as one that is made in one go, and where readers do not show the same."""
        self.project_everywhere(book.campaigns())
        rebuilt = SQLiteReadModel()
        rebuilt.catch_up(book.store, book.rulebook)
        for number, path in enumerate(self.read_models(), start=1):
            model = SQLiteReadModel(path)
            found.read_models += check_read_model(model, rebuilt, f"node {number}", book.campaigns())
            model.close()
        rebuilt.close()
        found.readers += check_readers(self.shown())

    def project_everywhere(self, campaigns: Sequence[str]) -> None:
        """Ask every node for every table, so that its read model has come to the end of each."""
        for place in range(len(self.nodes)):
            for seating in self.seatings:
                browser = Browser([self.nodes[place]], self.cookies[seating.seat])
                for campaign in seating.campaigns:
                    if campaign in campaigns:
                        until(lambda: _shows(browser, campaign), HEALED_WITHIN, f"node {place + 1} shows {campaign}")  # noqa: B023
                browser.close()

    def shown(self) -> dict[str, list[tuple[str, dict[str, str]]]]:
        """Cards of each reader that has read to the end, beside those of a new one, by campaign and seat.

        Players of one campaign have other buttons on its cards, each on their own.
        """
        shown: dict[str, list[tuple[str, dict[str, str]]]] = {}
        seats = {cookie: seat for seat, cookie in self.cookies.items()}
        for place, reader in enumerate(self.readers):
            until(lambda: reader.look(), HEALED_WITHIN, "a reader is answered")  # noqa: B023
            fresh = Reader(Browser(self.nodes, reader.browser.cookie, place), reader.campaign)
            until(lambda: fresh.look(), HEALED_WITHIN, "a new reader is answered")  # noqa: B023
            newest = {key: reader.cards.get(key, "") for key in fresh.cards}
            both = shown.setdefault(f"{reader.campaign} of {seats[reader.browser.cookie]}", [])
            both.append((f"a new reader at {place}", fresh.cards))
            both.append((f"reader {place} from the beginning", newest))
            reader.browser.close()
            fresh.browser.close()
        return shown

    def stop(self) -> None:
        """End the nodes."""
        for node in self.nodes:
            node.stop()


def _shows(browser: Browser, campaign: str) -> bool:
    try:
        return browser.ask("GET", f"/c/{campaign}")[0] == 200
    except Unanswered:
        return False


def seconds_pass(seconds: float) -> None:
    """Let the load go on for a while."""
    time.sleep(seconds)
