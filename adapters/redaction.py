"""Removing a note's words wherever a store has them: in the campaign, its timelines, and canon where it took one over."""

from contextlib import suppress

import attrs

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.timelines.marker import campaign_of
from domain.entries import RecordedEntry
from domain.errors import Refused, RollbookError
from domain.identifiers import ActionNumber
from domain.redaction import check_redactable, notes_with, words_of


@attrs.frozen
class Redaction:
    """Words that were removed: the record of it, and the other streams in which a copy was removed too."""

    entry: RecordedEntry
    copies: tuple[str, ...]


def redact(book: Book, campaign: Campaign, action: ActionNumber, *, why: str, seat: str | None = None) -> Redaction:
    """Remove the words of a note for good, and those of its copies: a campaign that was played again has its own.

    What the read model knew of the words is built again. Raises NotFound, Refused for what is not a note, and RollbookError, when
    all of this is done, if the last copy of the words waits for another program to let go of the store.
    """
    campaign.read_again()
    numbers = check_redactable(campaign.load_history(), action)
    words = _words(campaign, numbers)
    held: list[RollbookError] = []
    _remove(campaign, action, why, seat, held)
    entry = campaign.load_history().entries[-1]
    copies = []
    canon = campaign_of(campaign.id)
    for stream in (canon, *book.timelines(canon)):
        other = book.campaign(stream)
        other.read_again()
        for copy in () if stream == campaign.id else notes_with(other.load_history(), words):
            with suppress(Refused):  # words from before the fork are not the timeline's own
                _remove(other, copy, why, None, held)
                copies.append(stream)
    book.read_model.rebuild(book.store, book.rulebook)
    for still_read in held:
        raise still_read
    return Redaction(entry, tuple(dict.fromkeys(copies)))


def _remove(campaign: Campaign, action: ActionNumber, why: str, seat: str | None, held: list[RollbookError]) -> None:
    numbers = check_redactable(campaign.load_history(), action)
    try:
        campaign.redact(action, why=why, seat=seat)
    except RollbookError as fault:
        campaign.read_again()
        if _words(campaign, numbers):
            raise
        held.append(fault)


def _words(campaign: Campaign, numbers: tuple[int, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(words_of(campaign.load_history().entry(number)) for number in numbers))
