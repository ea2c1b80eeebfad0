"""What another program has recorded, as a campaign of ours: events without rules, marked as imported."""

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.entry_log import EntryLog
from adapters.head import Head
from adapters.imports import Imported
from domain.entries import Entry, EntryKind, Intent
from domain.errors import RollbookError


def record_import(book: Book, imported: Imported, name: str = "") -> Campaign:
    """Store imported actions as a new campaign, all of them or none. Raises RollbookError if the name is taken."""
    if not imported.actions:
        raise RollbookError("There is nothing in it to import.")
    key = book.free(name or imported.name)
    proposals = [
        Entry(
            EntryKind.TAKEN,
            action=number,
            events=action.events,
            seat=action.seat,
            at=action.at,
            intent=Intent(verb=action.verb, params=action.params),
            actor=action.actor,
            provenance="imported",
        )
        for number, action in enumerate(imported.actions, 1)
    ]
    EntryLog(book.store, key, book.clock).write(Head(), proposals)
    return book.campaign(key)
