"""The actions of a campaign as they count today, each with its corrections, in the order of play."""

from collections.abc import Iterator

import attrs

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.dice.ledger import opened_session
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.projections.pictures.picture import Wanted


@attrs.frozen(kw_only=True)
class Change:
    """A correction of an action: the entry that made it, and what counted before and after (None: nothing)."""

    entry: RecordedEntry
    before: RecordedEntry | None
    after: RecordedEntry | None

    @property
    def did(self) -> str:
        """The effect on the action, in one word or two."""
        if self.after is None or self.before is None:
            return "undone" if self.after is None else "redone"
        return "a second thought" if self.is_second_thought else "corrected"

    @property
    def is_second_thought(self) -> bool:
        """True if something was only added, such as a reroll, and earlier choices stay."""
        if self.before is None or self.after is None:
            return False
        had, has = self.before.intent, self.after.intent
        more = has.second_thoughts[len(had.second_thoughts) :]
        return had.params == has.params and bool(more) and all(each.kind != "adjust" for each in more)


@attrs.frozen(kw_only=True)
class Deed:
    """An action. ``outcome`` counts or, if the action was undone, last counted. Only ``wanted`` actions are written."""

    number: ActionNumber
    wanted: bool
    session: int
    outcome: RecordedEntry
    counts: bool
    changes: tuple[Change, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that count."""
        return self.outcome.events if self.counts else ()


def deeds(history: History, wanted: Wanted) -> Iterator[Deed]:
    """Yield all actions in the order of play; ``wanted`` judges each by the entry that took it."""
    session = 0
    for action, _ in history.outcomes():
        taken, *later = history.revisions(action)
        changes = tuple(_changes(history, taken, later))
        effective = changes[-1].after if changes else taken
        if effective is not None:
            session = opened_session(effective.events) or session
        yield Deed(
            number=action,
            wanted=wanted(taken),
            session=session,
            outcome=effective or history.latest_outcome(action),
            counts=effective is not None,
            changes=changes,
        )


def _changes(history: History, taken: RecordedEntry, later: list[RecordedEntry]) -> Iterator[Change]:
    before: RecordedEntry | None = taken
    for entry in later:
        after = None if entry.kind is EntryKind.UNDONE else entry
        if entry.kind is EntryKind.REDONE:
            after = history.revision(entry.action, entry.restores)
        yield Change(entry=entry, before=before, after=after)
        before = after
