"""What happens to a campaign while a line is carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rollbook.domain.base.records import Changeable
from rollbook.domain.entries import RecordedEntry

if TYPE_CHECKING:
    from rollbook.application.history.idempotency_keys import IdempotencyKey
    from rollbook.domain.corrections.changes import Proposal


@attrs.define
class LineRecorder(Changeable):
    """The entries that a line recorded, and the correction that it previewed last.

    The line is a ``command`` if it has an id.
    """

    command: IdempotencyKey | None = None
    entries: list[RecordedEntry] = attrs.field(factory=list)
    preview: Proposal | None = None
