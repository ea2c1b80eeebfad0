"""Storing of another program's record as a campaign: events without rules, marked as imported."""

from secrets import token_hex

import attrs

from rollbook.adapters.imports import Imported, ImportedAction, Known
from rollbook.application.after_commit import committed
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.history.idempotency_keys import IdempotencyKey, has_no_words
from rollbook.application.time_zones import zone_at_first, zone_named, zone_of
from rollbook.domain.actions.campaign import ZONE
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, recorded, without_words
from rollbook.domain.events import CharacterJoined, Event, NoteWritten, SeatTaken, TableAgreed
from rollbook.domain.history.numbering import Numbering
from rollbook.domain.state.lookup import slug

IMPORTED = "imported"


def record_import(book: Book, imported: Imported, name: str = "") -> Campaign:
    """Store imported actions as a new campaign, or append them to one that has earlier ones: all of them or none.

    Raises RollbookError if the name is taken, StaleHistory if another writer appended an entry meanwhile.
    """
    called = name or imported.name
    if imported.after:
        campaign = book.campaign(slug(called))
        head = head_of(campaign)
        head.check_is_at(imported.after)
    else:
        if not imported.actions:
            raise RollbookError("There is nothing in it to import.")
        head = Head()
    key = slug(called) if imported.after else book.free(called)
    proposals = [proposal_of(action, number) for number, action in enumerate(imported.actions, head.actions + 1)]
    if not imported.after and (zone := zone_at_first()):
        proposals[0] = proposals[0]._replace(events=(*proposals[0].events, TableAgreed(matter=ZONE, value=zone)))
    check_counts(proposals, head)
    if proposals:
        log = EntryLog(book.store, key, book.surroundings.clock, quota=book.quota.check)
        log.check_room(head, proposals)
        log.write_imported(head, proposals)
        committed()
    return book.campaign(key)


def head_of(campaign: Campaign) -> Head:
    """The head of a campaign that can be appended to. Raises HistoryDamaged otherwise."""
    campaign.session.history.check_undamaged()
    return campaign.head


def proposal_of(action: ImportedAction, number: int) -> Entry:
    """The entry of an imported action, with its own events."""
    events = tuple(map(_salted, action.events))
    command = IdempotencyKey(action.seat, action.key, action.source)
    return Entry(
        EntryKind.TAKEN,
        action=number,
        events=events,
        seat=action.seat,
        at=action.at,
        visibility=action.visibility,
        intent=without_words(Intent(verb=action.verb, params=action.params), events),
        actor=action.actor,
        provenance=IMPORTED,
        command=action.key,
        command_digest=command.digest(events) if action.key else "",
    )


def check_counts(proposals: list[Entry], head: Head) -> None:
    """Raise RollbookError for a record with a seat or character that never joined, or that no reader would accept.

    Names are checked as strictly as those of a played action.
    """
    state = head.state
    seats = {name: seat.number for name, seat in state.seats.items()}
    session = state.session.number if state.session else 0
    counts = Numbering.after(head.entry, head.actions, seats, state.characters, session).table
    for number, proposal in enumerate(proposals, 1):
        try:
            counts.add(recorded(proposal._replace(provenance="played"), head.entry + number))
        except HistoryDamaged as damage:
            raise RollbookError(f"The record cannot be imported. Of its action {number}: {damage}.") from None


def _salted(event: Event) -> Event:
    """Give a note a salt, as a played one has, so that its words cannot be guessed from a digest that stays."""
    if isinstance(event, NoteWritten) and not event.salt:
        return attrs.evolve(event, salt=token_hex(16))
    return event


def known_of(book: Book, campaign: CampaignId) -> Known:
    """The earlier import in a campaign of that name; an empty ``Known`` if there is none."""
    key = slug(campaign)
    if not key or not book.store.head(key):
        return Known(zone=zone_named(zone_at_first()).rules)
    found = book.campaign(key)
    head = head_of(found)
    imported = (
        e for e in found.session.log.entries() if e.provenance == IMPORTED and e.command and not e.is_correction
    )
    made = {entry.command: entry for entry in imported}
    return Known(
        state=head.state,
        entries=head.entry,
        last=max((entry.at for entry in made.values()), default=0),
        places={key: entry.number for key, entry in made.items()},
        actions={key: entry.action for key, entry in made.items()},
        seats={key: e.seat for key, entry in made.items() for e in entry.events if isinstance(e, SeatTaken)},
        characters={
            key: e.character for key, entry in made.items() for e in entry.events if isinstance(e, CharacterJoined)
        },
        zone=zone_of(head.state).rules,
        is_same=lambda key, seat, source: _is_same(made[key], IdempotencyKey(seat, key, source)),
    )


def _is_same(entry: RecordedEntry, command: IdempotencyKey) -> bool:
    """True if an entry was made of this source. A note whose words were removed cannot be compared: also True."""
    return any(map(has_no_words, entry.events)) or command.digest(entry.events) == entry.command_digest
