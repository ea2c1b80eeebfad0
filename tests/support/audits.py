"""Audits of changed histories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from rollbook.application.history.entry_log import EntryLog
from rollbook.domain.audit.answers import Answer, Verdict
from rollbook.domain.audit.chain_audit import ChainAudit, Read
from rollbook.domain.audit.rules_audit import RulesAudit
from rollbook.domain.audit.witnesses import Witness
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.ruleset import Ruleset
from tests.support.toy import TOY

VERIFIED, UNPROVEN, FAILED = Verdict.VERIFIED, Verdict.UNPROVEN, Verdict.FAILED


def audit_chain(
    stored: Iterable[StoredEntry], read: Read, witnesses: Sequence[Witness] = (), recorded: Iterable[int] = ()
) -> Answer:
    """Check that every stored byte is the one that was written, in its place (see ``ChainAudit``)."""
    audit = ChainAudit.of(read, witnesses, recorded)
    for each in stored:
        audit.follow(each)
    return audit.answer()


def audit_rules(entries: Iterable[RecordedEntry], rulebook: Rulebook, *, of: int | None = None) -> Answer:
    """Check that every recorded intent, resolved again on the state of its moment with its own dice, gives its events.

    There are ``of`` entries, if some of them could not be read.
    """
    audit = RulesAudit(rulebook)
    for entry in entries:
        audit.follow(entry)
    return audit.answer(of)


def rules(entries: Iterable[RecordedEntry], ruleset: Ruleset | None = TOY) -> Answer:
    """The third answer, by these rules or by none."""
    return audit_rules(entries, Rulebook({ruleset.key: ruleset} if ruleset else {}))


def chain_of(log: EntryLog, witnesses: Sequence[Witness] = ()) -> Answer:
    """The first answer, of a log as it lies in its store."""
    audit = log.chain_audit(witnesses)
    for stored in log.stored():
        audit.follow(stored)
    return audit.answer()


def verdicts(answers: Iterable[Answer]) -> list[Verdict]:
    """The verdicts of the answers."""
    return [answer.verdict for answer in answers]


def altered(**fields: object) -> Callable[[Event], Event]:
    """A change of the first class of event that has these fields."""

    def change(event: Event) -> Event:
        return attrs.evolve(event, **fields) if all(hasattr(event, name) for name in fields) else event

    return change


def with_events(entries: Iterable[RecordedEntry], change: Callable[[Event], Event]) -> list[RecordedEntry]:
    """The entries with each event changed."""
    return [entry._replace(events=tuple(map(change, entry.events))) for entry in entries]
