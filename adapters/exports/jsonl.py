"""A campaign as a file of JSON lines: one header, then every stored event byte for byte, with all that verifying needs.

The file is the save file, the interchange format and the evidence in one: any JSON tool reads it, and importing it
gives back a store whose export is the same file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import attrs

from adapters.journal import Journal
from domain.audit import ChainCheck
from domain.errors import HistoryDamaged, RollbookError, not_found
from domain.event_store import StoredEvent

FORMAT = "rollbook/export/1"


@attrs.frozen(kw_only=True)
class ExportReport:
    """What an export holds: ``head`` is the hash of its last entry."""

    campaign: str
    path: str
    entries: int
    events: int
    head: str


def export_campaign(journal: Journal, path: Path, *, overwrite: bool = False) -> ExportReport:
    """Write a campaign to a file, checked against its chain on the way out; a failure leaves no file behind.

    Raises NotFound, RollbookError if the file exists or cannot be written, HistoryDamaged if the history is not whole.
    """
    if path.exists() and not overwrite:
        raise RollbookError(f"{path} already exists. Choose another name, or add --overwrite.")
    report = summary(journal, path)
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            for line in lines(journal, report):
                file.write(line)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise RollbookError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        beside.unlink(missing_ok=True)
    return report


def summary(journal: Journal, path: Path) -> ExportReport:
    """Check the whole campaign and say what an export of it will hold."""
    if journal.version() == 0:
        raise not_found("campaign", journal.campaign, journal.store.campaigns())
    check = ChainCheck(journal.decode)
    events = 0
    for batch in journal.stored():
        check.follow(batch)
        events += len(batch)
        if check.failed:
            found = check.failed[0]
            raise HistoryDamaged(f"Entry {found.entry} is damaged: {found.text}. Nothing was exported.")
    return ExportReport(
        campaign=journal.campaign, path=str(path), entries=check.number, events=events, head=check.parent
    )


def lines(journal: Journal, report: ExportReport) -> Iterator[bytes]:
    """The lines of the file."""
    header = {
        "format": FORMAT,
        "campaign": report.campaign,
        "entries": report.entries,
        "events": report.events,
        "head": report.head,
    }
    yield checked_line(json.dumps(header).encode())
    for event in journal.store.read(journal.campaign):
        yield _line(event)


def checked_line(header: bytes) -> bytes:
    """The header's line: what it says, and a checksum of that."""
    return b'%s, "check": "%s"}\n' % (header[:-1], sha256(header).hexdigest()[:16].encode())


def _line(event: StoredEvent) -> bytes:
    return b'{"version":%d,"name":%s,"data":%s}\n' % (event.version, json.dumps(event.name).encode(), event.data)
