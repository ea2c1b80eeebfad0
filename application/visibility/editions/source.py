"""What the editions of one campaign are made of: its entries, read once as they come and checked against the chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rollbook.application.history.head import Head, checked_entry
from rollbook.application.session import CampaignSession
from rollbook.domain.audit.chain_audit import UNRECORDED, Succession
from rollbook.domain.base.errors import HistoryDamaged, damaged_entry
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.progress import told
from rollbook.domain.entries import RecordedEntry

EVERY = 16
"""So many entries are read again at once when one of them is asked for."""


class Source:
    """The entries of a campaign, of which few are in memory, up to where they were read.

    ``damage`` says what is wrong with the first entry that is not what was stored; it and what follows it are left out.
    """

    def __init__(self, campaign: CampaignSession) -> None:
        self._campaign = campaign
        self._log = campaign.log
        self._removals = self._log.store.removals()
        self._entries = self._log.to_be_read(EVERY)
        self._last_hash = ""
        self._head = Head()
        self._reading: Succession | None = None
        self._revealed: tuple[EntryNumber, frozenset[EntryNumber]] = (0, frozenset())
        self.damage = ""

    @property
    def entries(self) -> Sequence[RecordedEntry]:
        """The entries that were read so far: that of number n is at n - 1."""
        return self._entries

    @property
    def head(self) -> EntryNumber:
        """The last entry that the campaign has now."""
        return self._campaign.head.entry

    def holds(self) -> bool:
        """Whether what was read is still what is stored: no words were removed since, and nothing else is in its place."""
        if self._log.store.removals() != self._removals:
            return False
        return not self._entries or self._log.hash_at(len(self._entries)) == self._last_hash

    def revealed(self) -> frozenset[EntryNumber]:
        """The numbers of the entries that were revealed, as far as the campaign goes now."""
        if self._revealed[0] != self.head:
            self._revealed = self.head, frozenset(self._log.revealed(self.head))
        return self._revealed[1]

    def after(self, number: EntryNumber, most: int | None = None) -> Iterator[RecordedEntry]:
        """The entries after a number, ``most`` of them, up to the head that the campaign has now. Read them to the last."""
        head, known = self._campaign.head, self._entries
        until = head.entry if most is None else min(number + most, head.entry)
        yield from (known[at] for at in range(number, min(until, len(known))))
        if until <= len(known) or self.damage:
            return
        reading = self._reading = self._reading or self._log.succession(self._head)
        try:
            stored = told(self._log.stored(len(known), until), lambda: head.entry, before=len(known))
            for each in stored:
                entry = checked_entry(each, reading)
                self._last_hash = entry.hash
                known.append(entry)
                yield entry
            if until == head.entry:
                for gone in reading.removals.unrecorded():
                    raise damaged_entry(gone, UNRECORDED)
                self._head, self._reading = head, None
        except HistoryDamaged as damage:
            what_now = "What comes before it is shown; nothing can be added."
            self.damage = f"{damage} {what_now}"
