"""A campaign as a file of JSON lines: one header, then every entry with its stored lines byte for byte, then its pictures.

The file is the save file, the interchange format and the evidence in one: any JSON tool reads it, and importing it
gives back a store whose export is the same file.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from rollbook.adapters.exports.files import IS_EXPORT, check_free, checked_line, write_whole
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.pictures import picture_of, shown_in
from rollbook.domain.audit.chain_audit import ChainCheck
from rollbook.domain.base.errors import StaleHistory, damaged_entry, not_found
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.progress import told
from rollbook.domain.base.records import Record
from rollbook.domain.history.event_store import EventStore, StoredEntry

FORMAT = "rollbook/export/1"


@attrs.frozen(kw_only=True)
class ExportReport(Record):
    """Report of an export: ``head`` is the hash of its last entry, ``verifier`` the file that checks it."""

    campaign: CampaignId
    path: str
    entries: int
    events: int
    head: str
    verifier: str = ""


def export_campaign(log: EntryLog, path: Path, *, overwrite: bool = False) -> ExportReport:
    """Write a campaign to a file, checked against its chain on the way out; a failure leaves no file behind.

    Entries that are added meanwhile are not in it. Raises NotFound, RollbookError if the file exists or cannot be
    written, HistoryDamaged if the history is not whole, StaleHistory if words were removed from it meanwhile.
    """
    check_free(path, IS_EXPORT, overwrite=overwrite)
    report = log.undisturbed(lambda: summary(log, path))
    return attrs.evolve(report, verifier=write_whole(path, lines_with_pictures(log, report), overwrite=overwrite))


def summary(log: EntryLog, path: Path) -> ExportReport:
    """Check the whole campaign and say what an export of it will hold."""
    if log.version() == 0:
        raise not_found("campaign", log.campaign, log.store.campaigns())
    check = log.chain_audit().check
    for stored in told(log.stored(), lambda: 2 * log.version()):
        check.follow(stored)
        _raise_damage(check)
    check.finish()
    _raise_damage(check)
    return ExportReport(
        campaign=log.campaign, path=str(path), entries=check.number, events=check.events, head=check.hash
    )


def _raise_damage(check: ChainCheck) -> None:
    for found in check.failed:
        raise damaged_entry(found.entry, found.text, " Nothing was exported.")


def lines(log: EntryLog, report: ExportReport) -> Iterator[bytes]:
    """The lines of the file. Raises StaleHistory at the end if words were removed while they were read."""
    removals = log.store.removals()
    said = {"entries": report.entries, "events": report.events, "head": report.head}
    yield checked_line(json.dumps({"format": FORMAT, "campaign": report.campaign, **said}).encode())
    many = report.entries
    for stored in told(log.stored(until=many), lambda: 2 * many, before=many):
        yield line_of(stored)
    check_none_removed(log, removals)


def check_none_removed(log: EntryLog, removals: int) -> None:
    """Raise StaleHistory if something was removed from the store since it had so many removals."""
    if log.store.removals() != removals:
        raise StaleHistory("Words were removed from this store at the same moment. Nothing was exported; try again.")


def line_of(stored: StoredEntry) -> bytes:
    """An entry as a line of the file: its stored lines are between the commas, byte for byte."""
    return b'{"entry":%d,"lines":[%s]}\n' % (stored.version, stored.data.replace(b"\n", b","))


def lines_with_pictures(log: EntryLog, report: ExportReport) -> Iterator[bytes]:
    """The lines of the file, and after them those of its pictures. Raises what ``lines`` raises."""
    removals = log.store.removals()
    yield from lines(log, report)
    yield from picture_lines(log.store, log.campaign, (digest for _, digest in shown_in(log.store, log.campaign)))
    check_none_removed(log, removals)


def picture_lines(store: EventStore, campaign: CampaignId, digests: Iterable[str]) -> Iterator[bytes]:
    """The pictures that entries have shown, each as a line after them, once; a missing one is left out."""
    for digest in dict.fromkeys(digests):
        if (data := picture_of(store, campaign, digest)) is not None:
            yield b'{"picture":"%s","data":"%s"}\n' % (digest.encode(), b64encode(data))
