"""A campaign out of an exported file: verified while it is read, and taken in whole or not at all."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

import attrs
import msgspec

from adapters.book import Book
from adapters.commands import command_key
from adapters.exports.files import checked_line
from adapters.exports.jsonl import FORMAT, line_of
from adapters.exports.shown import FORMAT as SHOWN
from adapters.imports.bounded import check_bounded
from adapters.sealing import kinds_of
from adapters.storage.codec import CODEC
from domain.actions import slug
from domain.audit.chain_audit import ChainCheck
from domain.chain import kind_of
from domain.errors import HistoryDamaged, NotFound, RollbookError
from domain.event_store import NewEntry, StoredEntry
from domain.identifiers import CampaignId, EntryNumber


class _FileHeader(msgspec.Struct):
    format: str
    campaign: CampaignId
    entries: int
    head: str
    events: int = 0


class _EntryLine(msgspec.Struct):
    entry: EntryNumber
    lines: list[msgspec.Raw]


Taken = tuple[StoredEntry, NewEntry]

_CHECK = b', "check": "0123456789abcdef"}\n'
LONGEST_HEADER = 65_536
_EARLIER = b'{"version":'
_HEADER = msgspec.json.Decoder(_FileHeader)
_LINE = msgspec.json.Decoder(_EntryLine)


@attrs.frozen(kw_only=True)
class ImportReport:
    """What came in; ``head`` is the hash of the last entry, ``new`` says whether it was not here before."""

    campaign: CampaignId
    entries: int
    events: int
    head: str
    new: bool = True


def import_campaign(book: Book, path: Path, name: str = "") -> ImportReport:
    """Take in an exported campaign, under another ``name`` if one is given.

    Raises NotFound without the file, HistoryDamaged where the chain does not hold, RollbookError for a file that is no
    export or a name that is taken. Then nothing was taken in.
    """
    check_bounded(path)
    try:
        with path.open("rb") as file:
            numbered = enumerate(file, 1)
            header = _header(path, next(numbered, (1, b""))[1])
            taken = _verified(path, header, numbered)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except OSError as error:
        raise RollbookError(f"{path} cannot be read: {error.strerror}.") from None
    campaign = slug(name) if name else header.campaign
    report = ImportReport(campaign=campaign, entries=header.entries, events=header.events, head=header.head)
    if _is_here(book, campaign, taken):
        return attrs.evolve(report, new=False)
    if campaign != slug(campaign) or not campaign:
        raise RollbookError(f"{path} is for a campaign {campaign!r}, which is not a name. Give it one with --as.")
    book.free(campaign)
    book.store.append(campaign, 0, [new for _, new in taken])
    return report


def is_export(path: Path) -> bool:
    """Whether a file begins as one that rollbook exported."""
    try:
        with path.open("rb") as file:
            return _HEADER.decode(file.readline(LONGEST_HEADER)).format in (FORMAT, SHOWN)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False


def _header(path: Path, line: bytes) -> _FileHeader:
    try:
        header = _HEADER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise RollbookError(f"{path} is not an exported campaign: {_what_it_is(line)}. Nothing was imported.") from None
    if header.format == SHOWN:
        raise RollbookError(
            f"{path} was made for one reader and leaves out what others may see, so it cannot be played on. To check it: "
            f"python3 verify_rollbook.py {quote(str(path))}. To play on, import a whole export of the GM's. Nothing was imported."
        )
    if header.format != FORMAT:
        raise RollbookError(f"{path} is a {header.format!r}, and this rollbook reads {FORMAT!r}. Nothing was imported.")
    if checked_line(line[: -len(_CHECK)] + b"}") != line:
        raise HistoryDamaged(f"{path}, line 1 was changed. Nothing was imported.")
    return header


def _what_it_is(line: bytes) -> str:
    """What a file that is no export seems to be, by its beginning, and what to do with it."""
    if line.startswith(b"\x1f\x8b"):
        return "it is compressed. Unpack it first (gunzip)"
    if line.startswith(b"SQLite format 3"):
        return "it is a store or a backup of one. Put it back with: rollbook restore FILE"
    return "its first line is not a header" if line else "it is empty"


def _verified(path: Path, header: _FileHeader, numbered: Iterator[tuple[int, bytes]]) -> list[Taken]:
    check = ChainCheck(CODEC.read)
    taken: list[Taken] = []
    for number, stored in _entries(path, numbered):
        entry = check.follow(stored)
        for found in check.failed:
            raise HistoryDamaged(
                f"{path}, line {number}, entry @{found.entry}: {found.text}. Nothing was imported.", entry=found.entry
            )
        assert entry is not None
        taken.append((stored, NewEntry(stored.kind, stored.data, kinds_of(entry.events), command_key(entry))))
    check.finish()
    for found in check.failed:
        raise HistoryDamaged(f"{path}, entry @{found.entry}: {found.text}. Nothing was imported.", entry=found.entry)
    if (check.events, check.number, check.hash) != (header.events, header.entries, header.head):
        raise HistoryDamaged(
            f"{path} promises {header.entries} entries with {header.events} events and holds {check.number} with "
            f"{check.events}: it was cut off or changed. Nothing was imported."
        )
    return taken


def _entries(path: Path, numbered: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, StoredEntry]]:
    for number, line in numbered:
        try:
            read = _LINE.decode(line)
            data = b"\n".join(map(bytes, read.lines))
            stored = StoredEntry(read.entry, kind_of(data), data)
        except (msgspec.MsgspecError, ValueError):
            if line.startswith(_EARLIER):
                raise RollbookError(
                    f"{path} was written by an earlier rollbook, in a shape that this one does not read. Nothing was imported."
                ) from None
            raise HistoryDamaged(f"{path}, line {number} cannot be read. Nothing was imported.") from None
        if line != line_of(stored):
            raise HistoryDamaged(f"{path}, line {number} was changed by another program. Nothing was imported.")
        yield number, stored


def _is_here(book: Book, campaign: CampaignId, taken: list[Taken]) -> bool:
    """Whether exactly this campaign is in the store already."""
    return book.store.head(campaign) == len(taken) and all(
        mine == theirs for mine, (theirs, _) in zip(book.store.read(campaign), taken, strict=True)
    )
