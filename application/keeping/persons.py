"""One person in all campaigns of a store: what is kept of them, and removing what can be removed.

The words of a person's notes go for good, with marks in their place, and so does a name that is stored beside the seat. A seat
that was taken under the name itself is called otherwise: the name is shown nowhere any more, and stays in the envelopes that
the hashes prove, as long as the campaign is kept. What others wrote is theirs; the entries that have the name are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import attrs

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.ports.seat_links import SeatLink, SeatLinks
from rollbook.application.redaction import Redaction, redact
from rollbook.application.visibility.folding import NameFinder
from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, SeatName
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role, SeatNamed, SeatRenamed
from rollbook.domain.history.redaction import is_note, is_without_words, names_of, words_of
from rollbook.domain.state.campaign_state import CampaignState

WHY = "The person asked for it."


@attrs.frozen(kw_only=True)
class PersonAt(Record):
    """A person at one table: the ``seat`` and the name it is ``shown`` by, all ``names`` it had, its links, and what it did.

    ``actions`` are all that the seat took, ``notes`` those of them that are notes with words. The name ``is_apart`` if it can
    be removed for good.
    """

    campaign: CampaignId
    name: str
    seat: SeatName
    shown: str
    names: tuple[str, ...]
    role: Role
    actions: tuple[ActionNumber, ...]
    notes: tuple[ActionNumber, ...]
    links: tuple[SeatLink, ...]
    is_apart: bool


@attrs.frozen(kw_only=True)
class Forgotten(Record):
    """A table at which a person was forgotten: the name that the seat has now, the notes whose words are gone, links that ended.

    ``names`` were removed for good, and ``stays_in`` entries have one still, in envelopes or in words of others. ``backups``
    are files of this store that hold the words still. ``fault`` is what could not be done, "" if all was.
    """

    campaign: CampaignId
    called: str
    notes: int
    names: int
    links: int
    stays_in: int
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
        state, named = campaign.state, _named(campaign)
        for seat in state.seats.values():
            if wanted in map(caseless, (seat.name, seat.shown, *named.get(seat.name, ()))):
                own = tuple(link for link in links.of(key, state.identity) if link.seat == seat.name)
                actions, notes = _did(campaign, seat.name)
                yield PersonAt(
                    campaign=key,
                    name=state.name,
                    seat=seat.name,
                    shown=seat.shown,
                    names=tuple(dict.fromkeys((*named.get(seat.name, ()), seat.shown))),
                    role=seat.role,
                    actions=actions,
                    notes=notes,
                    links=own,
                    is_apart=_is_apart(campaign, seat.name),
                )


def _named(campaign: Campaign) -> dict[SeatName, tuple[str, ...]]:
    """The names that people had since they sat down, by seat, as far as they are still stored."""
    found: dict[SeatName, tuple[str, ...]] = {}
    for stored in campaign.session.log.store.read_kinds(campaign.id, (SeatNamed.__name__, SeatRenamed.__name__)):
        for event in campaign.session.log.read(stored).events:
            if isinstance(event, SeatNamed | SeatRenamed) and event.name:
                found[event.seat] = (*found.get(event.seat, ()), event.name)
    return found


def _did(campaign: Campaign, seat: SeatName) -> tuple[tuple[ActionNumber, ...], tuple[ActionNumber, ...]]:
    """The actions of a seat, and those of them that are notes with words."""
    campaign.session.read_again()
    own = [entry for entry in campaign.history.entries if entry.seat == seat]
    notes = [one for one in own if is_note(one) and not is_without_words(campaign.history, [one.number])]
    return tuple(dict.fromkeys(one.action for one in own)), tuple(dict.fromkeys(one.action for one in notes))


def _is_apart(campaign: Campaign, seat: SeatName) -> bool:
    """True if a seat was taken under a word of chance, with the name beside it."""
    taken = (entry.intent.params for entry in campaign.history.entries if entry.intent.verb == TakeSeat.verb)
    return any(bool(params.get("is_named")) for params in taken if params.get("seat") == seat)


def forget(book: Book, links: SeatLinks, person: PersonAt) -> Forgotten:
    """Remove a person from a table: links end, words of notes and names go for good, and the seat has another name and is left.

    Said again, it finishes what was begun. What cannot be done is in the ``fault``, and all else is done.
    """
    campaign, faults = book.campaign(person.campaign), list[str]()
    streams = (person.campaign, *book.timelines(person.campaign))
    for link in person.links:
        if link.is_good:
            links.revoke(link.number)
    called = _called_otherwise(campaign, person.seat)
    for stream in streams:
        try:
            _rename(book.campaign(stream), person.seat, called)
        except RollbookError as fault:
            faults.append(str(fault))
    notes = list(_removed(book, person.campaign, person.notes, faults))
    names = [
        each
        for stream in reversed(streams)
        for each in _removed(book, stream, _names(book.campaign(stream), person.seat, called), faults)
    ]
    return Forgotten(
        campaign=person.campaign,
        called=called,
        notes=len(notes),
        names=len(names),
        links=sum(link.is_good for link in person.links),
        stays_in=sum(_entries_with(book.campaign(stream), person, called) for stream in streams),
        backups=tuple(dict.fromkeys(path for done in (*notes, *names) for path in done.backups)),
        fault=" ".join(faults),
    )


def _removed(book: Book, stream: str, actions: Iterable[ActionNumber], faults: list[str]) -> Iterator[Redaction]:
    """Remove the words or the name of each of these actions; what cannot be done is added to the ``faults``."""
    campaign = book.campaign(stream)
    for action in actions:
        try:
            yield redact(book, campaign, action, why=WHY)
        except RollbookError as fault:
            faults.append(str(fault))


def _names(campaign: Campaign, seat: SeatName, called: str) -> tuple[ActionNumber, ...]:
    """The actions by which a seat had another name than the one that it is ``called`` by now.

    A timeline has those from before its fork from its parent, where they go.
    """
    campaign.session.read_again()
    history, timeline = campaign.history, campaign.session.timeline
    begins = timeline.marker.entry if timeline is not None else 0
    own = (action for action in names_of(history, seat) if history.revisions(action)[0].number > begins)
    return tuple(action for action in own if called not in words_of(history.revisions(action)[-1]))


def _entries_with(campaign: Campaign, person: PersonAt, called: str) -> int:
    """The number of stored entries of a stream that have a name of a person but what the seat is called now, in any spelling."""
    names = (
        name for name in (person.seat, *person.names) if name not in (called, person.seat if person.is_apart else "")
    )
    finder = NameFinder(names)
    begins = campaign.session.timeline.marker.entry if campaign.session.timeline is not None else 0
    return sum(bool(finder.found(stored.data.decode())) for stored in campaign.session.log.stored(begins))


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
