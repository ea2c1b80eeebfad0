"""What players and GMs wish at the table on the web: requests to the GM and settings of pages, for all who serve the store."""

from __future__ import annotations

from pathlib import Path

import attrs

from rollbook.adapters.web.corrections.pending import RequestFiles
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.ports.seat_links import SeatLinks
from rollbook.application.ports.seed_store import TableNotes
from rollbook.application.ports.store_address import Place
from rollbook.application.ports.surroundings import PageSettings
from rollbook.domain.base.records import Record


@attrs.frozen
class StoreNotes(Record):
    """What players ask of the GM, and what GMs wish of the pages."""

    requests: TableNotes
    settings: PageSettings


def store_notes_in(book: Book, store: Place, seeds: Path) -> StoreNotes:
    """Those of an open book: where its store keeps notes they are in it, else in files of this computer."""
    requests = book.seeds.notes("requests")
    return StoreNotes(requests or RequestFiles(store, seeds), book.page_settings)


def links_and_notes(store: Place, seeds: Path) -> tuple[SeatLinks, StoreNotes]:
    """The links to the seats of a store, and its notes. Raises RollbookError if it cannot be opened."""
    with open_book(store, seeds, create=False) as book:
        return book.seeds.links(), store_notes_in(book, store, seeds)
