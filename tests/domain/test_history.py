"""Entries are only added, each fits what stands there, and marks and caches never show in an answer."""

from __future__ import annotations

import pytest

from rollbook.domain.base.errors import HistoryDamaged, NotFound
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, recorded
from rollbook.domain.events import NoteWritten
from rollbook.domain.history import checkpoints as module
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import Draft
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps
from tests.support.toy_table import ToyTable, play_random_steps


def taken(number: int, action: int) -> RecordedEntry:
    note = Entry(EntryKind.TAKEN, action, (NoteWritten(text="words"),), intent=Intent(verb="note"))
    return recorded(note, number)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (taken(1, 2), "Entry @1 is damaged: it follows entry @1"),
        (taken(2, 1), "takes action #1, but #2 is next"),
        (taken(2, 3), "takes action #3, but #2 is next"),
        (RecordedEntry(EntryKind.UNDONE, 2, number=2), "corrects action #2, which was never taken"),
        (RecordedEntry(EntryKind.UNDONE, 0, number=2), "corrects action #0, which was never taken"),
        (RecordedEntry(EntryKind.REDONE, 1, number=2, restores=2), "has no outcome with revision 2"),
        (RecordedEntry(EntryKind.REDONE, 1, number=2, restores=1), "it is revision 1 of action #1, but 2 is next"),
        (RecordedEntry(EntryKind.REVISED, 1, number=2, revision=3), "it is revision 3 of action #1, but 2 is next"),
        (RecordedEntry(EntryKind.UNDONE, 1, number=2, revision=2, restores=1), "redoes nothing"),
        (taken(2, 2)._replace(revision=2), "takes action #2 as revision 2, and not as the first"),
    ],
)
def test_what_does_not_fit_is_damage_and_is_not_added(entry: RecordedEntry, said: str) -> None:
    history = History([taken(1, 1)])
    with pytest.raises(HistoryDamaged, match=said):
        history.add(entry)
    assert (history.head, history.actions) == (1, 1)
    assert len(history.revisions(1)) == 1


def test_an_entry_or_action_that_is_not_there_is_not_found() -> None:
    history = History([taken(1, 1)])
    for number in (0, 2, -1):
        with pytest.raises(NotFound, match="this history has 1"):
            history.entry(number)
        with pytest.raises(NotFound, match="the last one is #1"):
            history.effective(number)
    with pytest.raises(NotFound, match="nothing has happened yet"):
        History().revisions(1)


@pytest.mark.parametrize("every", [1, 2, 3, 7, 512])
def test_marks_never_show(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHECKPOINT_EVERY", every)
    for seed in range(4):
        table = ToyTable()
        chance = RandomSteps(seed)
        for _ in range(8):
            play_random_steps(table, chance, 4, corrections=0.4)
            before = chance.random.randint(1, table.history.actions)
            assert comparable(table.history.state_before(before)) == comparable(unmarked(table.history, before))
            assert comparable(table.state) == comparable(unmarked(table.history, table.history.actions + 1))


def unmarked(history: History, before: int) -> object:
    events = [entry.events for action, entry in history.outcomes() if entry is not None and action < before]
    return Draft(EMPTY).campaign if not events else folded(events)


def folded(events: list[tuple[object, ...]]) -> object:
    draft = Draft(EMPTY)
    for each in events:
        draft.apply(each)  # type: ignore[arg-type]
    return draft.publish()


def test_the_revisions_of_an_action_are_numbered_and_one_of_them_counts() -> None:
    table = ToyTable()
    table.do("adjust", who="robin", what="hp", by=-1, reason="so")
    action = table.history.actions
    table.amend(action, by=-2)
    table.undo(action)
    table.redo(action, 1)
    revisions = table.history.revisions(action)
    assert [entry.revision for entry in revisions] == [1, 2, 3, 4]
    assert table.history.effective(action) == revisions[0] == table.history.latest_outcome(action)
    assert table.history.next_revision(action) == 5
    assert table.history.seat_of(action) == "Ana"
    assert [entry.is_outcome for entry in revisions] == [True, True, False, False]
