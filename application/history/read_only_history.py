"""An open campaign of which questions are asked and to which nothing is added: what a seat or an edition sees of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from rollbook.application.history.head import Head
from rollbook.application.history.open_history import OpenHistory
from rollbook.domain.base.errors import Refused
from rollbook.domain.entries import RecordedEntry

if TYPE_CHECKING:
    from rollbook.application.history.decision import Decision
    from rollbook.application.history.idempotency_keys import IdempotencyKey
    from rollbook.domain.base.identifiers import EntryNumber


class ReadOnlyHistory(OpenHistory):
    """Entries that are read and never written. ``refused`` is what an attempt to add some is told."""

    refused = ""

    def refresh(self) -> Head:
        """The head; asking does not change what is seen."""
        return self.head

    def read_again(self) -> None:
        """Do nothing: what is read is the campaign's."""

    def entries_after(self, number: EntryNumber) -> Iterable[RecordedEntry]:
        """Those that are seen, by the numbers that they have here."""
        return self.load().entries_after(number)

    def writable_head(self) -> Head:
        """Raises Refused: nothing is recorded here."""
        raise Refused(self.refused)

    def append(
        self,
        decide: Callable[[Head], Decision],
        instead: Mapping[int, bytes] | None = None,
        command: IdempotencyKey | None = None,
        head: Head | None = None,
    ) -> tuple[RecordedEntry, ...]:
        """Raises what the rules have against it, as far as can be seen, else Refused: nothing is recorded."""
        decide(head or self.head)
        return super().append(decide, instead, command)
