"""What players and GMs wish at the table on the web: requests to the GM and settings of pages, for all who serve the store."""

from __future__ import annotations

from pathlib import Path

import attrs

from rollbook.adapters.web.corrections.waiting import RequestFiles, WaitingRequests
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.ports.page_settings import PageSettings
from rollbook.application.ports.seat_links import SeatLinks
from rollbook.application.ports.store_address import Place
from rollbook.domain.base.records import Record


@attrs.frozen
class Wishes(Record):
    """What players ask of the GM, and what GMs wish of the pages."""

    requests: WaitingRequests
    settings: PageSettings


def wishes_in(book: Book, store: Place, seeds: Path) -> Wishes:
    """Those of an open book: where its store keeps notes they are in it, else in files of this computer."""
    requests = book.seeds.notes("requests")
    return Wishes(WaitingRequests(requests or RequestFiles(store, seeds)), book.page_settings)


def links_and_wishes(store: Place, seeds: Path) -> tuple[SeatLinks, Wishes]:
    """The links to the seats of a store, and its wishes. Raises RollbookError if it cannot be opened."""
    with open_book(store, seeds, create=False) as book:
        return book.seeds.links(), wishes_in(book, store, seeds)
