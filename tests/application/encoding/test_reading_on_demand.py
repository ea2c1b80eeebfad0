"""A history that reads its entries on demand answers as one that has read them all, and the fold needs no more than it reads."""

from __future__ import annotations

import gc

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.entries import Entry, EntryKind, outline_of
from rollbook.domain.events import DiceRolled, Event, TimePassed
from rollbook.domain.history.chain import ROOT, lines_of, seal
from rollbook.domain.history.entry_list import PAGE
from rollbook.domain.history.event_store import NewEntry, StoredEntry
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import fold
from rollbook.domain.state.fold.draft import BRIEF
from tests.support.codec_lines import halves_of
from tests.support.comparison import comparable
from tests.support.memory_store import MemoryEventStore
from tests.support.random_steps import RandomSteps
from tests.support.strategies import HISTORIES, any_of
from tests.support.toy_table import ToyTable, play_random_steps


def stored(events: tuple[Event, ...]) -> StoredEntry:
    store = MemoryEventStore()
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    log.write(Head(), [Entry(EntryKind.TAKEN, 1, events)])
    (entry,) = log.stored()
    return entry


@given(HISTORIES)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_what_the_fold_reads_changes_what_the_events_change(history: list[Event]) -> None:
    read = CODEC.changes(stored(tuple(history)))
    assert comparable(fold(EMPTY, read)) == comparable(fold(EMPTY, history))


@pytest.mark.parametrize("cls", BRIEF, ids=lambda cls: cls.__name__)
@settings(max_examples=20, deadline=None, derandomize=True)
@given(data=st.data())
def test_an_event_in_brief_is_part_of_the_whole(cls: type[Event], data: st.DataObject) -> None:
    event = data.draw(any_of(cls))
    (brief,) = CODEC.changes(stored((event,)))
    assert type(brief) is BRIEF[cls]
    assert all(getattr(brief, field.name) == getattr(event, field.name) for field in attrs.fields(type(brief)))


@pytest.mark.parametrize("seed", range(4))
def test_a_history_read_on_demand_is_the_history(seed: int) -> None:
    table, store = ToyTable(), MemoryEventStore()
    play_random_steps(table, RandomSteps(seed), 40, corrections=0.4)
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    log.write(Head(), [entry._replace(hash="", previous_hash="") for entry in table.history.entries])
    whole, on_demand = History(map(log.read, log.stored())), log.history()
    assert [outline_of(CODEC.read(each))[:-1] for each in log.stored()] == [
        CODEC.outline(each)[:-1] for each in log.stored()
    ]
    assert comparable(on_demand.state) == comparable(whole.state)
    assert list(on_demand.entries) == list(whole.entries)
    assert list(on_demand.outcomes()) == list(whole.outcomes())
    assert on_demand.shown == whole.shown
    assert on_demand.last_correction == whole.last_correction
    assert [on_demand.place_of(action) for action in range(1, whole.actions + 1)] == [
        whole.place_of(action) for action in range(1, whole.actions + 1)
    ]
    for number in (0, 1, whole.head // 2, whole.head):
        assert comparable(on_demand.as_known_at(number)) == comparable(whole.as_known_at(number))


def test_entries_are_gone_through_page_by_page_with_those_that_are_added_meanwhile() -> None:
    store = MemoryEventStore()
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    log.write(Head(), [Entry(EntryKind.TAKEN, action, (TimePassed(seconds=60),)) for action in range(1, PAGE + 4)])
    history = log.history()
    seen = []
    for entry in history.entries:
        assert gc.isenabled()
        seen.append(entry.number)
        if entry.number == PAGE:
            history.add(history.entry(1)._replace(number=PAGE + 4, action=PAGE + 4))
    assert seen == list(range(1, PAGE + 5))


def test_what_is_added_to_a_copy_is_not_in_the_original() -> None:
    store = MemoryEventStore()
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    log.write(Head(), [Entry(EntryKind.TAKEN, 1, (TimePassed(seconds=60),))])
    original = log.history()
    copy = History(original.entries)
    copy.add(copy.entry(1)._replace(number=2, action=2))
    assert (len(original.entries), len(copy.entries)) == (1, 2)
    assert copy.entries[0:2] == list(copy.entries)


def test_an_entry_that_makes_no_sense_is_said_when_it_is_asked_for() -> None:
    entry = stored((TimePassed(seconds=60),))
    store = MemoryEventStore()
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    broken = entry._replace(data=entry.data.replace(b"TimePassed@1", b"TimeFlown@1"))
    store.append("sherwood", 0, [NewEntry(broken.kind, broken.data)])
    history = log.history()
    assert history.actions == 1
    with pytest.raises(HistoryDamaged, match="Entry @1 is damaged: there is no event called 'TimeFlown@1'"):
        history.entry(1)
    damaged, said = log.load()
    assert (damaged.head, "there is no event called 'TimeFlown@1'" in str(said)) == (0, True)


def test_what_the_fold_does_not_read_is_checked_when_a_history_is_loaded() -> None:
    """Somebody who can compute seals dice that make no sense."""
    roll = DiceRolled(roller="robin", purpose="luck", expression="1d20", total=7)
    lines = lines_of(stored((roll,)).data)[:-1]
    lines[2] = lines[2].replace(b'"total":7', b'"total":"seven"')
    forged = b"\n".join([*lines, seal(halves_of(lines).hash(ROOT, ""), ROOT)])
    store = MemoryEventStore()
    store.append("sherwood", 0, [NewEntry("ActionTaken@1", forged)])
    damaged, said = EntryLog(store, "sherwood", clock=lambda: 1).load()
    assert damaged.head == 0
    assert "Entry @1 is damaged: the DiceRolled@1 cannot be read" in str(said)
