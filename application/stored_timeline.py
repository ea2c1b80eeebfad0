"""Opening a timeline that is in the store, on what its campaign was when it was forked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rollbook.application.campaign import Campaign
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.open_history import OpenHistory
from rollbook.application.history.timeline_dice import Timeline
from rollbook.application.history.timeline_marker import is_timeline, read_marker
from rollbook.application.history.timeline_view import TimelineView
from rollbook.application.session import CampaignSession
from rollbook.domain.base.errors import HistoryDamaged, NotFound
from rollbook.domain.base.identifiers import StreamId

if TYPE_CHECKING:
    from rollbook.application.history.read_model import ReadModel
    from rollbook.application.ports.rules_in_force import RulesCheck
    from rollbook.application.ports.seed_store import SeedStore
    from rollbook.application.ports.surroundings import Surroundings
    from rollbook.domain.history.event_store import EventStore
    from rollbook.domain.rulebook import Rulebook


class OpenBook(Protocol):
    """As much of a book as opening a timeline takes."""

    read_model: ReadModel

    @property
    def store(self) -> EventStore: ...

    @property
    def seeds(self) -> SeedStore: ...

    @property
    def surroundings(self) -> Surroundings: ...

    @property
    def rulebook(self) -> Rulebook: ...

    @property
    def rules_check(self) -> RulesCheck | None: ...


def stored_timeline(book: OpenBook, stream: StreamId) -> Campaign:
    """A timeline that is in the store. Raises HistoryDamaged if it does not fit what it was forked from."""
    view = _view(book, stream)
    marker = view.origin
    found = EntryLog(view.parent, marker.parent, book.surroundings.clock).hash_at(marker.entry)
    if view.parent.head(marker.parent) < marker.entry or found not in ("", marker.hash):
        raise HistoryDamaged(
            f"Timeline {stream} was forked from {marker.parent} at entry @{marker.entry}, and {marker.parent} has another "
            f"history now: what the timeline begins with is gone."
        )
    return timeline_campaign(book, view)


def _view(book: OpenBook, stream: StreamId) -> TimelineView:
    marker = read_marker(book.store, stream)
    if marker is None:
        raise NotFound(f"There is no timeline {stream}.")
    parent = _view(book, marker.parent) if is_timeline(marker.parent) else book.store
    return TimelineView(book.store, stream, marker, parent)


def timeline_campaign(book: OpenBook, view: TimelineView) -> Campaign:
    """The open campaign of a timeline."""
    timeline = Timeline(view)
    log = EntryLog(
        view,
        view.stream,
        book.surroundings.clock,
        removed=timeline.removed,
        fingerprint=book.rulebook.fingerprint,
        rules=book.rules_check,
    )
    history = OpenHistory(log, book.read_model.apart(view.stream))
    session = CampaignSession(
        history,
        book.rulebook,
        book.seeds,
        timeline=timeline,
        surroundings=book.surroundings,
        store_model=lambda: book.read_model,
    )
    return Campaign(session)
