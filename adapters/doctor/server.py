"""A store on a server, as this computer has it: whether it answers, and whether the cache and the key here are the store's.

Of what is in its campaigns nothing is said: there may be very many, and ``store verify`` audits them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rollbook.adapters.doctor.findings import Finding, ill, well
from rollbook.adapters.doctor.store import looked_into
from rollbook.application.book import Book
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.history.event_store import Cursor


def answers(where: ServerAddress, book: Book) -> Iterator[Finding]:
    """Whether it says what is in it."""
    yield well(
        "store", f"{where}, {counted(len(book.campaigns()), 'campaign')}; audit them with: rollbook store verify"
    )


def cache(book: Book) -> Iterator[Finding]:
    """Whether this computer's read model of the store can be used, and how far it has looked."""
    path = book.read_model.path
    if path is None or not path.exists():
        yield well("read model", f"none in {path and path.parent} yet; the next command makes it")
        return
    yield from looked_into(path, book.store, lambda position: _looked(book, Cursor(position)))


def _looked(book: Book, position: Cursor) -> Finding:
    if book.store.is_set_back_since(position):
        return well("read model", "of before the store was set back; the next command makes it again")
    behind = book.store.count(position)
    return well("read model", f"{book.read_model.path}, {f'{behind:,} entries to look at' if behind else 'up to date'}")


def seeds(book: Book) -> Iterator[Finding]:
    """Where the seeds of open sessions are, and whether the key of this computer is theirs."""
    try:
        yield well("seeds", f"those of open sessions are in {book.seeds.where()}")
    except RollbookError as fault:
        yield ill("seeds", str(fault))
