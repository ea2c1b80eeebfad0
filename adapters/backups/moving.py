"""Moving a campaign to another computer: all of it in one file, with the seeds of its dice, and no longer played here.

The file is a small store, with the seeds that a backup would hold and a note of its contents. Where it is imported,
play continues with the campaign's own dice. Here it can be read, and nothing is added to it until it comes back.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import attrs
import msgspec

from rollbook.adapters.backups.backing_up import called, copied, has_table, put_seeds, seeds_in
from rollbook.adapters.exports.whole_file import summary
from rollbook.adapters.local_files.own_files import check_target, give_name, make_folder, unfinished
from rollbook.adapters.local_files.sqlite_faults import in_words
from rollbook.adapters.storage.sqlite import copy_and_replace
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.idempotency_keys import command_key
from rollbook.application.history.sealing import kinds_of
from rollbook.application.history.timeline_marker import SIGN, packed, read_marker
from rollbook.application.keeping.copying import REMOVED
from rollbook.application.pictures import bring
from rollbook.application.ports.seed_store import Moved, can_be_read
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId, StreamId
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.progress import told
from rollbook.domain.base.records import Record
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import EventStore, NewEntry, StoredEntry
from rollbook.domain.state.lookup import slug

MOVED = "CREATE TABLE moved_campaign (campaign TEXT NOT NULL, identity TEXT NOT NULL, entries INTEGER NOT NULL)"
NOTHING_MOVED, NOTHING_TAKEN = "nothing was moved", "nothing was imported"


@attrs.frozen(kw_only=True)
class MoveReport(Record):
    """The contents of a moved campaign's file: the numbers of entries, of timelines and of sessions with seeds."""

    campaign: CampaignId
    path: str
    entries: int
    timelines: int
    sessions: int

    @property
    def contents(self) -> str:
        """The contents of the file, in words."""
        also = f", {counted(self.timelines, 'timeline')}" if self.timelines else ""
        entries, sessions = counted(self.entries, "entry", "entries"), counted(self.sessions, "session")
        return f"{self.campaign} with {entries}{also} and the secret seeds of {sessions}"


def move(book: Book, campaign: Campaign, target: Path) -> MoveReport:
    """Write a campaign with its timelines and sealed seeds to a new file, and stop playing it here.

    Raises Refused for a timeline and for a campaign that has gone already, RollbookError for a file that cannot be written and
    HistoryDamaged for a damaged history. Then the campaign stays.
    """
    if campaign.session.timeline is not None:
        raise Refused(f"{campaign.id} is a timeline; it goes with its campaign. Nothing was moved.")
    keeper = book.seeds.of_stream(campaign.id)
    _check_here(campaign)
    check_target(target, NOTHING_MOVED, is_ours=None)
    campaign.refresh()
    summary(campaign.session.log, target)  # raises HistoryDamaged for what is not whole
    timelines = book.timelines(campaign.id)
    with in_words(target, NOTHING_MOVED):
        make_folder(target.parent)
        with unfinished(target) as copy:
            keeper.note_copy(book.location, copy)
            seeds = [(session, text) for session, text in keeper.kept() if can_be_read(session, text)]
            entries = _fill(copy, book, (campaign.id, *timelines), campaign.state.identity, seeds)
            gone = Moved(
                campaign=campaign.state.identity,
                store=keeper.store,
                stream=campaign.id,
                file=str(target.absolute()),
                entry=entries,
                sessions=(session for session, _ in seeds),
            )
            keeper.note_moved(gone)
            try:
                if book.store.head(campaign.id) != entries:  # no entry can be added now, but one may have been before
                    raise RollbookError(f"Somebody has just played in {campaign.id}; nothing was moved. Try again.")
                give_name(copy, target, is_ours=None)
            except BaseException:
                keeper.note_moved(gone.back())
                raise
    keeper.note_moved(attrs.evolve(gone, is_done=True))
    keeper.let_go(campaign.state.identity)
    return MoveReport(
        campaign=campaign.id, path=str(target), entries=entries, timelines=len(timelines), sessions=len(seeds)
    )


def _check_here(campaign: Campaign) -> None:
    """Raise Refused if a campaign has been moved, unless the move was interrupted before the file had its name."""
    gone = campaign.session.moved_away()
    if gone is not None and (gone.is_done or Path(gone.file).exists()):
        raise Refused(f"{gone.sentence} Nothing was moved.")


