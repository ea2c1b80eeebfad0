"""One person in all campaigns of a store: what is kept of them, and removing what can be removed.

The words of a person's notes go for good, with marks in their place. The name of a seat stays in the envelopes that the
hashes prove, as long as the campaign is kept: it is shown nowhere any more, because the seat is called otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import attrs

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.ports.seat_links import SeatLink, SeatLinks
from rollbook.application.redaction import redact
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, SeatName
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.history.redaction import is_note, is_without_words
from rollbook.domain.state.campaign_state import CampaignState

WHY = "The person asked for it."


@attrs.frozen(kw_only=True)
class PersonAt(Record):
    """A person at one table: the ``seat`` and the name it is ``shown`` by, its links, and what it did.

    ``actions`` are all that the seat took, ``notes`` those of them that are notes with words.
    """

    campaign: CampaignId
    name: str
    seat: SeatName
    shown: str
    role: Role
    actions: tuple[ActionNumber, ...]
    notes: tuple[ActionNumber, ...]
    links: tuple[SeatLink, ...]


@attrs.frozen(kw_only=True)
class Forgotten(Record):
    """A table at which a person was forgotten: the name that the seat has now, the notes whose words are gone, links that ended.

    ``backups`` are files of this store that hold the words still. ``fault`` is what could not be done, "" if all was.
    """

    campaign: CampaignId
    called: str
    notes: int
    links: int
    backups: tuple[str, ...] = ()
    fault: str = ""


def person_at(book: Book, links: SeatLinks, name: str) -> tuple[PersonAt, ...]:
    """A person at every table of the store, by the name of a seat.

    Raises Refused without a name, NotFound if there is none, and RollbookError if a campaign cannot be read.
    """
    if not name.strip():
        raise Refused("Say whose seat it is: the name as the table writes it.")
    found = tuple(_everywhere(book, links, name))
    if not found:
        raise NotFound(f"Nobody sits at any table here as {name[:80]!r}. Write the name as the table does.")
    return found


def _everywhere(book: Book, links: SeatLinks, name: str) -> Iterator[PersonAt]:
    wanted = caseless(name.strip())
    for key in book.campaigns():
        campaign = book.campaign(key)
        state = campaign.state
        for seat in state.seats.values():
            if wanted in (caseless(seat.name), caseless(seat.shown)):
                own = tuple(link for link in links.of(key, state.identity) if link.seat == seat.name)
                actions, notes = _did(campaign, seat.name)
                yield PersonAt(
                    campaign=key,
                    name=state.name,
                    seat=seat.name,
                    shown=seat.shown,
                    role=seat.role,
                    actions=actions,
                    notes=notes,
                    links=own,
                )


def _did(campaign: Campaign, seat: SeatName) -> tuple[tuple[ActionNumber, ...], tuple[ActionNumber, ...]]:
    """The actions of a seat, and those of them that are notes with words."""
    campaign.session.read_again()
    own = [entry for entry in campaign.history.entries if entry.seat == seat]
    notes = [one for one in own if is_note(one) and not is_without_words(campaign.history, [one.number])]
    return tuple(dict.fromkeys(one.action for one in own)), tuple(dict.fromkeys(one.action for one in notes))


def forget(book: Book, links: SeatLinks, person: PersonAt) -> Forgotten:
    """Remove a person from a table: links end, the words of notes go for good, and the seat has another name and is left.

    Said again, it finishes what was begun. What cannot be done is in the ``fault``, and all else is done.
    """
    campaign, faults = book.campaign(person.campaign), list[str]()
    gone, backups = 0, dict[str, None]()
    for link in person.links:
        if link.is_good:
            links.revoke(link.number)
    for note in person.notes:
        try:
            done = redact(book, campaign, note, why=WHY)
            gone, backups = gone + 1, {**backups, **dict.fromkeys(done.backups)}
        except RollbookError as fault:
            faults.append(str(fault))
    called = _called_otherwise(campaign, person.seat)
    for stream in (person.campaign, *book.timelines(person.campaign)):
        try:
            _rename(book.campaign(stream), person.seat, called)
        except RollbookError as fault:
            faults.append(str(fault))
    return Forgotten(
        campaign=person.campaign,
        called=called,
        notes=gone,
        links=sum(link.is_good for link in person.links),
        backups=tuple(backups),
        fault=" ".join(faults),
    )


def _called_otherwise(campaign: Campaign, seat: SeatName) -> str:
    """The name that a forgotten person's seat has: its number, as in exports with pseudonyms."""
    return f"Seat {campaign.state.seats[seat].number + 1}"


def _rename(campaign: Campaign, seat: SeatName, called: str) -> None:
    state: CampaignState = campaign.state
    known = state.seats.get(seat)
    if known is None:
        return
    if known.shown != called:
        campaign.do("rename-seat", {"seat": seat, "name": called})
    if known.present:
        with suppress(Refused):  # somebody had the seat leave just now
            campaign.do("leave-seat", {"seat": seat})
