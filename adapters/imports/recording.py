"""What another program has recorded, as a campaign of ours: events without rules, marked as imported."""

from secrets import token_hex

import attrs

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.entry_log import EntryLog
from adapters.head import Head
from adapters.imports import Imported
from domain.entries import Entry, EntryKind, Intent, recorded, without_words
from domain.errors import HistoryDamaged, RollbookError
from domain.events import Event, NoteWritten
from domain.numbering import TableCount


def record_import(book: Book, imported: Imported, name: str = "") -> Campaign:
    """Store imported actions as a new campaign, all of them or none. Raises RollbookError if the name is taken."""
    if not imported.actions:
        raise RollbookError("There is nothing in it to import.")
    key = book.free(name or imported.name)
    proposals = [
        Entry(
            EntryKind.TAKEN,
            action=number,
            events=events,
            seat=action.seat,
            at=action.at,
            intent=without_words(Intent(verb=action.verb, params=action.params), events),
            actor=action.actor,
            provenance="imported",
        )
        for number, action in enumerate(imported.actions, 1)
        for events in [tuple(map(_salted, action.events))]
    ]
    _check_counts(proposals)
    EntryLog(book.store, key, book.clock).write(Head(), proposals)
    return book.campaign(key)


def _check_counts(proposals: list[Entry]) -> None:
    """Raise RollbookError for a record that names a seat or character who never came, or that no reader would take.

    Names are judged as strictly as those of an action that was played.
    """
    counts = TableCount()
    for number, proposal in enumerate(proposals, 1):
        try:
            counts.add(recorded(proposal._replace(provenance="played"), number))
        except HistoryDamaged as damage:
            raise RollbookError(f"The record cannot be imported. Of its action {number}: {damage}.") from None


def _salted(event: Event) -> Event:
    """A note with a salt of its own, as one that was played has: nobody guesses its words by the digest that may stay."""
    if isinstance(event, NoteWritten) and not event.salt:
        return attrs.evolve(event, salt=token_hex(16))
    return event
