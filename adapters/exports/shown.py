"""A campaign as one reader may see it, or as much of it as fits a filter: in a file that still verifies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs

from adapters.entry_log import EntryLog
from adapters.exports.jsonl import ExportReport
from domain.entries import RecordedEntry
from domain.errors import RollbookError

FORMAT = "rollbook/shown/1"

TABLE = ""
"""The reader who sees what everybody sees."""


@attrs.frozen
class Reader:
    """Whom a file is for. ``seat`` is a seat's name, ``TABLE``, or None for the GM, who may see everything.

    ``wanted`` says which entries it is about; the others are left out as digests.
    """

    seat: str | None = None
    wanted: Callable[[RecordedEntry], bool] = lambda _: True


def export_shown(journal: EntryLog, path: Path, reader: Reader, *, overwrite: bool = False) -> ExportReport:
    """Write what a reader may see to a file. Not yet in the shape of entries."""
    raise RollbookError(f"{path} was not written: {journal.campaign} for {reader}, {overwrite}")
