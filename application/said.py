"""What came of a line that was said to a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry

if TYPE_CHECKING:
    from rollbook.application.corrections import Preview


@attrs.frozen(kw_only=True)
class Said(Record):
    """What came of a line.

    ``entries`` are all that it recorded, ``text`` is what the prompt would print, and ``preview`` is that of a correction,
    applied unless the line says ``--preview``. ``warnings`` are what went wrong after the entries were recorded.
    """

    line: str
    text: str
    entries: tuple[RecordedEntry, ...] = ()
    preview: Preview | None = None
    warnings: tuple[str, ...] = ()

    @property
    def entry(self) -> RecordedEntry | None:
        """The action that was taken, or the correction itself among the entries of one; None if nothing was recorded."""
        corrections = (entry for entry in self.entries if entry.is_correction)
        return next(corrections, self.entries[0] if self.entries else None)
