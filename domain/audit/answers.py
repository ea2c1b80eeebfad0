"""Answers of an audit: one of three verdicts, the entries that gave rise to it, and how many it covers."""

from enum import StrEnum

import attrs

from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record


class Verdict(StrEnum):
    """The result of an audit: proven, not proven, or contradicted."""

    VERIFIED = "VERIFIED"
    UNPROVEN = "UNPROVEN"
    FAILED = "FAILED"


@attrs.frozen
class Finding(Record):
    """A fault or a gap, and the entry in which it is (0: in none in particular)."""

    entry: EntryNumber
    text: str


@attrs.frozen
class Answer(Record):
    """One of the three answers. ``checked`` counts what was checked, ``remarks`` say what a reader should know.

    It covers ``covered`` of the ``entries`` that are there, 0 of 0 where a reader may not count them. An answer that does not
    cover all of them is never VERIFIED.
    """

    question: str
    verdict: Verdict
    checked: int
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()
    covered: int = 0
    entries: int = 0

    @property
    def is_good(self) -> bool:
        """True if nothing contradicts it and every entry was looked at, even if something is not proven yet."""
        return self.verdict is not Verdict.FAILED and self.covered == self.entries


def answer(
    question: str,
    checked: int,
    failed: list[Finding],
    missing: list[Finding],
    remarks: list[str],
    *,
    covered: int,
    entries: int,
) -> Answer:
    """The answer to a question: failed if anything contradicts it, unproven if anything is missing or was not looked at."""
    if covered < entries:
        only = f"only {covered:,} of {counted(entries, 'entry', 'entries')} could be looked at"
        missing = [Finding(0, only), *missing]
    verdict = Verdict.FAILED if failed else Verdict.UNPROVEN if missing else Verdict.VERIFIED
    return Answer(question, verdict, checked, tuple(failed or missing), tuple(remarks), covered, entries)
