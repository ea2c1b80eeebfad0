"""Removing a note's words wherever a store has them: in the campaign, its timelines, and canon where it took one over.

Everything that can only be found by the words is removed first, and the note itself last. So a program that is stopped
in between can do it again; once the words of the note are gone, the rest is found without them.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import attrs

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.application.pictures import shown_in
from rollbook.application.playing.request import ActionRequest
from rollbook.application.view import CampaignView
from rollbook.domain.actions.notes import Redact
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import NoteRedacted
from rollbook.domain.history.redaction import is_without_words, notes_with, redactable, words_of, words_that_stay

_SALT = re.compile("[0-9a-f]{32}")


@attrs.frozen
class Redaction(Record):
    """Words that were removed: the record of it, and the other streams in which a copy was removed too.

    ``is_new`` is false if they had been removed before, and only remnants are gone now. ``backups`` are files made by
    this computer since the words were written, which still hold them. ``stay`` are entries whose envelopes hold the
    words as well, from where nothing can be removed.
    """

    entry: RecordedEntry
    copies: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    is_new: bool = True
    stay: tuple[EntryNumber, ...] = ()


def redact(book: Book, campaign: Campaign, action: ActionNumber, *, why: str, seat: str | None = None) -> Redaction:
    """Remove the words of a note for good, and those of its copies: a campaign that was played again has its own.

    Lines typed about it at the prompt go too. Called again, this finishes what a stopped program has left. Raises
    NotFound, Refused for an action that is not a note, and RollbookError, after all of this, if the last copy of the
    words remains until another program closes the store.
    """
    campaign.session.read_again()
    numbers = redactable(campaign.history, action)
    is_new = not is_without_words(campaign.history, numbers)
    copies: tuple[str, ...] = ()
    held: list[RollbookError] = []
    canon = campaign_of(campaign.id)
    streams = (campaign.id, *(stream for stream in (canon, *book.timelines(canon)) if stream != campaign.id))
    if is_new:
        _check_its_own(campaign, numbers)
        _check_accepted(campaign, action, numbers, why, seat)
        words = _words(campaign, numbers)
        _forget_typed(book, streams, action, words)
        _drop_pictures(book, campaign, numbers)
        copies = tuple(_remove_copies(book, streams[1:], words, why, held))
        _removing(campaign, numbers, held, partial(campaign.redact, action, why=why, seat=seat))
    else:
        _forget_typed(book, streams, action)
    book.finish_removals()
    for still_read in held:
        raise still_read
    entries = [campaign.history.entry(number) for number in numbers]
    stay = tuple(entry.number for entry in entries if words_that_stay(entry))
    backups = book.backups_since(min(entry.at for entry in entries))
    return Redaction(_record(book, campaign, numbers), copies, backups, is_new, stay)


def _forget_typed(
    book: Book, streams: tuple[str, ...], action: ActionNumber, words: frozenset[str] = frozenset()
) -> None:
    book.surroundings.typed_lines.forget(streams, action, words)
    for stream in streams:
        book.seeds.forget_notes(stream)


def _drop_pictures(book: Book, campaign: Campaign, numbers: tuple[int, ...]) -> None:
    """Remove the bytes of a note's pictures, unless the campaign has shown them by other entries too."""
    pictures = [(stored.version, digest) for stored, digest in shown_in(book.store, campaign.id)]
    gone = {digest for number, digest in pictures if number in numbers}
    stay = {digest for number, digest in pictures if number not in numbers}
    if gone - stay:
        book.store.drop_pictures(campaign_of(campaign.id), sorted(gone - stay))


def _check_its_own(campaign: CampaignView, numbers: tuple[int, ...]) -> None:
    """Raise Refused for words that a timeline has from its parent, before any copy of them is removed."""
    if campaign.session.timeline is not None:
        campaign.session.timeline.view.check_its_own(numbers)


def _check_accepted(
    campaign: CampaignView, action: ActionNumber, numbers: tuple[int, ...], why: str, seat: str | None
) -> None:
    turn = ActionRequest(Redact(action=action, why=why, entries=numbers), seat, (), reason=why)
    refusal = campaign.session.refusal(turn)
    if refusal is not None:
        raise refusal


def _remove_copies(
    book: Book, streams: tuple[str, ...], words: frozenset[str], why: str, held: list[RollbookError]
) -> Iterator[str]:
    """Remove the words from other streams of the campaign; yields those that had some."""
    for stream in streams:
        other = book.campaign(stream)
        other.session.read_again()
        is_found = False
        for copy in notes_with(other.history, words):
            with suppress(Refused):  # words from before the fork are not the timeline's own
                numbers = redactable(other.history, copy)
                _removing(other, numbers, held, partial(other.redact, copy, why=why))
                is_found = True
        if is_found:
            yield stream
        if _still_holds(other, words):
            why_not = other.session.damage or "Nothing could be recorded there."
            held.append(
                RollbookError(f"A copy of these words stays in {stream}. {why_not} They are gone from everywhere else.")
            )


def _still_holds(campaign: Campaign, words: frozenset[str]) -> bool:
    """True if a note's salt is in a stream's own stored bytes, even if its entries cannot be read."""
    salts = [word.encode() for word in words if _SALT.fullmatch(word)]
    own = campaign.session.log.stored(campaign.session.timeline.marker.entry if campaign.session.timeline else 0)
    return any(salt in stored.data for stored in own for salt in salts)


def _removing(
    campaign: CampaignView, numbers: tuple[int, ...], held: list[RollbookError], remove: Callable[[], object]
) -> None:
    """Remove words; a fault that leaves none in the history is held back until everything else is done."""
    try:
        remove()
    except RollbookError as fault:
        campaign.session.read_again()
        if _words(campaign, numbers):
            raise
        held.append(fault)


def _words(campaign: CampaignView, numbers: tuple[int, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(words_of(campaign.history.entry(number)) for number in numbers))


def _record(book: Book, campaign: CampaignView, numbers: tuple[int, ...]) -> RecordedEntry:
    """The entry that says that the words of these entries were removed: what a timeline has from its parent is gone there."""
    for entry in reversed(campaign.history.entries):
        if any(
            isinstance(event, NoteRedacted) and not set(event.entries).isdisjoint(numbers) for event in entry.events
        ):
            return entry
    if campaign.session.timeline is None:
        raise RollbookError(
            f"Entry @{numbers[0]} has no words, and no record says who removed them: see rollbook audit."
        )
    return _record(book, book.campaign(campaign.session.timeline.marker.parent), numbers)
