"""A campaign out of an exported file: verified while it is read, and taken in whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import msgspec

from adapters.book import Book
from adapters.exports.files import checked_line
from adapters.exports.jsonl import FORMAT
from adapters.exports.shown import FORMAT as SHOWN
from adapters.storage.codec import CODEC
from domain.actions import slug
from domain.audit import ChainCheck, batches
from domain.errors import HistoryDamaged, NotFound, RollbookError
from domain.event_store import StoredEvent


class _Header(msgspec.Struct):
    format: str
    campaign: str
    entries: int
    head: str
    events: int = 0


class _Line(msgspec.Struct):
    version: int
    name: str
    data: msgspec.Raw


_CHECK = b', "check": "0123456789abcdef"}\n'
_HEADER = msgspec.json.Decoder(_Header)
_LINE = msgspec.json.Decoder(_Line)


@attrs.frozen(kw_only=True)
class ImportReport:
    """What came in; ``head`` is the hash of the last entry, ``new`` says whether it was not here before."""

    campaign: str
    entries: int
    events: int
    head: str
    new: bool = True


def import_campaign(book: Book, path: Path, name: str = "") -> ImportReport:
    """Take in an exported campaign, under another ``name`` if one is given.

    Raises NotFound without the file, HistoryDamaged where the chain does not hold, RollbookError for a file that is no
    export or a name that is taken. Then nothing was taken in.
    """
    try:
        with path.open("rb") as file:
            numbered = enumerate(file, 1)
            header = _header(path, next(numbered, (1, b""))[1])
            events = _verified(path, header, numbered)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except OSError as error:
        raise RollbookError(f"{path} cannot be read: {error.strerror}.") from None
    campaign = slug(name) if name else header.campaign
    report = ImportReport(campaign=campaign, entries=header.entries, events=header.events, head=header.head)
    if _is_here(book, campaign, events):
        return attrs.evolve(report, new=False)
    if campaign != slug(campaign) or not campaign:
        raise RollbookError(f"{path} is for a campaign {campaign!r}, which is no name. Give it one with --as.")
    book.free(campaign)
    book.store.append(campaign, 0, [(event.name, event.data) for event in events])
    return report


def _header(path: Path, line: bytes) -> _Header:
    try:
        header = _HEADER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise RollbookError(
            f"{path} is not an exported campaign: its first line is no header. Nothing was imported."
        ) from None
    if header.format == SHOWN:
        raise RollbookError(
            f"{path} was made for one reader and leaves out what others may see, so it cannot be played on. "
            f"Check it with verify_rollbook.py, or import a whole export. Nothing was imported."
        )
    if header.format != FORMAT:
        raise RollbookError(f"{path} is a {header.format!r}, and this rollbook reads {FORMAT!r}. Nothing was imported.")
    if checked_line(line[: -len(_CHECK)] + b"}") != line:
        raise HistoryDamaged(f"{path}, line 1 was changed. Nothing was imported.")
    return header


def _verified(path: Path, header: _Header, numbered: Iterator[tuple[int, bytes]]) -> list[StoredEvent]:
    check = ChainCheck(CODEC.decode)
    events: list[StoredEvent] = []
    for batch in batches(_events(path, numbered), CODEC.headers.__contains__):
        check.follow(batch)
        events.extend(batch)
        for found in check.failed:
            line = batch[0].version + 1
            raise HistoryDamaged(f"{path}, line {line}, entry {found.entry}: {found.text}. Nothing was imported.")
    check.finish()
    for found in check.failed:
        raise HistoryDamaged(f"{path}, entry {found.entry}: {found.text}. Nothing was imported.")
    if (len(events), check.number, check.parent) != (header.events, header.entries, header.head):
        raise HistoryDamaged(
            f"{path} promises {header.entries} entries with {header.events} events and holds {check.number} with "
            f"{len(events)}: it was cut off or changed. Nothing was imported."
        )
    return events


def _events(path: Path, numbered: Iterator[tuple[int, bytes]]) -> Iterator[StoredEvent]:
    for number, line in numbered:
        try:
            read = _LINE.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise HistoryDamaged(f"{path}, line {number} cannot be read. Nothing was imported.") from None
        event = StoredEvent(read.version, read.name, bytes(read.data))
        if line != b'{"version":%d,"name":%s,"data":%s}\n' % (
            event.version,
            msgspec.json.encode(event.name),
            event.data,
        ):
            raise HistoryDamaged(f"{path}, line {number} was changed by another program. Nothing was imported.")
        yield event


def _is_here(book: Book, campaign: str, events: list[StoredEvent]) -> bool:
    """Whether exactly this campaign is in the store already."""
    return book.store.head(campaign) == len(events) and all(
        mine == theirs for mine, theirs in zip(book.store.read(campaign), events, strict=True)
    )
