"""Import of a campaign from an exported file: verified while it is read, and imported whole or not at all."""

from __future__ import annotations

import sys
import zipfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from os import SEEK_END
from pathlib import Path
from shlex import quote
from tempfile import SpooledTemporaryFile
from typing import Self, overload

import attrs
import msgspec

from rollbook.adapters.exports.files import checked_line
from rollbook.adapters.exports.reader_file import FORMAT as SHOWN
from rollbook.adapters.exports.whole_file import FORMAT, line_of
from rollbook.adapters.imports.bounded import MIB, OUTCOME, Bounds, Source, opened
from rollbook.application.after_commit import committed
from rollbook.application.book import Book
from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.idempotency_keys import command_key
from rollbook.application.history.sealing import kinds_of
from rollbook.application.history.verified_ranges import VerifiedEntry
from rollbook.domain.audit.chain_audit import ChainCheck
from rollbook.domain.base.describing import DESCRIBING
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.base.identifiers import CampaignId, EntryNumber
from rollbook.domain.base.progress import gc_paused, told
from rollbook.domain.base.records import Record
from rollbook.domain.events import Event, PictureShown
from rollbook.domain.history.chain import kind_of
from rollbook.domain.history.event_store import NewEntry, StoredEntry
from rollbook.domain.state.lookup import slug


class _FileHeader(msgspec.Struct):
    format: str
    campaign: CampaignId
    entries: int
    head: str
    events: int = 0


class _PictureLine(msgspec.Struct):
    picture: str
    data: bytes


class _EntryLine(msgspec.Struct):
    entry: EntryNumber
    lines: list[msgspec.Raw]


BOUNDS = Bounds(size=1024 * MIB)
"""Three times the size of ten years with a session a week of 400 actions, and more in most games."""
IN_MEMORY = 8 * MIB
"""Bytes: the verified entries of larger files wait on disk until all are verified."""

_FAULTS = (msgspec.MsgspecError, ValueError, RecursionError)
_CHECK = b', "check": "0123456789abcdef"}\n'
LONGEST_HEADER = 65_536
_EARLIER = b'{"version":'
with DESCRIBING:
    _HEADER = msgspec.json.Decoder(_FileHeader)
    _LINE = msgspec.json.Decoder(_EntryLine)
    _PICTURE = msgspec.json.Decoder(_PictureLine)
_BEGINS_PICTURE = b'{"picture":'


@attrs.frozen(kw_only=True)
class ImportReport(Record):
    """The report of an import; ``head`` is the hash of the last entry; ``new``: the campaign was not here before."""

    campaign: CampaignId
    entries: int
    events: int
    head: str
    new: bool = True

    @property
    def place(self) -> VerifiedEntry:
        """The last imported entry: everything up to it was verified."""
        return VerifiedEntry(self.entries, self.head)


def import_campaign(book: Book, path: Path, name: str = "") -> ImportReport:
    """Import an exported campaign, under another ``name`` if one is given.

    Raises NotFound without the file, HistoryDamaged where the chain does not hold, RollbookError for a file that is no
    export or a name that is taken. Then nothing was imported.
    """
    with _Verified() as taken:
        with opened(path, OUTCOME, BOUNDS) as source:
            header = _header(path, source.header(LONGEST_HEADER))
            try:
                with gc_paused():
                    _verify(source, header, taken)
            except OSError as fault:
                raise RollbookError(f"There is no room to check {path} in ({fault.strerror}). {OUTCOME}") from None
        return _take_in(book, path, header, taken, name)


def _take_in(book: Book, path: Path, header: _FileHeader, taken: _Verified, name: str) -> ImportReport:
    campaign = slug(name) if name else header.campaign
    report = ImportReport(campaign=campaign, entries=header.entries, events=header.events, head=header.head)
    if _is_here(book, campaign, taken):
        return attrs.evolve(report, new=False)
    if campaign != slug(campaign) or not campaign:
        raise RollbookError(f"{path} is for a campaign {campaign!r}, which is not a name. Give it one with --as.")
    book.free(campaign)
    for digest, data in taken.pictures():
        book.store.keep_picture(campaign, digest, data)
    book.store.append(campaign, 0, taken)
    committed()
    return report


