"""An audit in one pass: every entry is read once, and its chain, its dice and its rules are looked at as it comes.

Actions that are never corrected are dropped once they are checked. The store's index of kinds says first which those
are; if it is wrong, the audit begins again and keeps everything.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rollbook.application.history.entry_log import EntryLog
from rollbook.domain.audit.answers import Answer
from rollbook.domain.audit.dice_audit import DiceAudit
from rollbook.domain.audit.dice_context import CANON
from rollbook.domain.audit.dice_requests import Requests, Unforeseen
from rollbook.domain.audit.rules_audit import RulesAudit
from rollbook.domain.audit.witnesses import Witness
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.progress import told
from rollbook.domain.entries import Outline, RecordedEntry, outline_of
from rollbook.domain.history.entry_list import EntryList
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook

if TYPE_CHECKING:
    from rollbook.application.session import CampaignSession


PAGE, PAGES = 64, 16
"""Entries that are read at once, and pages of them that are kept."""


class EntriesReadAgain(EntryList):
    """The first entries of a stream. ``read`` reads those after a number and up to another one."""

    def __init__(self, read: Callable[[int, int], Iterable[RecordedEntry]], length: int = 0) -> None:
        self._read = read
        self._length = length
        self._page = lru_cache(PAGES)(lambda first, last: list(read(first, last)))

    def __len__(self) -> int:
        return self._length

    def entry(self, number: EntryNumber) -> RecordedEntry:
        first = (number - 1) // PAGE * PAGE
        return self._page(first, min(first + PAGE, self._length))[number - 1 - first]

    def append(self, entry: RecordedEntry) -> None:
        """Append an entry that is in the store already."""
        self._length = entry.number

    def until(self, number: EntryNumber) -> EntriesReadAgain:
        return EntriesReadAgain(self._read, number)

    def outlines(self) -> Iterator[Outline]:
        return map(outline_of, self._read(0, self._length))


def audit_of(session: CampaignSession) -> tuple[Answer, Answer, Answer]:
    """Chain, dice and rules of a campaign: three answers."""
    log, rulebook, timeline = session.log, session.rulebook, session.timeline
    seen = session.store_model().witnesses(session.id)
    witnesses = timeline.counted_here(seen) if timeline else seen

    timelines, elsewhere = (timeline.numbers, timeline.elsewhere()) if timeline else (frozenset[int](), CANON)

    def look(corrected: Container[ActionNumber] | None) -> tuple[Answer, Answer, Answer]:
        return _audited(log, rulebook, witnesses, Requests(timelines, corrected, elsewhere))

    def ahead() -> tuple[Answer, Answer, Answer]:
        try:
            return look(_corrected(log))
        except Unforeseen:
            return look(None)

    return log.undisturbed(ahead)


def _corrected(log: EntryLog) -> Container[ActionNumber] | None:
    """The actions that are corrected, as far as the index of kinds knows; None if it cannot be said."""
    try:
        return {entry.action for entry in log.corrections()}
    except HistoryDamaged:
        return None


def _audited(
    log: EntryLog, rulebook: Rulebook, witnesses: Sequence[Witness], requests: Requests
) -> tuple[Answer, Answer, Answer]:
    chain = log.chain_audit(witnesses)
    dice = DiceAudit(requests)
    rules = RulesAudit(rulebook, History(EntriesReadAgain(log.entries)), requests.elsewhere)
    for stored in told(log.stored(), log.version):
        entry = chain.follow(stored)
        if entry is not None:
            dice.follow(entry)
            rules.follow(entry)
    answer = chain.answer()
    return answer, dice.answer(answer.entries), rules.answer(answer.entries)
