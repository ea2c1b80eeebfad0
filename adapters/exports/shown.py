"""A campaign as one reader may see it, or as much of it as fits a filter: in a file that still verifies.

What the reader may not see is not in the file. Each entry that the table saw names the one before it that the table saw, and a
digest replaces its private half, so nothing shows where something was left out, nor how much. Before the first secret
nothing is left out, and each entry follows the one before it.

An entry that was revealed later is tied into the chain: between it and the next entry that the table saw every entry is in the
file, at least as digests, so that its place can be checked.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from adapters.entry_log import EntryLog
from adapters.exports.files import check_free, checked_line, write_whole
from adapters.exports.jsonl import ExportReport, line_of, summary
from adapters.sight import Sight
from domain.chain import FIRST_EVENT, PRIVATE, PUBLIC, digest, halves, lines_of
from domain.entries import RecordedEntry

FORMAT = "rollbook/shown/1"

TABLE = ""
"""The reader who sees what everybody sees."""


@attrs.frozen
class Reader:
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
    whole = summary(log, path)
    writer = _GMWriter(log, reader.wanted) if reader.seat is None else _SeatWriter(log, reader.seat)
    body = list(writer.lines())
    said = {"campaign": log.campaign, "for": reader.called, "entries": writer.entries, "head": writer.head}
    header = checked_line(json.dumps({"format": FORMAT, **said}).encode())
    verifier = write_whole(path, [header, *body], overwrite=overwrite)
    return attrs.evolve(whole, entries=writer.entries, events=writer.events, head=writer.head, verifier=verifier)


class _GMWriter:
    """What fits a filter, whole; the rest as digests."""

    def __init__(self, log: EntryLog, wanted: Callable[[RecordedEntry], bool]) -> None:
        self._log = log
        self._wanted = wanted
        self.entries = self.events = 0
        self.head = ""

    def lines(self) -> Iterator[bytes]:
        """The lines after the header."""
        for stored in self._log.stored():
            entry = self._log.read(stored)
            self.head = entry.hash
            if self._wanted(entry):
                self.entries += 1
                self.events += len(entry.events)
                yield line_of(stored)
            else:
                yield _left_out(entry, lines_of(stored.data))


class _SeatWriter:
    """What a seat or the table as such may see. ``_is_tied``: the next entry has to show that it follows the one before."""

    def __init__(self, log: EntryLog, seat: str) -> None:
        self._log = log
        self._sight = Sight(log, log.history(), seat)
        self._is_tied = False
        self.entries = self.events = 0
        self.head = ""

    def lines(self) -> Iterator[bytes]:
        """The lines after the header."""
        for stored in self._log.stored():
            entry, lines = self._log.read(stored), lines_of(stored.data)
            is_revealed = self._sight.is_revealed(entry)
            if self._sight.sees(entry):
                yield self._shown(entry, lines, is_revealed=is_revealed)
            elif self._is_tied:
                yield _left_out(entry, lines)
            if not entry.visibility:
                self.head = entry.hash
            self._is_tied = bool(entry.visibility) and (self._is_tied or is_revealed)

    def _shown(self, entry: RecordedEntry, lines: list[bytes], *, is_revealed: bool) -> bytes:
        events = lines[FIRST_EVENT:-1]
        hidden = [place for place in entry.hidden_events if place >= 0]
        said: dict[str, object]
        if hidden and is_revealed:
            envelope = digest(lines[PRIVATE]).hex()
            said = {"hidden_events": hidden, "previous_hash": entry.previous_hash, "private_envelope": envelope}
        else:
            events = [line for place, line in enumerate(events) if place not in hidden]
            said = self._stand_in(entry, lines)
        if entry.visibility:
            said["hash"] = entry.hash
        self.entries += 1
        self.events += len(events)
        return b"%s%s]}\n" % (_json({**said, "lines": []})[:-2], b",".join((lines[PUBLIC], *events)))

    def _stand_in(self, entry: RecordedEntry, lines: list[bytes]) -> dict[str, object]:
        """What replaces the private half."""
        both = halves(lines[:-1], entry.hidden_events)
        if self._is_tied or not entry.previous_public_hash:
            return {"private": both.private.hex()}
        return {"kept": both.kept(entry.previous_hash).hex()}


def _left_out(entry: RecordedEntry, lines: list[bytes]) -> bytes:
    """The digests of an entry that is left out."""
    both = halves(lines[:-1], entry.hidden_events)
    said = {
        "is_public": not entry.visibility,
        "previous_public_hash": entry.previous_public_hash,
        "private": both.private.hex(),
        "public": both.public.hex(),
    }
    return _json(said) + b"\n"


def _json(said: dict[str, object]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode()
