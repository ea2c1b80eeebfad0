"""Every event store keeps the promises of the port, line by line, whatever it is made of."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.history.chain import seal
from rollbook.domain.history.event_store import (
    START,
    EventStore,
    NewEntry,
    StoredChange,
    StoredEntry,
    StoreState,
    StreamEnd,
    StreamState,
    Tombstone,
    WholeStore,
)
from tests.support.memory_store import MemoryEventStore

HIT = NewEntry("hit@1", b"5", ("DamageTaken", "DiceRolled"))
MISS = NewEntry("miss@1", b"", ("DiceRolled",))
HEAL = NewEntry("heal@2", b"\x00\xff")
SEALED = HIT._replace(data=HIT.data + b"\n" + seal("ab" * 32, "cd" * 32))


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventStore]:
    store: EventStore
    if request.param == "memory":
        store = MemoryEventStore()
    elif request.param == "sqlite":
        store = SQLiteEventStore(tmp_path / "campaigns")
    else:
        store = PostgresEventStore(request.getfixturevalue("postgres_store"))
    yield store
    store.close()


def contents(store: EventStore) -> list[StoredChange]:
    return list(store.changes())


def many(count: int) -> list[NewEntry]:
    return [NewEntry("tick", b"%d" % n) for n in range(1, count + 1)]


def at(version: int, entry: NewEntry) -> StoredEntry:
    return StoredEntry(version, entry.kind, entry.data)


def test_an_empty_store_knows_no_campaign(store: EventStore) -> None:
    assert store.head("sherwood") == 0
    assert list(store.read("sherwood")) == []
    assert list(store.read_kinds("sherwood", ["hit"])) == []
    assert store.by_command("sherwood", "k") == ()
    assert store.marker("sherwood") is None
    assert contents(store) == []
    assert store.last_position() == START
    assert store.state() == StoreState(store.identity(), 0, START, None, None)
    assert store.count() == 0
    assert store.campaigns() == ()


def test_entries_come_back_as_they_went_in_numbered_from_one(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    store.append("sherwood", 2, [HEAL])
    entries = list(store.read("sherwood"))
    assert entries == [at(1, HIT), at(2, MISS), at(3, HEAL)]
    assert {type(entry) for entry in entries} == {StoredEntry}
    assert {type(entry.data) for entry in entries} == {bytes}
    assert store.head("sherwood") == 3


def test_entries_may_be_any_sequence(store: EventStore) -> None:
    store.append("sherwood", 0, (HIT, MISS))
    assert store.head("sherwood") == 2


def test_each_campaign_counts_for_itself_and_the_store_counts_all(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT])
    store.append("nottingham", 0, [MISS, HEAL])
    store.append("sherwood", 1, [MISS])
    changes = contents(store)
    assert [(change.stream, change.entry.version) for change in changes] == [
        ("sherwood", 1),
        ("nottingham", 1),
        ("nottingham", 2),
        ("sherwood", 2),
    ]
    assert {type(change) for change in changes} == {StoredChange}
    assert {type(change.entry) for change in changes} == {StoredEntry}
    cursors = [change.cursor for change in changes]
    assert len({START, *cursors}) == 5
    assert store.last_position() == cursors[-1]
    ends = [None, *(StreamEnd(change.stream, change.entry.version, "") for change in changes)]
    found = [store.state(cursor) for cursor in (START, *cursors)]
    assert found == [StoreState(store.identity(), 0, cursors[-1], ends[-1], known) for known in ends]
    assert not any(map(store.is_set_back_since, [START, *cursors]))
    assert [store.count(cursor) for cursor in (START, *cursors)] == [4, 3, 2, 1, 0]


def test_changes_begin_after_the_cursor_asked_for(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS, HEAL])
    first, second, third = contents(store)
    assert list(store.changes(first.cursor)) == [second, third]
    assert list(store.changes(third.cursor)) == []
    assert list(store.changes(store.last_position())) == []
    assert list(store.changes(START)) == list(store.changes()) == [first, second, third]


def test_campaigns_are_in_the_order_of_their_first_entry(store: EventStore) -> None:
    store.append("zeal", 0, [HIT])
    store.append("abbey", 0, [HIT])
    store.append("zeal", 1, [HIT])
    assert store.campaigns() == ("zeal", "abbey")


def test_ends_are_the_last_entries_of_what_has_changed_since(store: EventStore) -> None:
    assert list(store.ends()) == []
    store.append("zeal", 0, [HIT, SEALED])
    store.append("abbey", 0, [HIT])
    between = store.last_position()
    store.append("abbey", 1, [MISS, SEALED])
    store.begin("zeal~1", b"from zeal", [])
    assert sorted(store.ends(START)) == [StreamEnd("abbey", 3, "ab" * 32), StreamEnd("zeal", 2, "ab" * 32)]
    assert list(store.ends(between)) == [StreamEnd("abbey", 3, "ab" * 32)]
    assert list(store.ends(store.last_position())) == []
    store.append("zeal", 2, [MISS])
    assert list(store.ends(between)) == [StreamEnd("abbey", 3, "ab" * 32), StreamEnd("zeal", 3, "")]


def test_the_state_of_a_stream_has_its_head_and_the_hash_of_an_entry(store: EventStore) -> None:
    store.append("zeal", 0, [HIT, SEALED])
    for version, found in ((0, ""), (1, ""), (2, "ab" * 32), (3, "")):
        assert store.stream_state("zeal", version) == StreamState(store.identity(), 0, 2, (version, found))


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


def test_entries_are_found_by_their_kind_and_by_those_of_their_events(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS, HIT, HEAL])
    store.append("nottingham", 0, [HIT])

    def found(*kinds: str, after: int = 0) -> list[int]:
        return [entry.version for entry in store.read_kinds("sherwood", kinds, after)]

    assert list(store.read_kinds("sherwood", ["heal"])) == [at(4, HEAL)]
    assert found("hit") == found("DamageTaken") == [1, 3]
    assert found("DiceRolled") == [1, 2, 3]
    assert found("DiceRolled", after=1) == [2, 3]
    assert found("heal", "hit", "hit", "nobody") == [1, 3, 4]
    assert found() == found("hit@1") == found("Dice") == found("DamageTaken", after=3) == []
    assert found("heal", *map(str, range(40_000))) == [4]


def test_entries_are_found_by_the_command_that_made_them(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS._replace(command="mira 7"), HEAL._replace(command="mira 7")])
    store.append("sherwood", 3, [HIT._replace(command="mira 8")])
    store.append("nottingham", 0, [HIT._replace(command="mira 7")])
    assert store.by_command("sherwood", "mira 7") == (2, 3)
    assert store.by_command("sherwood", "mira 8") == (4,)
    assert store.by_command("nottingham", "mira 7") == (1,)
    assert store.by_command("sherwood", "mira") == store.by_command("sherwood", "") == ()


def test_what_a_copy_is_made_of_is_what_was_appended(store: WholeStore) -> None:
    made = [HIT, MISS._replace(command="mira 7"), HEAL, *many(2500), HIT._replace(command="mira 8")]
    store.append("sherwood", 0, made)
    store.append("nottingham", 0, [HEAL._replace(command="mira 7")])
    assert list(store.read_to_copy("sherwood")) == list(enumerate(made, 1))
    assert list(store.read_to_copy("sherwood", 2)) == list(enumerate(made[2:], 3))
    assert list(store.read_to_copy("sherwood", len(made))) == list(store.read_to_copy("nobody")) == []


def test_tombstones_of_another_store_remove_nothing_and_leave_nothing_to_wipe(store: WholeStore) -> None:
    store.append("sherwood", 0, [HIT])
    stones = [Tombstone("sherwood", 7, "hash", "identity", 5), Tombstone("locksley", 1, "", "other", 4)]
    store.keep_tombstones(stones)
    assert store.tombstones() == tuple(stones)
    assert (store.head("sherwood"), store.is_wiped(), store.removals(), store.state().removals) == (1, True, 2, 2)


def test_a_timeline_begins_with_its_marker_which_is_no_entry(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT])
    store.begin("sherwood~1", b"where", [MISS, HEAL])
    store.begin("sherwood~2", b"there", [])
    assert (store.marker("sherwood~1"), store.marker("sherwood~2"), store.marker("sherwood")) == (
        b"where",
        b"there",
        None,
    )
    assert list(store.read("sherwood~1")) == [at(1, MISS), at(2, HEAL)]
    assert (store.head("sherwood~1"), store.head("sherwood~2")) == (2, 0)
    assert [change.stream for change in contents(store)] == ["sherwood", "sherwood~1", "sherwood~1"]
    assert store.campaigns() == ("sherwood", "sherwood~1", "sherwood~2")
    store.append("sherwood~2", 0, [HIT])
    assert list(store.read("sherwood~2")) == [at(1, HIT)]
    before = contents(store)
    for stream in ("sherwood", "sherwood~1", "sherwood~2"):
        with pytest.raises(StaleHistory, match="There is already"):
            store.begin(stream, b"again", [HIT])
    assert contents(store) == before
    assert store.marker("sherwood") is None


def test_a_store_is_told_from_every_other(store: EventStore) -> None:
    assert len(bytes.fromhex(store.identity())) == 16
    assert store.identity() == store.identity() != MemoryEventStore().identity()


def test_reads_longer_than_a_page_miss_nothing(store: EventStore) -> None:
    store.append("sherwood", 0, many(5000))
    store.append("nottingham", 0, many(5001))
    store.append("sherwood", 5000, many(5003))
    assert [event.version for event in store.read("sherwood")] == list(range(1, 10_004))
    assert [event.version for event in store.read("sherwood", 0, 5000)] == list(range(1, 5001))
    assert [event.version for event in store.read("sherwood", 3, 10_002)] == list(range(4, 10_003))
    assert [event.version for event in store.read_kinds("sherwood", ["tick"])] == list(range(1, 10_004))
    changes = contents(store)
    assert len(changes) == 15_004
    assert len({change.cursor for change in changes}) == 15_004
    middle = changes[7_000].cursor
    assert list(store.changes(middle)) == changes[7_001:]


def test_reads_are_lazy_and_a_reader_who_writes_meanwhile_comes_to_an_end(store: EventStore) -> None:
    reading, following = store.read("sherwood"), store.changes()
    store.append("sherwood", 0, many(5000))
    for version, _ in enumerate(reading, 5000):
        store.append("sherwood", version, [HIT])
        if version > 5100:
            break
    assert next(following).entry.version == 1
    assert len(list(following)) < 2 * store.head("sherwood")


def test_a_late_writer_is_told_so_and_nothing_is_recorded(store: EventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    before = contents(store)
    with pytest.raises(StaleHistory, match=r"'sherwood' first: it is at entry @2, not @1\. Nothing was recorded"):
        store.append("sherwood", 1, [HEAL])
    assert contents(store) == before


@pytest.mark.parametrize("expected", [1, 7, 2**63 - 1, 10**30])
def test_nothing_can_follow_an_entry_that_is_not_there(store: EventStore, expected: int) -> None:
    with pytest.raises(StaleHistory, match="is at entry @0, so nothing can follow"):
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
    "entries",
    [[HIT, HEAL], [HIT._replace(data=b"6"), MISS], [HIT._replace(kind="miss"), MISS], [HIT, MISS, HEAL], [MISS, HIT]],
    ids=["other entry", "other bytes", "other name", "more than stands there", "other order"],
)
def test_sending_something_else_in_the_same_place_is_a_conflict(store: EventStore, entries: list[NewEntry]) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    before = contents(store)
    with pytest.raises(StaleHistory):
        store.append("sherwood", 0, entries)
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
    assert list(store.read(campaign)) == [at(1, HIT)]
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
                    store.append("sherwood", head, [NewEntry("turn", data), NewEntry("end", data)])
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


KINDS = st.sampled_from([(), ("A",), ("A", "B")])
commands = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(-1, 6),
        st.lists(st.builds(NewEntry, st.sampled_from(["x", "y"]), st.binary(max_size=2), KINDS), max_size=3),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=60)
@given(commands)
def test_all_stores_tell_the_same_story(commands: list[tuple[str, int, list[NewEntry]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stores: list[EventStore] = [MemoryEventStore(), SQLiteEventStore(Path(folder) / "campaigns")]
        for campaign, expected, entries in commands:
            outcomes = set()
            for store in stores:
                try:
                    store.append(campaign, expected, entries)
                    outcomes.add("done")
                except StaleHistory as refusal:
                    outcomes.add(str(refusal))
            assert len(outcomes) == 1
        memory, sqlite = stores
        assert contents(memory) == contents(sqlite)
        assert memory.campaigns() == sqlite.campaigns()
        for name in "ab":
            assert list(memory.read(name)) == list(sqlite.read(name))
            for kind in "ABxy":
                assert list(memory.read_kinds(name, kind)) == list(sqlite.read_kinds(name, kind))
        sqlite.close()


def test_pictures_are_kept_once_by_campaign_and_go_when_they_are_removed_or_the_campaign_is(store: EventStore) -> None:
    assert (store.pictures("sherwood"), store.picture("sherwood", "ab")) == ((), None)
    store.append("sherwood", 0, [HIT])
    for digest, data in (("ef", b"\x00\xff"), ("ab", b"green"), ("ab", b"other")):
        store.keep_picture("sherwood", digest, data)
    store.keep_picture("locksley", "ab", b"red")
    assert store.pictures("sherwood") == ("ab", "ef")
    assert [store.picture("sherwood", digest) for digest in ("ab", "ef", "cd")] == [b"green", b"\x00\xff", None]
    store.drop_pictures("sherwood", ("ab", "cd"))
    assert (store.pictures("sherwood"), store.pictures("locksley")) == (("ef",), ("ab",))
    store.delete(["sherwood"], Tombstone("sherwood", 1, "", "", 5))
    assert (store.pictures("sherwood"), store.picture("locksley", "ab")) == ((), b"red")
