"""Deleting a whole campaign for good: its entries and timelines, what was made of them, its seeds. A tombstone stays."""

import attrs

from rollbook.application.book import Book
from rollbook.application.history.timeline_marker import campaign_of, is_timeline, meant
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.history.event_store import Tombstone, hash_at


@attrs.frozen
class Deletion(Record):
    """Remains of a deleted campaign: its tombstone, the number of its timelines, and backups that still hold it."""

    stone: Tombstone
    timelines: int
    backups: tuple[str, ...] = ()


def stone_of(book: Book, name: str) -> Tombstone:
    """The tombstone that a campaign would get. Raises NotFound, and Refused for a timeline."""
    key = meant(name)
    if is_timeline(key):
        raise Refused(f"{key} is a timeline; it goes when {campaign_of(key)} is deleted.")
    campaign = book.campaign(key)
    entries = book.store.head(key)  # of a damaged campaign too, whose history ends earlier
    return Tombstone(
        key, entries, hash_at(book.store, key, entries), campaign.state.identity, book.surroundings.clock()
    )


def delete_campaign(book: Book, stone: Tombstone) -> Deletion:
    """Delete a campaign, which must still be what its tombstone says.

    Lines typed at its prompt and links to its seats go first: once the entries are gone, nothing refers to them. Raises
    StaleHistory if the campaign was played on meanwhile, and RollbookError, after all of this, if removed data waits in
    a log until another program closes the store. Data that a stopped program has left is removed by the next one that
    opens the store.
    """
    timelines = book.timelines(stone.campaign)
    streams = (stone.campaign, *timelines)
    book.surroundings.typed_lines.forget_all(streams)
    book.seeds.forget_links(stone.campaign)
    try:
        book.store.delete(streams, stone)
    except RollbookError:
        if book.store.head(stone.campaign):
            raise
    for gone in book.seeds.of_stream(stone.campaign).moved():
        book.seeds.note_moved(gone.back())
    book.finish_removals()
    return Deletion(stone, len(timelines), book.backups_since(0))
