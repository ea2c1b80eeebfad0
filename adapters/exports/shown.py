"""A campaign as one reader may see it, or as much of it as fits a filter: in a file that still verifies.

What the reader may not see is not in the file. Each entry that the table saw names the one before it that the table saw, and a
digest replaces its private half, so nothing shows where something was left out, nor how much. Before the first secret
nothing is left out, and each entry follows the one before it.

An entry that was revealed later is tied into the chain: between it and the next entry that the table saw every entry is in the
file, at least as digests, so that its place can be checked.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import attrs

from rollbook.adapters.exports.files import check_free, checked_line, write_whole
from rollbook.adapters.exports.jsonl import ExportReport, line_of, summary
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.visibility.sight import Sight
from rollbook.domain.base.progress import told
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.chain import FIRST_EVENT, PRIVATE, PUBLIC, body_of, digest, halves, lines_of
from rollbook.domain.history.event_store import StoredEntry

FORMAT = "rollbook/shown/1"

TABLE = ""
"""The reader who sees what everybody sees."""


@attrs.frozen
class Reader(Record):
    """Whom a file is for. ``seat`` is a seat's name, ``TABLE``, or None for the GM, who may see everything.

    ``wanted`` says which entries the GM's file is about; digests stand in for the others.
    """

    seat: str | None = None
    wanted: Callable[[RecordedEntry], bool] = lambda _: True

    @property
    def called(self) -> str:
        """How the file says whom it is for."""
        return "gm" if self.seat is None else f"player:{self.seat}" if self.seat else "table"


def export_shown(log: EntryLog, path: Path, reader: Reader, *, overwrite: bool = False) -> ExportReport:
    """Write what a reader may see to a file, checked against the chain on the way out.

    The report counts only what the file holds. Raises what ``export_campaign`` raises.
    """
    check_free(path, overwrite=overwrite)
    shown = shown_file(log, path, reader)
    return attrs.evolve(shown.report, verifier=write_whole(path, shown.lines, overwrite=overwrite))


@attrs.frozen(kw_only=True)
class ShownFile(Record):
    """What a reader's file holds, line by line, and the hashes of the entries on the lines after the first."""

    report: ExportReport
    lines: list[bytes]
    hashes: list[str]


def shown_file(log: EntryLog, path: Path, reader: Reader) -> ShownFile:
    """What a reader may see as a file, checked against the chain. Raises what ``export_campaign`` raises."""
    whole = summary(log, path)
    many = whole.entries
    stored = told(log.stored(until=many), lambda: 2 * many, before=many)
    writer = _GMWriter(log, stored, reader.wanted) if reader.seat is None else _SeatWriter(log, stored, reader.seat)
    body = list(writer.lines())
    said = {"campaign": log.campaign, "for": reader.called, "entries": writer.entries, "head": writer.head}
    header = checked_line(json.dumps({"format": FORMAT, **said}).encode())
    report = attrs.evolve(whole, entries=writer.entries, events=writer.events, head=writer.head)
    return ShownFile(report=report, lines=[header, *body], hashes=writer.hashes)


class _GMWriter:
    """What fits a filter, whole; the rest as digests."""

    def __init__(self, log: EntryLog, stored: Iterable[StoredEntry], wanted: Callable[[RecordedEntry], bool]) -> None:
        self._log = log
        self._stored = stored
        self._wanted = wanted
        self.entries = self.events = 0
        self.head = ""
        self.hashes: list[str] = []

    def lines(self) -> Iterator[bytes]:
        """The lines after the header."""
        for stored in self._stored:
            entry = self._log.read(stored)
            self.head = entry.hash
            self.hashes.append(entry.hash)
            if self._wanted(entry):
                self.entries += 1
                self.events += len(entry.events)
                yield line_of(stored)
            else:
                yield _left_out(entry, stored.data)


class _SeatWriter:
    """What a seat or the table as such may see. ``_is_tied``: the next entry has to show that it follows the one before."""

    def __init__(self, log: EntryLog, stored: Iterable[StoredEntry], seat: str) -> None:
        self._log = log
        self._stored = stored
        history = log.history()
        self._sight = Sight(log, history.state, seat, history.head)
        self._is_tied = False
        self.entries = self.events = 0
        self.head = ""
        self.hashes: list[str] = []

    def lines(self) -> Iterator[bytes]:
        """The lines after the header."""
        for stored in self._stored:
            entry = self._log.read(stored)
            is_revealed = self._sight.is_revealed(entry)
            is_seen = self._sight.sees(entry)
            if is_seen or self._is_tied:
                self.hashes.append(entry.hash)
                data = stored.data
                yield self._shown(entry, data, is_revealed=is_revealed) if is_seen else _left_out(entry, data)
            if not entry.visibility:
                self.head = entry.hash
            self._is_tied = bool(entry.visibility) and (self._is_tied or is_revealed)

    def _shown(self, entry: RecordedEntry, data: bytes, *, is_revealed: bool) -> bytes:
        lines = lines_of(data)
        events = lines[FIRST_EVENT:-1]
        hidden = [place for place in entry.hidden_events if place >= 0]
        said: dict[str, object]
        if hidden and is_revealed:
            envelope = digest(lines[PRIVATE]).hex()
            said = {"hidden_events": hidden, "previous_hash": entry.previous_hash, "private_envelope": envelope}
        else:
            events = [line for place, line in enumerate(events) if place not in hidden]
            said = self._stand_in(entry, data)
        if entry.visibility:
            said["hash"] = entry.hash
        self.entries += 1
        self.events += len(events)
        return b"%s%s]}\n" % (_json({**said, "lines": []})[:-2], b",".join((lines[PUBLIC], *events)))

    def _stand_in(self, entry: RecordedEntry, data: bytes) -> dict[str, object]:
        """What replaces the private half."""
        both = halves(body_of(data), entry.hidden_events)
        if self._is_tied or not entry.previous_public_hash:
            return {"private": both.private.hex()}
        return {"kept": both.kept(entry.previous_hash).hex()}


def _left_out(entry: RecordedEntry, data: bytes) -> bytes:
    """The digests of an entry that is left out."""
    both = halves(body_of(data), entry.hidden_events)
    said = {
        "is_public": not entry.visibility,
        "previous_public_hash": entry.previous_public_hash,
        "private": both.private.hex(),
        "public": both.public.hex(),
    }
    return _json(said) + b"\n"


def _json(said: dict[str, object]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode()
