"""A history that reads its entries on demand answers as one that has read them all, and what makes no sense is said."""

from __future__ import annotations

import pytest

from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.domain.entries import Entry, EntryKind
from rollbook.domain.events import DiceRolled, Event, TimePassed
from rollbook.domain.history.chain import ROOT, lines_of, seal
from rollbook.domain.history.event_store import NewEntry, StoredEntry
from rollbook.domain.history.history import History
from tests.support.codec_lines import halves_of
from tests.support.comparison import comparable
from tests.support.memory_store import MemoryEventStore
from tests.support.random_steps import RandomSteps
from tests.support.toy_table import ToyTable, play_random_steps


def stored(events: tuple[Event, ...]) -> StoredEntry:
    store = MemoryEventStore()
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    log.write(Head(), [Entry(EntryKind.TAKEN, 1, events)])
    (entry,) = log.stored()
    return entry


@pytest.mark.parametrize("seed", range(4))
def test_a_history_read_on_demand_is_the_history(seed: int) -> None:
    table, store = ToyTable(), MemoryEventStore()
    play_random_steps(table, RandomSteps(seed), 40, corrections=0.4)
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    log.write(Head(), [entry._replace(hash="", previous_hash="") for entry in table.history.entries])
    whole = History(map(log.read, log.stored()))
    on_demand = History(log.to_be_read(8))
    for entry in log.entries():
        on_demand.add(entry)
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


def test_what_is_added_to_a_copy_is_not_in_the_original() -> None:
    store = MemoryEventStore()
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    log.write(Head(), [Entry(EntryKind.TAKEN, 1, (TimePassed(seconds=60),))])
    original, _ = log.load()
    copy = History(original.entries)
    copy.add(copy.entry(1)._replace(number=2, action=2))
    assert (len(original.entries), len(copy.entries)) == (1, 2)
    assert copy.entries[0:2] == list(copy.entries)


def test_an_entry_that_makes_no_sense_is_said_and_left_out() -> None:
    entry = stored((TimePassed(seconds=60),))
    store = MemoryEventStore()
    log = EntryLog(store, "sherwood", clock=lambda: 1)
    broken = entry._replace(data=entry.data.replace(b"TimePassed@1", b"TimeFlown@1"))
    store.append("sherwood", 0, [NewEntry(broken.kind, broken.data)])
    damaged, said = log.load()
    assert (damaged.head, "there is no event called 'TimeFlown@1'" in str(said)) == (0, True)


def test_what_the_fold_does_not_use_is_checked_when_a_history_is_loaded() -> None:
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
