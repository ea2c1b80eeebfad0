"""Receipts: a line that a player keeps, and that shows later whether the history is still the one it was.

A file alone cannot prove that it was not written again from the start, or that its end was not cut off; a receipt can.
"""

import re
from collections.abc import Iterable, Iterator

import attrs

from rollbook.domain.audit.answers import Answer, Finding, answer
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import CampaignId, EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.dice.stream import CODE_LETTERS, code_agrees, code_letters, is_whole_code, proof_code
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import SessionOpened
from rollbook.domain.history.secrecy import PublicHead
from rollbook.domain.state.campaign_state import Session

_CODE = re.compile(r"[0-9A-Za-z]{4,}|[0-9A-Za-z]{1,7}(?:[-\u2010-\u2014 ][0-9A-Za-z]{1,7})+")
"""A code that was noted, or a part of one: in one piece, or in groups."""
_PLACE = re.compile(r"(?P<campaign>[\w~-]+) @?(?P<entry>\d{1,12}) ")
_DICE = re.compile(" dice ", re.IGNORECASE)

_EXAMPLE = (
    "A receipt looks like: sherwood @47 HX5Z6-R1KXN-AQHMC-NBCGD-KPQN6W dice TSW0X-ZE2VD-GV92K-0SZZD-WXD2TK; "
    "the code alone will do."
)


@attrs.frozen
class Receipt(Record):
    """A player's note: the campaign, how many entries the table had seen, the last one's code, and the session's dice code.

    What was not noted is "" or 0.
    """

    campaign: CampaignId
    entry: EntryNumber
    code: str
    commit: str = ""

    def __str__(self) -> str:
        place = f"{self.campaign} @{self.entry} " if self.entry else ""
        return f"{place}{self.code}{f' dice {self.commit}' if self.commit else ''}"


def read_receipt(line: str) -> Receipt:
    """A receipt as it was noted, whole or only its code, in any case of letters, with blanks or hyphens between them.

    A code with too few letters is read too; it will not be taken as proof. Raises Refused for anything else.
    """
    first, *rest = _DICE.split(" ".join(line.split()).rstrip("-. "))
    place = None if _is_code(first) and is_whole_code(first) else _PLACE.match(first)
    code, *dice = first[place.end() if place else 0 :], *rest
    if len(dice) > 1 or not all(map(_is_code, (code, *dice))):
        raise Refused(f"{line!r} is not a receipt. {_EXAMPLE}")
    for each in (code, *dice):
        if len(code_letters(each)) > CODE_LETTERS:
            raise Refused(
                f"The code {each} has {len(code_letters(each))} letters, and a code has {CODE_LETTERS}. {_EXAMPLE}"
            )
    campaign, entry = (place["campaign"], int(place["entry"])) if place else ("", 0)
    return Receipt(campaign, entry, code, "".join(dice))


def _is_code(words: str) -> bool:
    """True if words can be a code, or a part of one: a part that is all letters might be any word."""
    return _CODE.fullmatch(words) is not None and (is_whole_code(words) or not words.replace(" ", "").isalpha())


def _too_short(noted: Receipt) -> str:
    """The remark on a receipt that has only a part of a code and is not contradicted, "" if its codes are whole."""
    short = [len(code_letters(code)) for code in (noted.code, noted.commit) if code and not is_whole_code(code)]
    if not short:
        return ""
    return (
        f"{noted}: too short to be proof, for which {CODE_LETTERS} letters are wanted: agrees in its {short[0]} letters, "
        "and so could another that was found by trying"
    )


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


def check_receipts(
    campaign: CampaignId, receipts: Iterable[Receipt], entries: Iterable[RecordedEntry], *, of: int | None = None
) -> Answer:
    """Answer whether a history is the one that these receipts were noted from. Of a receipt that is too short it is UNPROVEN.

    There are ``of`` entries, if some of them could not be read.
    """
    known = list(entries)
    seen = list(_seen(known))
    failed: list[Finding] = []
    missing: list[Finding] = []
    checked = 0
    for noted in receipts:
        checked += 1
        if wrong := _contradiction(campaign, noted, seen):
            failed.append(Finding(0, wrong))
        elif short := _too_short(noted):
            missing.append(Finding(0, short))
    covered, remarks = len(known), [counted(checked, "receipt")]
    return answer("receipts", checked, failed, missing, remarks, covered=covered, entries=covered if of is None else of)


def _contradiction(campaign: CampaignId, noted: Receipt, seen: list[tuple[RecordedEntry, PublicHead, str]]) -> str:
    """The part of a receipt that this history does not bear out, "" if it bears out all of it."""
    if noted.campaign and noted.campaign != campaign:
        return f"{noted}: that is a receipt of {noted.campaign}, and this is {campaign}"
    if noted.entry > len(seen):
        return f"{noted}: the table has seen {len(seen)} entries; something was cut off"
    at = seen[noted.entry - 1 : noted.entry] if noted.entry else seen
    fits = [found for found in at if code_agrees(noted.code, bytes.fromhex(found[0].hash))]
    if not fits:
        return f"{noted}: no entry there has this code, so the history is not the one it was"
    if noted.commit and not any(code_agrees(noted.commit, bytes.fromhex(commit)) for _, _, commit in fits if commit):
        return f"{noted}: the dice of that session were committed to with another code"
    return ""