def is_export(path: Path) -> bool:
    """True if a file begins as one that rollbook exported."""
    try:
        with opened(path, OUTCOME, BOUNDS) as source:
            return _HEADER.decode(source.header(LONGEST_HEADER)).format in (FORMAT, SHOWN)
    except (RollbookError, *_FAULTS):
        return False


def _header(path: Path, line: bytes) -> _FileHeader:
    try:
        header = _HEADER.decode(line)
    except _FAULTS:
        raise RollbookError(f"{path} is not an exported campaign: {_what_it_is(line)}. {OUTCOME}") from None
    if header.format == SHOWN:
        raise RollbookError(
            f"{path} was made for one reader and leaves out what others may see, so it cannot be played on. To check it: "
            f"python3 verify_rollbook.py {quote(str(path))}. To play on, import a whole export of the GM's. {OUTCOME}"
        )
    if header.format != FORMAT:
        raise RollbookError(f"{path} is a {header.format!r}, and this rollbook reads {FORMAT!r}. {OUTCOME}")
    if checked_line(line[: -len(_CHECK)] + b"}") != line:
        raise HistoryDamaged(f"{path}, line 1 was changed. {OUTCOME}")
    return header


def _what_it_is(line: bytes) -> str:
    """A guess at a file that is no export, by its beginning, with advice."""
    if line.startswith(b"\x1f\x8b"):
        return "it is compressed. Unpack it first (gunzip)"
    if line.startswith(b"SQLite format 3"):
        return "it is a store or a backup of one. Put it back with: rollbook restore FILE"
    return "its first line is not a header" if line else "it is empty"