def _fill(
    copy: Path, book: Book, streams: tuple[StreamId, ...], identity: CampaignId, seeds: list[tuple[str, str]]
) -> int:
    """Write a store with these streams and seeds. Returns the campaign's number of entries."""
    with closing(SQLiteEventStore(copy)) as store:
        for stream in streams:
            _take_over(store, stream, book.store, stream)
        bring(book.store, streams[0], store, streams[0])
        entries = store.head(streams[0])
    with closing(sqlite3.connect(copy)) as connection, connection:
        put_seeds(connection, seeds)
        connection.execute(MOVED)
        connection.execute("INSERT INTO moved_campaign VALUES (?, ?, ?)", (streams[0], identity, entries))
    copy_and_replace.finish(copy)
    return entries


# Taking in.


def is_move(path: Path) -> bool:
    """True if a file holds a moved campaign."""
    return has_table(path, "moved_campaign")


def take_in(book: Book, path: Path, name: str = "") -> MoveReport:
    """Import a moved campaign from its file, with its seeds; one that comes back continues the history that is here.

    A second call finishes an interrupted one. Raises HistoryDamaged, and RollbookError if another campaign has its
    name.
    """
    make_folder(book.seeds.folder)
    with in_words(path, NOTHING_TAKEN), unfinished(book.seeds.folder / "arriving") as copy:  # only the owner reads it
        copied(path, copy, NOTHING_TAKEN)
        with called(copy, path, NOTHING_TAKEN):
            book.seeds.check_may_take(seeds_in(copy), copy)
        with closing(sqlite3.connect(copy)) as connection:
            campaign, identity = connection.execute("SELECT campaign, identity FROM moved_campaign").fetchone()
        return _taken(book, copy, path, campaign, identity, slug(name) or campaign)


def _taken(book: Book, copy: Path, path: Path, campaign: str, identity: CampaignId, target: CampaignId) -> MoveReport:
    with closing(SQLiteEventStore(copy, create=False)) as source:
        streams = source.campaigns()
        for stream in streams:
            _check_fits(book.store, _called(stream, campaign, target), source, stream)
        for stream in streams:
            _take_over(book.store, _called(stream, campaign, target), source, stream)
        bring(source, campaign, book.store, target)
        entries = source.head(campaign)
    keeper = book.seeds.of_stream(target)
    seeds = seeds_in(copy)
    for session, text in seeds:
        keeper.take(session, text)
    for gone in keeper.moved():
        if gone.campaign == identity:
            keeper.note_moved(gone.back())
    book.reopen(target)
    return MoveReport(campaign=target, path=str(path), entries=entries, timelines=len(streams) - 1, sessions=len(seeds))


def _called(stream: StreamId, campaign: CampaignId, target: CampaignId) -> StreamId:
    root, sign, number = stream.partition(SIGN)
    return f"{target if root == campaign else root}{sign}{number}"


def _check_fits(store: EventStore, stream: StreamId, source: EventStore, theirs: StreamId) -> None:
    """Raise RollbookError unless an arriving stream continues the stream of its name in the store."""
    mine, arriving = store.head(stream), source.head(theirs)
    both = zip(store.read(stream), source.read(theirs, 0, mine), strict=False)
    pairs = told(both, lambda: mine)
    if mine > arriving or any(hash_in(one.data) != hash_in(other.data) for one, other in pairs):
        raise RollbookError(
            f"{stream} is here with another history of {counted(mine, 'entry', 'entries')}. Nothing was imported; "
            f"give the one in the file another name with --as."
        )


def _take_over(store: EventStore, stream: StreamId, source: EventStore, theirs: StreamId) -> None:
    """Append the entries that a stream has only in its source; words that were removed there are removed here."""
    mine = store.head(stream)
    many = source.head(theirs)
    new = [_new(stored) for stored in told(source.read(theirs, mine), lambda: many, before=mine)]
    marker = read_marker(source, theirs) if SIGN in theirs else None
    if marker is not None and store.marker(stream) is None:
        parent = _called(marker.parent, theirs.partition(SIGN)[0], stream.partition(SIGN)[0])
        store.begin(stream, packed(msgspec.structs.replace(marker, parent=parent)), new)
        return
    both = zip(store.read(stream), source.read(theirs, 0, mine), strict=True)
    instead = {one.version: other.data for one, other in both if one.data != other.data and REMOVED in other.data}
    if instead:
        store.redact(stream, mine, new, instead)
    elif new:
        store.append(stream, mine, new)


def _new(stored: StoredEntry) -> NewEntry:
    """An entry with its index columns, worked out here: those in the file are not trusted."""
    entry = CODEC.read(stored)
    return NewEntry(stored.kind, stored.data, kinds_of(entry.events), command_key(entry))
