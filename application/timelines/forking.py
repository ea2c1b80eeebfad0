"""Timelines are made and listed here; ``rollbook.application.book`` opens them."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rollbook.application.after_commit import committed
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.timeline_marker import Marker, campaign_of, numbers, stream_of
from rollbook.application.history.timeline_view import TimelineView
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, StreamId
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.timeline_choices import MergePlan, plan
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.chain import ROOT
from rollbook.domain.history.history import History


@attrs.frozen(kw_only=True)
class TimelineSummary(Record):
    """A timeline in the list: where it was forked, what it plays by, and how far it and its parent have gone since."""

    timeline: str
    number: int
    parent: StreamId
    entry: EntryNumber
    at: int
    why: str
    rerun: str
    ruleset: str
    version: str
    settings: Mapping[str, object]
    entries: int
    moved_on: int
    damage: str = ""


def fork(book: Book, parent: CampaignView, entry: EntryNumber | None = None, why: str = "") -> Campaign:
    """A timeline that leaves ``parent`` after an entry, or after its last. Nothing is stored yet.

    It goes into the store with the first thing that is played on it, or by itself with ``begin``. Raises NotFound for an
    entry that does not exist, and Refused in the midst of a correction.
    """
    parent.refresh()
    history = parent.history
    parent.session.history.check_undamaged()
    at = history.head if entry is None else entry
    _check_not_halfway(history, history.entry(at))
    return _new(book, parent, why, at, history.entry(at).hash)


def from_the_start(book: Book, parent: CampaignView, ruleset: str, version: str, why: str = "") -> Campaign:
    """A timeline that begins with nothing, for a campaign that is played again by other rules. Nothing is stored yet."""
    return _new(book, parent, why, 0, ROOT, ruleset, version)


def _new(
    book: Book, parent: CampaignView, why: str, entry: EntryNumber, hash_: str, ruleset: str = "", version: str = ""
) -> Campaign:
    canon = campaign_of(parent.id)
    marker = Marker(
        number=max(numbers(book.store, canon), default=0) + 1,
        parent=parent.id,
        entry=entry,
        hash=hash_,
        at=book.surroundings.clock(),
        why=why,
        ruleset=ruleset,
        ruleset_version=version,
    )
    view = TimelineView(book.store, stream_of(canon, marker.number), marker, parent.session.log.store, is_new=True)
    return book.timeline(view)


def begin(timeline: Campaign) -> None:
    """Put a new timeline into the store, with nothing of its own on it."""
    assert timeline.session.timeline is not None
    timeline.session.timeline.view.store()
    committed()


def marker_of(timeline: CampaignView) -> Marker:
    """The marker of a timeline. Raises Refused for canon itself."""
    if timeline.session.timeline is None:
        raise Refused(f"{timeline.id} is canon itself. Name a timeline; rollbook timelines lists them.")
    return timeline.session.timeline.marker


def _check_not_halfway(history: History, last: RecordedEntry) -> None:
    """Raise Refused for a fork in the midst of a correction, however many entries that has."""
    entries = history.entries
    if last.number == history.head or not _go_together(last, entries[last.number]):
        return
    first, end = last.number, last.number
    while first > 1 and _go_together(entries[first - 2], entries[first - 1]):
        first -= 1
    while end < history.head and _go_together(entries[end - 1], entries[end]):
        end += 1
    raise Refused(
        f"Entry @{last.number} is in the midst of a correction, which is @{first} to @{end}. "
        f"Fork before it, at @{first - 1}, or after it, at @{end}."
    )


def _go_together(entry: RecordedEntry, following: RecordedEntry) -> bool:
    return bool(entry.correction) and entry.correction == following.correction


def summaries(book: Book, campaign: CampaignId) -> list[TimelineSummary]:
    """All timelines of a campaign, oldest first."""
    return [summary(book.campaign(stream), book) for stream in book.timelines(campaign)]


def summary(timeline: Campaign, book: Book) -> TimelineSummary:
    """One timeline, as the list says it."""
    marker = marker_of(timeline)
    head = timeline.head
    return TimelineSummary(
        timeline=timeline.id,
        number=marker.number,
        parent=marker.parent,
        entry=marker.entry,
        at=marker.at,
        why=marker.why,
        rerun=f"{marker.ruleset} {marker.ruleset_version}".strip(),
        ruleset=head.state.ruleset,
        version=head.state.version,
        settings=dict(head.state.settings),
        entries=head.entry - marker.entry,
        moved_on=book.campaign(marker.parent).head.entry - marker.entry,
        damage=timeline.session.damage,
    )


def merge_plan(book: Book, timeline: CampaignView, *, keep_later: bool = False) -> tuple[Campaign, MergePlan]:
    """The parent of a timeline, and the plan of a take-over. Raises Refused for a campaign played again from its start."""
    marker = marker_of(timeline)
    canon = book.campaign(marker.parent)
    if marker.ruleset:
        raise Refused(
            f"{timeline.id} is the whole campaign by {marker.ruleset} {marker.ruleset_version}: its choices are canon's, and "
            f"only the rules are others. To play on by them: rollbook adopt {marker.ruleset}"
        )
    timeline.refresh()
    return canon, plan(canon.history, timeline.history, marker.entry, book.rulebook, keep_later=keep_later)
