"""What an audit says: one of three verdicts, and the entries that gave rise to it."""

from enum import StrEnum

import attrs

from domain.identifiers import EntryNumber


class Verdict(StrEnum):
    """What an answer comes to: proven, not proven, or contradicted."""

    VERIFIED = "VERIFIED"
    UNPROVEN = "UNPROVEN"
    FAILED = "FAILED"


@attrs.frozen
class Finding:
    """What is wrong or missing, and in which entry (0: in none in particular)."""

    entry: EntryNumber
    text: str


@attrs.frozen
class Answer:
    """One of the three answers. ``checked`` counts what was checked, ``remarks`` say what a reader should know."""

    question: str
    verdict: Verdict
    checked: int
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()


def answer(question: str, checked: int, failed: list[Finding], missing: list[Finding], remarks: list[str]) -> Answer:
    """The answer to a question: failed if anything contradicts it, unproven if anything is missing."""
    verdict = Verdict.FAILED if failed else Verdict.UNPROVEN if missing else Verdict.VERIFIED
    return Answer(question, verdict, checked, tuple(failed or missing), tuple(remarks))
