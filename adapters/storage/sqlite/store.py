"""Campaigns in one SQLite file: durable, shared by several processes, safe against being killed at any moment."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rollbook.adapters.local_files import sqlite_faults
from rollbook.adapters.storage.conflict import moved_on, settle, stand, taken
from rollbook.adapters.storage.entry_reading import AS_ENTRY, ENTRY, PAGE, EntryTables, Row
from rollbook.adapters.storage.sqlite import recorder
from rollbook.adapters.storage.sqlite.copy_and_replace import SOURCE_AT_FAULT, copy_pages
from rollbook.adapters.storage.sqlite.datastore import CommitFailed
from rollbook.adapters.storage.sqlite.kinds import ALL_SETS, READ_KINDS, sets_with
from rollbook.adapters.storage.sqlite.opening import open_recorder
from rollbook.adapters.storage.sqlite.removals import NO_REMOVALS
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import (
    START,
    Cursor,
    NewEntry,
    StoredChange,
    StoredEntry,
    StoreState,
    StreamEnd,
    Tombstone,
)


class SQLiteEventStore(EntryTables):
    """The event store in the file at ``path``, as the port has it (``rollbook.domain.history.event_store``).

    ``create=False`` raises NotFound if there is no such store; otherwise the file and its folders are made. A
    writer waits for another one at most ``timeout`` seconds. Several threads may share one store.

    Every method raises RollbookError, and nothing else, if the file cannot be used, and HistoryDamaged if SQLite finds
    it damaged.
    """

    lasts = True
    CAMPAIGNS = recorder.CAMPAIGNS
    READ_KINDS = READ_KINDS

    def __init__(self, path: Path | str, *, create: bool = True, timeout: float = 5.0) -> None:
        self.path = Path(path)
        self._patience = timeout
        with sqlite_faults.in_words(self.path, "it was not opened"):
            self._opened = open_recorder(self.path, create, timeout)
        self._is_adrift = False

    @property
    def file(self) -> str:
        return str(self.path.absolute())

    @property
    def place(self) -> Path:
        """The path of the store."""
        return self.path

    @property
    def _recorder(self) -> recorder.CampaignRecorder:
        """The recorder; after a failed commit, a new one, as soon as the file can be opened again."""
        if self._is_adrift:
            before, self._opened = self._opened, open_recorder(self.path, create=False, patience=self._patience)
            self._opened.seen_identity = before.seen_identity
            self._is_adrift = False
        return self._opened

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> None:
        try:  # not ``in_words``: a generator a commit is a fortieth of its time
            head = self._recorder.append(stream, expected, entries)
        except CommitFailed as failure:
            self._find_out(failure, lambda: stand(self, stream, expected, entries))
            return
        except sqlite_faults.FAILURES as failure:
            raise sqlite_faults.sentence(self.path, failure, "nothing was recorded") from failure
        if head != expected:
            settle(self, stream, expected, head, entries)

    def redact(
        self, stream: StreamId, expected: int, entries: Sequence[NewEntry], instead: Mapping[int, bytes]
    ) -> None:
        try:
            with sqlite_faults.in_words(self.path, "nothing was recorded and nothing removed"):
                head = self._recorder.redact(stream, expected, entries, instead)
        except CommitFailed as failure:
            self._find_out(failure, lambda: stand(self, stream, expected, entries))
            head = expected
        if head != expected:
            settle(self, stream, expected, head, entries)
        self.wipe()

    def delete(self, streams: Sequence[StreamId], stone: Tombstone) -> None:
        try:
            with sqlite_faults.in_words(self.path, "nothing was removed"):
                head = self._recorder.delete(streams, stone)
        except CommitFailed as failure:
            self._find_out(failure, lambda: stone in self.tombstones())
            head = stone.entries
        if head != stone.entries:
            raise moved_on(stone.campaign, head, stone.entries)
        self.wipe()

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        try:
            with sqlite_faults.in_words(self.path, "nothing was recorded"):
                self._recorder.keep_tombstones(stones)
        except CommitFailed as failure:
            self._find_out(failure, lambda: {*stones} <= {*self.tombstones()})

    def keep_picture(self, campaign: StreamId, digest: str, data: bytes) -> None:
        try:
            with sqlite_faults.in_words(self.path, "the picture was not kept"):
                self._recorder.keep_picture(campaign, digest, data)
        except CommitFailed as failure:
            self._find_out(failure, lambda: self.picture(campaign, digest) == data)

    def drop_pictures(self, campaign: StreamId, digests: Sequence[str]) -> None:
        try:
            with sqlite_faults.in_words(self.path, "nothing was removed"):
                self._recorder.drop_pictures(campaign, digests)
        except CommitFailed as failure:
            self._find_out(failure, lambda: set(self.pictures(campaign)).isdisjoint(digests))

    def _picture_rows(self, statement: str, *of: type, **named: object) -> list[Row]:
        with sqlite_faults.in_words(self.path, "it could not be read"):
            has_any = self._recorder.has_pictures()
        return self._rows(statement, *of, **named) if has_any else []

    def wipe(self) -> None:
        outcome = "the removal is recorded, but the files still hold what was removed"
        try:
            with sqlite_faults.in_words(self.path, outcome):
                wiped = self._recorder.wipe()
        except CommitFailed as failure:
            raise sqlite_faults.sentence(self.path, failure.__cause__ or failure, outcome) from failure
        if not wiped:
            raise RollbookError(
                f"It is removed, but another program is reading {self.path}, so the log beside it still holds the words. "
                f"Close that program and run rollbook once more."
            )

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> None:
        try:
            with sqlite_faults.in_words(self.path, "nothing was recorded"):
                is_new = self._recorder.begin(stream, marker, entries)
        except CommitFailed as failure:
            self._find_out(failure, lambda: self.marker(stream) == marker and stand(self, stream, 0, entries))
            return
        if not is_new:
            raise taken(stream)

    def _find_out(self, failure: CommitFailed, is_recorded: Callable[[], bool]) -> None:
        """Find out what counts after the disk failed at a commit: reopen the file and look. Returns if all is recorded.

        Once the log beside the file is emptied into it, entries that are there stay, and others never appear.
        Raises RollbookError if nothing was recorded, and OutcomeUnknown if it cannot be found out.
        """
        cause = failure.__cause__ or failure
        try:
            with suppress(*sqlite_faults.FAILURES):
                self._opened.datastore.close()
            self._is_adrift = True
            with sqlite_faults.in_words(self.path, "it was not opened again"):
                is_settled = self._recorder.empty_log()
            is_there = is_recorded()
        except RollbookError:
            raise sqlite_faults.unknown(self.path, cause) from failure
        if not is_settled:
            raise sqlite_faults.unknown(self.path, cause) from failure
        if not is_there:
            raise sqlite_faults.not_recorded(self.path, cause) from failure

    def _wanted(self, kinds: Sequence[str]) -> object:
        sets = sets_with(self._rows(ALL_SETS, int, str), kinds)
        return json.dumps(sets) if sets else None

    def changes(self, after: Cursor = START) -> Iterator[StoredChange]:
        at, last = int(after or 0), int(self.last_position() or 0)
        while at < last:
            rows = self._rows(recorder.CHANGES, int, str, *ENTRY, after=at, until=last, page=PAGE)
            for position, stream, *entry in rows:
                yield StoredChange(Cursor(str(position)), stream, AS_ENTRY(StoredEntry, tuple(entry)))
            at = rows[-1][0] if rows else last

    def state(self, cursor: Cursor = START) -> StoreState:
        end = (str, int, bytes)
        ((identity, removed, last, *ends),) = self._rows(
            recorder.STATE, str, int, int, *end, *end, after=int(cursor or 0)
        )
        return StoreState(
            identity, removed, Cursor(str(last)) if last else START, self._end(*ends[:3]), self._end(*ends[3:])
        )

    def count(self, after: Cursor = START) -> int:
        return int(self.last_position() or 0) - int(after or 0)

    def ends(self, after: Cursor = START) -> Iterator[StreamEnd]:
        statement, since = (recorder.ENDS, {"after": int(after)}) if after else (recorder.ALL_ENDS, {})
        rows = self._rows(statement, str, int, bytes, **since)
        return (StreamEnd(stream, version, hash_in(end)) for stream, version, end in rows)

    def is_set_back_since(self, cursor: Cursor) -> bool:  # noqa: ARG002 - ``restore`` makes it another store
        return False

    def identity(self) -> str:
        with sqlite_faults.in_words(self.path, "it could not be read"):
            return self._recorder.identity()

    def copy_to(self, target: Path) -> None:
        """Copy the whole store, as it is at one moment, into a file that no other program uses."""
        try:
            with self._recorder.datastore.get_connection(commit=False) as source:
                copy_pages(source.cursor().sqlite_cursor.connection, target)
        except sqlite_faults.FAILURES as failure:
            at_fault = self.path if sqlite_faults.result_code(failure) in SOURCE_AT_FAULT else target
            raise sqlite_faults.sentence(at_fault, failure, "nothing was copied") from failure

    def close(self) -> None:
        with sqlite_faults.in_words(self.path, "it was not closed properly"):
            self._opened.datastore.close()

    def _rows(self, statement: str, *of: type, **named: object) -> list[Row]:
        with sqlite_faults.in_words(self.path, "it could not be read"):
            if "{removals}" in statement and not self._recorder.has_removals():
                statement = statement.replace("{removals}", NO_REMOVALS)
            rows = self._recorder.rows(statement, **named)
            sqlite_faults.check_types(rows, of)
        return rows
