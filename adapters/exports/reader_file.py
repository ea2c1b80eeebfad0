"""A campaign as one reader may see it, or as much of it as fits a filter: in a file that still verifies.

What the reader may not see is not in the file. Each entry that the table saw names the one before it that the table saw, and a
digest replaces its private half, so nothing shows where something was left out, nor how much. Before the first secret
nothing is left out, and each entry follows the one before it.

An entry that was revealed later is tied into the chain: between it and the next entry that the table saw every entry is in the
file, at least as digests, so that its place can be checked.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path

import attrs

from rollbook.adapters.exports.files import IS_EXPORT, check_free, checked_line, write_whole
from rollbook.adapters.exports.whole_file import ExportReport, line_of, picture_lines, summary
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.visibility.sight import Sight
from rollbook.domain.base.progress import told
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import Event, PictureShown
from rollbook.domain.history.chain import FIRST_EVENT, PRIVATE, PUBLIC, body_of, digest, halves, lines_of
from rollbook.domain.history.event_store import StoredEntry

FORMAT = "rollbook/shown/1"

TABLE = ""
"""The table as a reader, who sees what is public."""


@attrs.frozen
class Reader(Record):
    """Reader of a file. ``seat`` is a seat's name, ``TABLE``, or None for the GM, who may see everything.

    ``wanted`` says which entries the GM's file is about; digests stand in for the others.
    """

    seat: str | None = None
    wanted: Callable[[RecordedEntry], bool] = lambda _: True

    @property
    def called(self) -> str:
        """The name of the reader in the file."""
        return "gm" if self.seat is None else f"player:{self.seat}" if self.seat else "table"


def export_shown(log: EntryLog, path: Path, reader: Reader, *, overwrite: bool = False) -> ExportReport:
    """Write what a reader may see to a file, checked against the chain on the way out.

    The report counts only what the file holds. Raises what ``export_campaign`` raises.
    """
    check_free(path, IS_EXPORT, overwrite=overwrite)
    shown = shown_file(log, path, reader)
    pictures = picture_lines(log.store, log.campaign, shown.pictures)
    written = write_whole(path, chain(shown.lines, pictures), overwrite=overwrite)
    return attrs.evolve(shown.report, verifier=written)


@attrs.frozen(kw_only=True)
class ShownFile(Record):
    """A reader's file, line by line, and the hashes of the entries on the lines after the first.

    ``pictures`` are the digests of those that the reader may see.
    """

    report: ExportReport
    lines: list[bytes]
    hashes: list[str]
    pictures: list[str]


def shown_file(log: EntryLog, path: Path, reader: Reader) -> ShownFile:
    """Make a reader's file, checked against the chain. Raises what ``export_campaign`` raises."""
    whole = summary(log, path)
    many = whole.entries
    stored = told(log.stored(until=many), lambda: 2 * many, before=many)
    seat = reader.seat
    written = _for_gm(log, stored, reader.wanted) if seat is None else _for_seat(log, stored, seat)
    said = {"campaign": log.campaign, "for": reader.called, "entries": written.entries, "head": written.head}
    header = checked_line(json.dumps({"format": FORMAT, **said}).encode())
    report = attrs.evolve(whole, entries=written.entries, events=written.events, head=written.head)
    return ShownFile(report=report, lines=[header, *written.lines], hashes=written.hashes, pictures=written.pictures)


@attrs.define
class _Written:
    """The lines written so far after the header, the hashes of their entries, and counts of what they show."""

    lines: list[bytes] = attrs.field(factory=list)
    hashes: list[str] = attrs.field(factory=list)
    pictures: list[str] = attrs.field(factory=list)
    entries: int = 0
    events: int = 0
    head: str = ""

    def show(self, entry: RecordedEntry, line: bytes, events: Sequence[Event]) -> None:
        """Add an entry that the reader sees, with those of its events that they see."""
        self.lines.append(line)
        self.hashes.append(entry.hash)
        self.pictures += [event.digest for event in events if isinstance(event, PictureShown) and event.digest]
        self.entries += 1
        self.events += len(events)

    def leave_out(self, entry: RecordedEntry, data: bytes) -> None:
        """Add only the digests of an entry."""
        both = halves(body_of(data), entry.hidden_events)
        said = {
            "is_public": not entry.visibility,
            "previous_public_hash": entry.previous_public_hash,
            "private": both.private.hex(),
            "public": both.public.hex(),
        }
        self.lines.append(_json(said) + b"\n")
        self.hashes.append(entry.hash)


def _for_gm(log: EntryLog, stored: Iterable[StoredEntry], wanted: Callable[[RecordedEntry], bool]) -> _Written:
    """Write the entries that fit a filter whole, and the rest as digests."""
    written = _Written()
    for each in stored:
        entry = log.read(each)
        written.head = entry.hash
        if wanted(entry):
            written.show(entry, line_of(each), entry.events)
        else:
            written.leave_out(entry, each.data)
    return written


def _for_seat(log: EntryLog, stored: Iterable[StoredEntry], seat: str) -> _Written:
    """Write what a seat or the table may see. ``is_tied``: the next entry has to show that it follows the last one."""
    written, history, is_tied = _Written(), log.history(), False
    sight = Sight(log, history.state, seat, history.head)
    for each in stored:
        entry = log.read(each)
        is_revealed = sight.is_revealed(entry)
        if sight.sees(entry):
            written.show(entry, *_shown(entry, each.data, is_revealed=is_revealed, is_tied=is_tied))
        elif is_tied:
            written.leave_out(entry, each.data)
        if not entry.visibility:
            written.head = entry.hash
        is_tied = bool(entry.visibility) and (is_tied or is_revealed)
    return written


def _shown(entry: RecordedEntry, data: bytes, *, is_revealed: bool, is_tied: bool) -> tuple[bytes, Sequence[Event]]:
    """The line of an entry with what replaces its private half, and the events that are in it."""
    lines = lines_of(data)
    events = lines[FIRST_EVENT:-1]
    hidden = [place for place in entry.hidden_events if place >= 0]
    happened: Sequence[Event] = entry.events
    said: dict[str, object]
    if hidden and is_revealed:
        envelope = digest(lines[PRIVATE]).hex()
        said = {"hidden_events": hidden, "previous_hash": entry.previous_hash, "private_envelope": envelope}
    else:
        events = [line for place, line in enumerate(events) if place not in hidden]
        happened = [event for place, event in enumerate(happened) if place not in hidden]
        both = halves(body_of(data), entry.hidden_events)
        is_first = is_tied or not entry.previous_public_hash
        said = {"private": both.private.hex()} if is_first else {"kept": both.kept(entry.previous_hash).hex()}
    if entry.visibility:
        said["hash"] = entry.hash
    return b"%s%s]}\n" % (_json({**said, "lines": []})[:-2], b",".join((lines[PUBLIC], *events))), happened


def _json(said: dict[str, object]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode()
