"""Receipts: a line that a player keeps, and that shows later whether the history is still the one it was.

A file alone cannot prove that it was not written again from the start, or that its end was not cut off; a receipt can.
"""

import re
from collections.abc import Iterable, Iterator

import attrs

from domain.audit.answers import Answer, Finding, answer
from domain.counted import counted
from domain.dice.stream import CODE_LETTERS, code_letters, code_matches, proof_code
from domain.entries import RecordedEntry
from domain.errors import NotFound, Refused
from domain.events import SessionOpened
from domain.identifiers import CampaignId, EntryNumber
from domain.secrecy import PublicHead
from domain.state import Session

_CODE = r"[0-9A-Za-z]{4,}(?:-[0-9A-Za-z]+)*"
_LINE = re.compile(
    rf"(?:(?P<campaign>[\w~-]+)\s+@?(?P<entry>\d{{1,12}})\s+)?(?P<code>{_CODE})(?:\s+dice\s+(?P<commit>{_CODE}))?"
)

_EXAMPLE = (
    "A receipt looks like: sherwood @47 HX5Z6-R1KXN-AQHMC-NBCGD-KPQN6W dice TSW0X-ZE2VD-GV92K-0SZZD-WXD2TK; "
    "the code alone will do."
)


@attrs.frozen
class Receipt:
    """What a player noted: the campaign, how many entries the table had seen, the last one's code, and the session's dice code.

    What was not noted is "" or 0.
    """

    campaign: CampaignId
    entry: EntryNumber
    code: str
    commit: str = ""

    def __str__(self) -> str:
        dice = f" dice {self.commit}" if self.commit else ""
        return f"{self.campaign} @{self.entry} {self.code}{dice}"


def read_receipt(line: str) -> Receipt:
    """A receipt as it was noted, whole or only its code. Raises Refused for anything else, and for a part of a code."""
    found = _LINE.fullmatch(" ".join(line.split()))
    if found is None or (found["code"].isalpha() and len(found["code"]) != CODE_LETTERS):
        raise Refused(f"{line!r} is not a receipt. {_EXAMPLE}")
    noted = Receipt(found["campaign"] or "", int(found["entry"] or 0), found["code"], found["commit"] or "")
    if partial := _partial(noted):
        raise Refused(f"{partial} {_EXAMPLE}")
    return noted


def _partial(noted: Receipt) -> str:
    """What is wrong with a receipt that has only a part of a code, "" if its codes are whole."""
    for code in filter(None, (noted.code, noted.commit)):
        letters = len(code_letters(code))
        if letters != CODE_LETTERS:
            return (
                f"The code {code} has {letters} letters. A code has {CODE_LETTERS}; a part of one proves nothing, "
                f"because another history with the same part can be found by trying."
            )
    return ""


def receipt_of(campaign: CampaignId, shown: PublicHead, session: Session | None) -> Receipt:
    """The receipt of a history as it is now: of the last entry that the whole table saw. Raises NotFound if there is none."""
    if not shown.entries:
        raise NotFound("Nothing has happened yet that a receipt could be given for.")
    commit = bytes.fromhex(session.commit_table) if session else b""
    code = proof_code(bytes.fromhex(shown.hash))
    return Receipt(campaign, shown.entries, code, proof_code(commit) if commit else "")


def _seen(entries: Iterable[RecordedEntry]) -> Iterator[tuple[RecordedEntry, PublicHead, str]]:
    """The entries that the table saw, with what it had seen then and the commitment of the last session's dice."""
    shown, commit = PublicHead(), ""
    for entry in entries:
        shown = shown.after(entry)
        for event in entry.events:
            if isinstance(event, SessionOpened) and event.commit_table:
                commit = event.commit_table
        if not entry.visibility:
            yield entry, shown, commit


def check_receipts(campaign: CampaignId, receipts: Iterable[Receipt], entries: Iterable[RecordedEntry]) -> Answer:
    """Whether a history is the one that these receipts were noted from."""
    seen = list(_seen(entries))
    failed: list[Finding] = []
    checked = 0
    for noted in receipts:
        checked += 1
        wrong = _contradiction(campaign, noted, seen)
        if wrong:
            failed.append(Finding(0, wrong))
    return answer("receipts", checked, failed, [], [counted(checked, "receipt")])


def _contradiction(campaign: CampaignId, noted: Receipt, seen: list[tuple[RecordedEntry, PublicHead, str]]) -> str:
    """What of a receipt this history does not bear out, "" if it bears out all of it."""
    if noted.campaign and noted.campaign != campaign:
        return f"{noted}: that is a receipt of {noted.campaign}, and this is {campaign}"
    if noted.entry > len(seen):
        return f"{noted}: the table has seen {len(seen)} entries; something was cut off"
    if partial := _partial(noted):
        return f"{noted}: {partial}"
    at = seen[noted.entry - 1 : noted.entry] if noted.entry else seen
    fits = [found for found in at if code_matches(noted.code, bytes.fromhex(found[0].hash))]
    if not fits:
        return f"{noted}: no entry there has this code, so the history is not the one it was"
    if noted.commit and not any(code_matches(noted.commit, bytes.fromhex(commit)) for _, _, commit in fits if commit):
        return f"{noted}: the dice of that session were committed to with another code"
    return ""
