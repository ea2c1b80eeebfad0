"""What the editions of one campaign are made of: its entries, read once as they come and checked against the chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adapters.campaign import Campaign
from adapters.head import Head
from domain.entries import RecordedEntry
from domain.errors import HistoryDamaged
from domain.progress import told

EVERY = 16
"""So many entries are read again at once when one of them is asked for."""


class Source:
    """The entries of a campaign up to a head of it, of which few are in memory.

    ``damage`` says what is wrong with the first entry that is not what was stored; it and what follows it are left out.
    """

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._log = campaign.log
        self._removals = self._log.store.removals()
        self._entries = self._log.to_be_read(EVERY)
        self.head = Head()
        self.damage = ""

    @property
    def entries(self) -> Sequence[RecordedEntry]:
        """The entries that were read so far: that of number n is at n - 1."""
        return self._entries

    def holds(self) -> bool:
        """Whether what was read is still what is stored: no words were removed since, and nothing else is in its place."""
        read = self.head
        if self._log.store.removals() != self._removals:
            return False
        return not read.entry or self._log.hash_at(read.entry) == read.hash

    def after(self, number: int) -> Iterator[RecordedEntry]:
        """The entries after a number, up to the head that the campaign has now. They have to be read to the last."""
        known = self._entries
        yield from (known[at] for at in range(number, len(known)))
        read, self.head = self.head, self._campaign.head
        if self.head.entry <= read.entry or self.damage:
            return
        try:
            for entry in told(self._log.checked(read), lambda: self.head.entry):
                if entry.number > self.head.entry:
                    break
                known.append(entry)
                yield entry
        except HistoryDamaged as damage:
            what_now = "What comes before it is shown; nothing can be added."
            self.damage = f"{damage} {what_now}"