class _Verified(Sequence[NewEntry]):
    """The entries of a file, ready for a store. Above IN_MEMORY their bytes are in this process's temporary file."""

    def __init__(self) -> None:
        self._bytes = SpooledTemporaryFile[bytes](IN_MEMORY)
        self._ends = array("Q", [0])
        self._said: list[tuple[str, tuple[str, ...], str]] = []
        self._shown: set[str] = set()
        self._pictures: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bytes.close()

    def add(self, stored: StoredEntry, kinds: tuple[str, ...], command: str) -> None:
        self._bytes.write(stored.data)
        self._ends.append(self._ends[-1] + len(stored.data))
        self._said.append((sys.intern(stored.kind), kinds, command))

    def note_shown(self, events: Iterable[Event]) -> None:
        """Note the pictures that an entry has shown."""
        self._shown.update(event.digest for event in events if isinstance(event, PictureShown) and event.digest)

    def add_picture(self, digest: str, data: bytes) -> str:
        """Keep a picture until it is stored. Returns what is wrong with it, "" if nothing is."""
        if sha256(data).hexdigest() != digest:
            return "the picture is not the one that was shown"
        if digest not in self._shown or digest in self._pictures:
            return "the picture is one that no entry shows, or is here twice"
        begins = self._bytes.seek(0, SEEK_END)
        self._bytes.write(data)
        self._pictures[digest] = begins, len(data)
        return ""

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The pictures of the file, each with its digest."""
        for digest, (begins, length) in self._pictures.items():
            self._bytes.seek(begins)
            yield digest, self._bytes.read(length)

    def __len__(self) -> int:
        return len(self._said)

    @overload
    def __getitem__(self, at: int) -> NewEntry: ...

    @overload
    def __getitem__(self, at: slice) -> list[NewEntry]: ...

    def __getitem__(self, at: int | slice) -> NewEntry | list[NewEntry]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        kind, kinds, command = self._said[at]
        self._bytes.seek(self._ends[at])
        return NewEntry(kind, self._bytes.read(self._ends[at + 1] - self._ends[at]), kinds, command)


def _verify(source: Source, header: _FileHeader, taken: _Verified) -> None:
    """Read and keep all entries. Raises HistoryDamaged at the first that does not follow the one before."""
    path, check = source.path, ChainCheck(CODEC.read)
    for number, stored in told(_entries(source, taken), lambda: header.entries):
        entry = check.follow(stored)
        for found in check.failed:
            raise HistoryDamaged(
                f"{path}, line {number}, entry @{found.entry}: {found.text}. {OUTCOME}", entry=found.entry
            )
        assert entry is not None
        taken.add(stored, kinds_of(entry.events), command_key(entry))
        taken.note_shown(entry.events)
    check.finish()
    for found in check.failed:
        raise HistoryDamaged(f"{path}, entry @{found.entry}: {found.text}. {OUTCOME}", entry=found.entry)
    if (check.events, check.number, check.hash) != (header.events, header.entries, header.head):
        raise HistoryDamaged(
            f"{path} promises {header.entries} entries with {header.events} events and holds {check.number} with "
            f"{check.events}: it was cut off or changed. {OUTCOME}"
        )


def _entries(source: Source, taken: _Verified) -> Iterator[tuple[int, StoredEntry]]:
    """The entries of a file; the pictures after them are kept in ``taken``."""
    path = source.path
    for number, line in source.lines():
        if line.startswith(_BEGINS_PICTURE):
            if fault := _picture(line, taken):
                raise HistoryDamaged(f"{path}, line {number}: {fault}. {OUTCOME}")
            continue
        try:
            read = _LINE.decode(line)
            data = b"\n".join(map(bytes, read.lines))
            stored = StoredEntry(read.entry, kind_of(data), data)
        except _FAULTS:
            if line.startswith(_EARLIER):
                raise RollbookError(
                    f"{path} was written by an earlier rollbook, in a shape that this one does not read. {OUTCOME}"
                ) from None
            raise HistoryDamaged(f"{path}, line {number} cannot be read. {OUTCOME}") from None
        if line != line_of(stored):
            raise HistoryDamaged(f"{path}, line {number} was changed by another program. {OUTCOME}")
        yield number, stored


def _picture(line: bytes, taken: _Verified) -> str:
    """Keep the picture of a line. Returns what is wrong with it, "" if nothing is."""
    try:
        read = _PICTURE.decode(line)
    except _FAULTS:
        return "it cannot be read"
    return taken.add_picture(read.picture, read.data)


def _is_here(book: Book, campaign: CampaignId, taken: _Verified) -> bool:
    return book.store.head(campaign) == len(taken) and all(
        (mine.kind, mine.data) == (theirs.kind, theirs.data)
        for mine, theirs in zip(book.store.read(campaign), taken, strict=True)
    )


MOST_FILES = 1_000
PIECE = 1024 * 1024


def is_packed(path: Path) -> bool:
    """True if a file is a zip archive."""
    return zipfile.is_zipfile(path)


def unpacked(path: Path) -> Path:
    """Unpack the exported campaign of an archive into a file of its own beside it.

    No name in the archive is used, and no more is unpacked than an export may have. Raises RollbookError for an archive
    without an export.
    """
    target = path.with_name(f"{path.name}.jsonl")
    try:
        with zipfile.ZipFile(path) as archive:
            members = [each for each in archive.infolist()[:MOST_FILES] if each.filename.endswith(".jsonl")]
            for member in members:
                _copy(archive, member, target)
                if is_export(target):
                    return target
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as fault:
        raise RollbookError(f"{path} cannot be unpacked ({fault}). {OUTCOME}") from None
    raise RollbookError(f"{path} is an archive in which there is no exported campaign. {OUTCOME}")


def _copy(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    size = 0
    with archive.open(member) as source, target.open("wb") as file:
        while piece := source.read(PIECE):
            size += len(piece)
            if size > BOUNDS.size:
                raise RollbookError(f"{target} unpacks to more than {BOUNDS.size // PIECE} MiB. {OUTCOME}")
            file.write(piece)
