"""Every event store keeps the promises of the port, line by line, whatever it is made of."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.storage.event_store import MemoryEventStore, SQLiteEventStore
from domain.errors import StaleHistory
from domain.event_store import Change, EventStore, StoredEvent

HIT = ("hit", b"5")
MISS = ("miss", b"")
HEAL = ("heal", b"\x00\xff")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventStore]:
    store = MemoryEventStore() if request.param == "memory" else SQLiteEventStore(tmp_path / "campaigns")
    yield store
    store.close()


def contents(store: EventStore) -> list[Change]:
    return list(store.changes())


def many(count: int) -> list[tuple[str, bytes]]:
    return [("tick", b"%d" % n) for n in range(1, count + 1)]


def test_an_empty_store_knows_no_campaign(store: EventStore) -> None:
    assert store.head("sherwood") == 0
    assert list(store.read("sherwood")) == []
    assert list(store.read_named("sherwood", ["hit"])) == []
    assert contents(store) == []
    assert store.last_position() == 0
    assert store.campaigns() == ()


def test_events_come_back_as_they_went_in_numbered_from_one(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    store.append("sherwood", 2, [HEAL])
    events = list(store.read("sherwood"))
    assert events == [StoredEvent(1, *HIT), StoredEvent(2, *MISS), StoredEvent(3, *HEAL)]
    assert {type(event) for event in events} == {StoredEvent}
    assert {type(event.data) for event in events} == {bytes}
    assert store.head("sherwood") == 3


def test_pairs_may_be_any_sequence(store: EventStore) -> None:
    store.append("sherwood", 0, (HIT, MISS))
    assert store.head("sherwood") == 2


def test_each_campaign_counts_for_itself_and_the_store_counts_all(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT])
    store.append("nottingham", 0, [MISS, HEAL])
    store.append("sherwood", 1, [MISS])
    changes = contents(store)
    assert [(change.campaign, change.event.version) for change in changes] == [
        ("sherwood", 1),
        ("nottingham", 1),
        ("nottingham", 2),
        ("sherwood", 2),
    ]
    assert {type(change) for change in changes} == {Change}
    assert {type(change.event) for change in changes} == {StoredEvent}
    positions = [change.position for change in changes]
    assert positions == sorted(set(positions))
    assert positions[0] > 0
    assert store.last_position() == positions[-1]


def test_changes_begin_after_the_position_asked_for(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS, HEAL])
    first, second, third = contents(store)
    assert list(store.changes(first.position)) == [second, third]
    assert list(store.changes(third.position)) == []
    assert list(store.changes(third.position + 1000)) == []


def test_campaigns_stand_in_order_of_their_first_event(store: EventStore) -> None:
    store.append("zeal", 0, [HIT])
    store.append("abbey", 0, [HIT])
    store.append("zeal", 1, [HIT])
    assert store.campaigns() == ("zeal", "abbey")


@pytest.mark.parametrize(
    ("after", "until", "versions"),
    [(0, None, [1, 2, 3]), (1, None, [2, 3]), (3, None, []), (9, None, []), (0, 2, [1, 2]), (1, 2, [2]), (2, 2, [])]
    + [(0, 0, []), (0, 99, [1, 2, 3]), (2, 1, []), (-5, 10**30, [1, 2, 3]), (10**30, None, [])],
)
def test_a_read_takes_what_is_after_and_up_to(
    store: EventStore, after: int, until: int | None, versions: list[int]
) -> None:
    store.append("sherwood", 0, [HIT, MISS, HEAL])
    assert [event.version for event in store.read("sherwood", after, until)] == versions


def test_only_the_named_events_are_read(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS, HIT, HEAL])
    store.append("nottingham", 0, [HIT])
    assert [event.version for event in store.read_named("sherwood", ["hit"])] == [1, 3]
    assert [event.version for event in store.read_named("sherwood", ["heal", "hit", "hit", "nobody"])] == [1, 3, 4]
    assert list(store.read_named("sherwood", [])) == []
    assert [event.version for event in store.read_named("sherwood", ["heal", *map(str, range(40_000))])] == [4]


def test_reads_longer_than_a_page_miss_nothing(store: EventStore) -> None:
    store.append("sherwood", 0, many(5000))
    store.append("nottingham", 0, many(5001))
    store.append("sherwood", 5000, many(5003))
    assert [event.version for event in store.read("sherwood")] == list(range(1, 10_004))
    assert [event.version for event in store.read("sherwood", 0, 5000)] == list(range(1, 5001))
    assert [event.version for event in store.read("sherwood", 3, 10_002)] == list(range(4, 10_003))
    assert [event.version for event in store.read_named("sherwood", ["tick"])] == list(range(1, 10_004))
    changes = contents(store)
    assert len(changes) == 15_004
    assert all(one.position < later.position for one, later in pairwise(changes))


def test_reads_are_lazy_and_a_reader_who_writes_meanwhile_comes_to_an_end(store: EventStore) -> None:
    reading, following = store.read("sherwood"), store.changes()
    store.append("sherwood", 0, many(5000))
    for version, _ in enumerate(reading, 5000):
        store.append("sherwood", version, [HIT])
        if version > 5100:
            break
    assert next(following).event.version == 1
    assert len(list(following)) < 2 * store.head("sherwood")


def test_a_late_writer_is_told_so_and_nothing_is_recorded(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    before = contents(store)
    with pytest.raises(StaleHistory, match=r"'sherwood' first: it stands at event 2, not 1\. Nothing was recorded"):
        store.append("sherwood", 1, [HEAL])
    assert contents(store) == before


@pytest.mark.parametrize("expected", [1, 7, 10**30])
def test_nothing_can_follow_an_event_that_is_not_there(store: EventStore, expected: int) -> None:
    with pytest.raises(StaleHistory, match="stands at event 0, so nothing can follow"):
        store.append("sherwood", expected, [HIT])
    assert contents(store) == []
    store.append("sherwood", 0, [HIT])
    assert store.head("sherwood") == 1


def test_a_negative_version_is_not_at_the_head_either(store: EventStore) -> None:
    with pytest.raises(StaleHistory):
        store.append("sherwood", -1, [HIT])
    assert contents(store) == []


def test_sending_again_what_already_stands_there_is_success_and_adds_nothing(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT])
    store.append("sherwood", 1, [MISS, HEAL])
    store.append("sherwood", 3, [HIT])
    before = contents(store)
    store.append("sherwood", 1, [MISS, HEAL])
    store.append("sherwood", 0, [HIT, MISS, HEAL, HIT])
    assert contents(store) == before


@pytest.mark.parametrize(
    "events",
    [[HIT, HEAL], [("hit", b"6"), MISS], [("miss", b"5"), MISS], [HIT, MISS, HEAL], [MISS, HIT]],
    ids=["other event", "other bytes", "other name", "more than stands there", "other order"],
)
def test_sending_something_else_in_the_same_place_is_a_conflict(
    store: EventStore, events: list[tuple[str, bytes]]
) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    before = contents(store)
    with pytest.raises(StaleHistory):
        store.append("sherwood", 0, events)
    assert contents(store) == before


def test_nothing_can_be_appended_at_the_head_and_only_there(store: EventStore) -> None:
    store.append("sherwood", 0, [])
    assert store.campaigns() == ()
    store.append("sherwood", 0, [HIT])
    store.append("sherwood", 1, [])
    with pytest.raises(StaleHistory):
        store.append("sherwood", 0, [])
    assert store.head("sherwood") == 1


@pytest.mark.parametrize("campaign", ["", "Räuber Hotzenplotz 🏹", "it's; DROP TABLE", "%", "a" * 5000, "a\x00b"])
def test_any_text_can_be_the_name_of_a_campaign(store: EventStore, campaign: str) -> None:
    store.append("a", 0, [MISS])
    store.append(campaign, 0, [HIT])
    assert list(store.read(campaign)) == [StoredEvent(1, *HIT)]
    assert store.campaigns() == ("a", campaign)


def test_closing_twice_does_no_harm(store: EventStore) -> None:
    store.close()
    store.close()


def test_of_threads_that_race_for_one_version_one_wins_each_time(store: EventStore) -> None:
    wins: list[tuple[int, bytes]] = []

    def play(player: int) -> None:
        for turn in range(25):
            while True:
                head = store.head("sherwood")
                data = b"%d %d" % (player, turn)
                try:
                    store.append("sherwood", head, [("turn", data), ("end", data)])
                except StaleHistory:
                    continue
                wins.append((head, data))
                break

    threads = [threading.Thread(target=play, args=(player,)) for player in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = list(store.read("sherwood"))
    assert [event.version for event in events] == list(range(1, 201))
    assert sorted(wins) == [(one.version - 1, one.data) for one in events[::2]]
    assert [one.data for one in events[::2]] == [two.data for two in events[1::2]]


commands = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(-1, 6),
        st.lists(st.tuples(st.sampled_from(["x", "y"]), st.binary(max_size=2)), max_size=3),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=60)
@given(commands)
def test_all_stores_tell_the_same_story(commands: list[tuple[str, int, list[tuple[str, bytes]]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stores: list[EventStore] = [MemoryEventStore(), SQLiteEventStore(Path(folder) / "campaigns")]
        for campaign, expected, events in commands:
            outcomes = set()
            for store in stores:
                try:
                    store.append(campaign, expected, events)
                    outcomes.add("done")
                except StaleHistory as refusal:
                    outcomes.add(str(refusal))
            assert len(outcomes) == 1
        memory, sqlite = stores
        assert contents(memory) == contents(sqlite)
        assert memory.campaigns() == sqlite.campaigns()
        assert [list(memory.read(name)) for name in "ab"] == [list(sqlite.read(name)) for name in "ab"]
        sqlite.close()
