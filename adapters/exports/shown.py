"""A campaign as one reader may see it, or as much of it as fits a filter: in a file that still verifies.

What the reader may not see is simply not there. Each entry that the table saw names the one before it that the table saw, and
its place in the whole chain stands in for itself as a digest, so nothing shows where something was left out, nor how much. An
entry of a history from before there were such names is left out as digests, one for each of its events.

What was laid open later is tied into the chain: between it and the next entry that the table saw all entries stand at least
as digests, so that its place can be checked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import attrs

from adapters.entry_log import EntryLog
from adapters.exports.files import check_free, checked_line, write_whole
from adapters.exports.jsonl import ExportReport, summary
from domain.audit import Batch, check_batch
from domain.chain import Stored, canonical, digests, event_digest, halves, has_halves, is_first_form, was
from domain.events import Header
from domain.history import Entry
from domain.secrecy import hidden_names, is_secret_roll, may_see, revealed, stored_names_somebody

FORMAT = "rollbook/shown/1"

TABLE = ""
"""The reader who sees what everybody sees."""


@attrs.frozen
class Reader:
    """Whom a file is for. ``seat`` is a seat's name, ``TABLE``, or None for the GM, who may see everything.

    ``wanted`` says which entries it is about; the others are left out as digests.
    """

    seat: str | None = None
    wanted: Callable[[Entry], bool] = lambda _: True

    @property
    def called(self) -> str:
        """How the file says whom it is for."""
        return "gm" if self.seat is None else f"player:{self.seat}" if self.seat else "table"


@attrs.frozen
class _Stored:
    """An entry with its stored events."""

    entry: Entry
    events: tuple[Stored, ...]

    @property
    def has_halves(self) -> bool:
        """Whether its hash is made of what is told and what is kept."""
        return has_halves(self.events[0][0], self.entry.header.salt)


def export_shown(journal: EntryLog, path: Path, reader: Reader, *, overwrite: bool = False) -> ExportReport:
    """Write what a reader may see to a file, checked against the chain on the way out.

    The report counts only what the file holds. Raises what ``export_campaign`` raises.
    """
    check_free(path, overwrite=overwrite)
    summary(journal, path)
    writer = _Writer(journal, reader)
    body = list(writer.lines())
    header = {
        "format": FORMAT,
        "campaign": journal.campaign,
        "for": reader.called,
        "entries": writer.entries,
        "head": writer.head,
    }
    write_whole(path, [checked_line(json.dumps(header).encode()), *body])
    return ExportReport(
        campaign=journal.campaign, path=str(path), entries=writer.entries, events=len(body), head=writer.head
    )


class _Writer:
    """One pass over the history that lays out the lines of the file."""

    def __init__(self, journal: EntryLog, reader: Reader) -> None:
        self._journal = journal
        self._reader = reader
        history = journal.history()
        self._opened = {number for entry in history.entries for number in revealed(entry.facts)}
        self._names = hidden_names(history.state)
        self._is_tied = False
        self.entries = 0
        self.head = ""

    @property
    def _is_whole(self) -> bool:
        """Whether the reader may see everything."""
        return self._reader.seat is None

    def lines(self) -> Iterator[bytes]:
        """The lines after the header."""
        for number, batch in enumerate(self._journal.stored(), 1):
            yield from self._told(self._read(number, batch))

    def _read(self, number: int, batch: Batch) -> _Stored:
        first = self._journal.decode(batch[0].name, batch[0].data)
        assert isinstance(first, Header)
        header, facts = check_batch(batch, first.parent, self._journal.decode)
        return _Stored(Entry(number, header, facts), tuple((name, data) for _, name, data in batch))

    def _told(self, stored: _Stored) -> Iterator[bytes]:
        entry = stored.entry
        header = entry.header
        if self._shows(stored) and self._reader.wanted(entry):
            self.entries += 1
            yield from self._shown(stored)
            self._is_tied = self._is_tied or (header.visibility != "" and entry.number in self._opened)
        elif self._is_whole or self._is_tied or not header.visibility or is_first_form(stored.events[0][0]):
            yield _stub(stored)
        if not header.visibility:
            self._is_tied = False
        if self._is_whole or not header.visibility:
            self.head = header.witness

    def _shows(self, stored: _Stored) -> bool:
        entry, seat = stored.entry, self._reader.seat
        if seat is None or may_see(seat, entry.header, entry.facts):
            return True
        return entry.number in self._opened and not self._names_somebody(stored)

    def _shown(self, stored: _Stored) -> Iterator[bytes]:
        if self._is_whole or not stored.has_halves:
            yield from _lines(stored.events if self._is_whole else self._without_secret_rolls(stored))
            return
        (name, header), parent = stored.events[0], stored.entry.header.parent
        told, before = halves(stored.events), was(header)[1]
        said = {"was": before} if before else {}
        said |= {"witness": stored.entry.header.witness} if stored.entry.header.visibility else {}
        if self._lays_open(stored):
            said |= {"numbers": told.numbers.hex(), "parent": parent}
        elif self._is_tied:
            said |= {"held": told.held.hex(), "parent": parent}
        else:
            said |= {"kept": told.kept(parent).hex()}
        yield b'{%s,"name":"%s","data":%s}\n' % (canonical(said)[1:-1], name.encode(), canonical(told.header))
        yield from _lines(told.facts)
        if self._lays_open(stored):
            yield from _lines(told.veiled, b'"veiled":true,')

    def _without_secret_rolls(self, stored: _Stored) -> Iterator[Stored]:
        """An entry in one piece: a secret roll in it stands there as its digest alone, under no name."""
        entry = stored.entry
        yield stored.events[0]
        for event, fact in zip(stored.events[1:], entry.facts, strict=True):
            if is_secret_roll(fact) and entry.number not in self._opened:
                yield "", event_digest(*event, entry.header.salt)
            else:
                yield event

    def _lays_open(self, stored: _Stored) -> bool:
        """Whether the veiled half of an entry was laid open, and names nobody who is still hidden."""
        entry = stored.entry
        if entry.number not in self._opened or not entry.header.veiled:
            return False
        return not self._names_somebody(stored)

    def _names_somebody(self, stored: _Stored) -> bool:
        """Whether an entry names somebody who is hidden to this day."""
        return any(stored_names_somebody(self._names, data) for _, data in stored.events)


def _lines(events: Iterable[Stored], said: bytes = b"") -> Iterator[bytes]:
    for name, data in events:
        if name:
            yield b'{%s"name":"%s","data":%s}\n' % (said, name.encode(), data)
        else:
            yield b'{"digest":"%s"}\n' % data.hex().encode()


def _stub(stored: _Stored) -> bytes:
    """The digests of an entry that is left out."""
    header = stored.entry.header
    said: dict[str, object] = {"public": not header.visibility}
    if stored.has_halves:
        left = halves(stored.events)
        said |= {"stub": [left.told.hex(), left.held.hex()], "follows": header.follows}
    else:
        said |= {"stub": [digest.hex() for digest in digests(stored.events, header.salt)]}
    return canonical(said) + b"\n"
