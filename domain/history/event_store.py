"""The port to the event store: one ordered stream of entries per campaign, appended to and never changed.

Every implementation (memory, SQLite, PostgreSQL) keeps the promises written here, and one suite of tests holds it to them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, NewType, Protocol

from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in

Cursor = NewType("Cursor", str)
"""A position in the whole store. Only the store that gave it can read it; others only compare two for equality."""

START = Cursor("")
"""Before everything."""


class StoredEntry(NamedTuple):
    """One entry as it is stored: its ``version`` in the stream (1, 2, 3 …), its kind and its bytes."""

    version: int
    kind: str
    data: bytes


class NewEntry(NamedTuple):
    """An entry that is to be stored.

    ``events`` are the kinds of its events, each once, without versions; they are what ``read_kinds`` finds it by. ``command`` is
    a key that ``by_command`` finds it by, "" for none.
    """

    kind: str
    data: bytes
    events: tuple[str, ...] = ()
    command: str = ""


class StoredChange(NamedTuple):
    """One entry as the whole store saw it arrive, and the cursor after it."""

    cursor: Cursor
    stream: StreamId
    entry: StoredEntry


class StreamEnd(NamedTuple):
    """The last entry of a stream: its version and the ``hash`` that it carries, "" if it has none."""

    stream: StreamId
    version: int
    hash: str


class StoreState(NamedTuple):
    """A store at one moment: its identity, its number of removals, and the cursor after its newest entry.

    ``newest`` is that entry and ``known`` the one before a cursor that was asked about. None for one that is not there.
    """

    identity: str
    removals: int
    position: Cursor
    newest: StreamEnd | None
    known: StreamEnd | None


class StreamState(NamedTuple):
    """A stream at one moment, and the identity and the number of removals of its store.

    ``head`` is the version of its last entry. ``known`` is the entry that was asked about: its version and the hash that it
    carries, "" if it has none or is not there.
    """

    identity: str
    removals: int
    head: int
    known: tuple[int, str]


class Tombstone(NamedTuple):
    """A campaign that was deleted: how many entries it had, its last ``hash`` and its identity, and when (microseconds, UTC)."""

    campaign: StreamId
    entries: int
    hash: str
    identity: str
    at: int


class EventStore(Protocol):
    """Streams of entries, one per campaign or timeline. All reads are lazy and in order."""

    @property
    def file(self) -> str:
        """The file that the store lies in, by its whole path; "" if it is in none."""

    @property
    def lasts(self) -> bool:
        """True if the store outlives the program."""

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> None:
        """Append entries after version ``expected`` (0 for a new stream): all of them, or none.

        Returns only when the entries are on disk. If the store answers with a conflict although exactly these
        entries already stand there (a commit whose answer was lost), that is success.

        Raises StaleHistory when the stream is not at ``expected``, and RollbookError when the store cannot be written
        (locked by another process, full, read-only): then nothing was appended.
        """

    def redact(
        self, stream: StreamId, expected: int, entries: Sequence[NewEntry], instead: Mapping[int, bytes]
    ) -> None:
        """Append like ``append``, and in the same moment put other bytes in the place of earlier entries, by version.

        The only change that a stored entry can ever suffer: a note's words are removed for good. Both happen or neither; the
        old bytes are in the files until ``wipe``. Raises what ``append`` raises.
        """

    def delete(self, streams: Sequence[StreamId], stone: Tombstone) -> None:
        """Remove a campaign with its timelines, all their entries and pictures, and put a tombstone there: all of it or nothing.

        Raises StaleHistory when the campaign has not as many entries as the tombstone says, and what ``redact`` raises.
        """

    def tombstones(self) -> tuple[Tombstone, ...]:
        """The campaigns that were deleted, oldest first."""

    def removals(self) -> int:
        """The number of removals from the store. Whatever was derived from its entries before one is derived again."""

    def is_wiped(self) -> bool:
        """True if nothing of what was removed is left in the store's files: a program that is killed may leave some."""

    def wipe(self) -> None:
        """Wipe what is left of what was removed. Raises RollbookError if others hold the files open."""

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> None:
        """Begin a timeline: its marker as version 0 and its first entries from version 1 on, all of it or nothing.

        Raises StaleHistory if there is such a stream already.
        """

    def marker(self, stream: StreamId) -> bytes | None:
        """The marker of a timeline; None for a stream that has none."""

    def head(self, stream: StreamId) -> int:
        """The version of the last entry of the stream, 0 if there is none."""

    def read(self, stream: StreamId, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        """The stream's entries with ``after < version <= until``, oldest first, read in pages."""

    def read_kinds(self, stream: StreamId, kinds: Sequence[str], after: int = 0) -> Iterator[StoredEntry]:
        """The entries that hold an event of one of these kinds, or are of one of them, oldest first.

        Kinds are without versions: ``DiceRolled``, ``ActionVoided``.
        """

    def by_command(self, stream: StreamId, command: str) -> tuple[int, ...]:
        """The versions of the entries that were stored under this key, oldest first."""

    def changes(self, after: Cursor = START) -> Iterator[StoredChange]:
        """Everything that was appended to any stream after a cursor, in the order in which it became visible."""

    def state(self, cursor: Cursor = START) -> StoreState:
        """The state of the store now, with the entry before a cursor.

        There is none before START, or in a store that is not the same any more.
        """

    def stream_state(self, stream: StreamId, version: int = 0) -> StreamState:
        """The state of a stream now, with the entry of that version."""

    def count(self, after: Cursor = START) -> int:
        """The approximate number of entries after a cursor: enough to show progress."""

    def ends(self, after: Cursor = START) -> Iterator[StreamEnd]:
        """The last entry of every stream that has one after a cursor, without reading the entries before it."""

    def last_position(self) -> Cursor:
        """The cursor after the newest entry in the store, START if it is empty."""

    def is_set_back_since(self, cursor: Cursor) -> bool:
        """True if the store was set back to an earlier moment after it gave a cursor, as its owner has said."""

    def campaigns(self) -> tuple[str, ...]:
        """The names of all streams, in the order in which they began."""

    def identity(self) -> str:
        """The identity of this store among all others: 16 random bytes (hexadecimal), made with it."""

    def keep_picture(self, campaign: StreamId, digest: str, data: bytes) -> None:
        """Keep the bytes of a picture beside a campaign's history, once; they are on disk when this returns.

        Raises RollbookError if the store cannot be written.
        """

    def picture(self, campaign: StreamId, digest: str) -> bytes | None:
        """The bytes of a picture of a campaign; None if there are none."""

    def pictures(self, campaign: StreamId) -> tuple[str, ...]:
        """The digests of the pictures that are kept for a campaign, in their order."""

    def drop_pictures(self, campaign: StreamId, digests: Sequence[str]) -> None:
        """Remove pictures: those of words that are removed next, or of an action that was refused.

        Their bytes are in the files until ``wipe``, which follows ``redact``. Raises what ``keep_picture`` raises.
        """

    def close(self) -> None:
        """Close files and connections."""


class WholeStore(EventStore, Protocol):
    """A store that can be copied whole into another one, of whatever kind."""

    def read_to_copy(self, stream: StreamId, after: int = 0) -> Iterator[tuple[int, NewEntry]]:
        """The stream's entries after a version as they were appended, each with its version, for a copy."""

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        """Put tombstones after those that are there, of campaigns deleted from a store that this one is a copy of.

        Nothing is removed. Raises RollbookError when the store cannot be written.
        """


def hash_at(store: EventStore, stream: str, number: int) -> str:
    """The hash that an entry carries in a store; "" if there is no such entry or it has none."""
    stored = next(iter(store.read(stream, number - 1, number)), None) if number else None
    return hash_in(stored.data) if stored else ""


def restored() -> StaleHistory:
    """The error for a store that was replaced by a backup while it was open here."""
    return StaleHistory(
        "A backup was restored over this store meanwhile. Nothing was recorded; begin again, with what is in it now."
    )
