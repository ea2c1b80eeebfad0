"""A store that is copied is the same store elsewhere, byte for byte, however often the copy was stopped on the way."""

from __future__ import annotations

import select
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.keeping.copying import Copied, Side, StoreCopy
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.redaction import redact
from rollbook.application.timelines.forking import fork
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.history.event_store import NewEntry, Tombstone, WholeStore
from tests.support.campaigns import begin_campaign, file_book
from tests.support.memory_store import MemoryEventStore
from tests.support.processes import piped
from tests.support.redacting import WORDS, note_of, words_on_disk
from tests.support.stores import whole


def copied(source: Path, target: Path, *, with_seeds: bool = True) -> Copied:
    """Copy the store in one folder to the store in another."""
    with (
        closing(SQLiteEventStore(source / "rollbook.db")) as here,
        closing(SQLiteEventStore(target / "rollbook.db")) as there,
    ):
        made = StoreCopy(side(here, source), side(there, target), with_seeds=with_seeds)
        made.make()
        report = made.compare()
        made.hand_over()
        assert whole(here) == whole(there)
    return report


def side(store: SQLiteEventStore, folder: Path) -> Side:
    return Side(store, SeedKeeper(folder / "seeds").of_store(store.identity()), folder.name, store.path)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A computer whose store has campaigns with a timeline, removed words, a deleted campaign and an open session."""
    (tmp_path / "here").mkdir()
    with file_book(tmp_path / "here") as book:
        campaign = begin_campaign(book)
        campaign.do("roll", {"expression": "1d20"}, command="a name of its own")
        redact(book, campaign, note_of(campaign), why="it was asked for")
        fork(book, campaign).do("note", {"text": "elsewhere"})
        gone = begin_campaign(book, "Locksley", session=False)
        delete_campaign(book, stone_of(book, gone.id))
        begin_campaign(book, "Nottingham", session=False)
    return tmp_path / "here"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """Another computer."""
    (tmp_path / "there").mkdir()
    return tmp_path / "there"


def test_a_copy_is_the_same_byte_for_byte_and_is_played_on_with_its_own_dice(here: Path, there: Path) -> None:
    report = copied(here, there)
    assert (report.campaigns, report.timelines, report.tombstones, report.damaged) == (2, 1, 1, ())
    with file_book(there) as book:
        campaign = book.campaign("sherwood")
        assert campaign.do("roll", {"expression": "1d20"}, command="another").number == campaign.head.entry
        assert all(answer.verdict is not Verdict.FAILED for answer in campaign.audit())
        assert book.campaign("sherwood~1").state.name == "Sherwood"
        assert [stone.campaign for stone in book.store.tombstones()] == ["locksley"]


def test_of_the_two_only_the_copy_goes_on_drawing_dice(here: Path, there: Path) -> None:
    copied(here, there)
    with file_book(here) as book, pytest.raises(RollbookError, match="seeds are not here"):
        book.campaign("sherwood").do("roll", {"expression": "1d20"})


def test_a_copy_to_look_at_leaves_the_dice_where_they_are(here: Path, there: Path) -> None:
    copied(here, there, with_seeds=False)
    with file_book(there) as book, pytest.raises(RollbookError, match="seeds are not here"):
        book.campaign("sherwood").do("roll", {"expression": "1d20"})
    with file_book(here) as book:
        assert book.campaign("sherwood").do("roll", {"expression": "1d20"})


def test_it_goes_back_and_forth_with_what_was_played(here: Path, there: Path) -> None:
    copied(here, there)
    with file_book(there) as book:
        book.campaign("sherwood").do("roll", {"expression": "1d20"})
    assert copied(there, here).new == 1
    with file_book(here) as book:
        assert book.campaign("sherwood").do("roll", {"expression": "1d20"})


def test_what_was_removed_since_is_removed_from_the_copy_too(here: Path, there: Path) -> None:
    with file_book(here) as book:
        words = note_of(book.campaign("sherwood"))
        begin_campaign(book, "Doncaster", session=False).do("note", {"text": WORDS})
    copied(here, there)
    assert words_on_disk(there)
    with file_book(here) as book:
        redact(book, book.campaign("sherwood"), words, why="it was asked for")
        delete_campaign(book, stone_of(book, "doncaster"))
    copied(here, there)
    assert not [path for path in words_on_disk(there) if ".read." not in path]


def test_what_was_played_on_and_then_deleted_is_deleted_from_the_copy_too(here: Path, there: Path) -> None:
    copied(here, there)
    with file_book(here) as book:
        book.campaign("sherwood").do("note", {"text": "one more"})
        delete_campaign(book, stone_of(book, "sherwood"))
        begin_campaign(book, drawn="again")
    with (
        closing(SQLiteEventStore(here / "rollbook.db")) as one,
        closing(SQLiteEventStore(there / "rollbook.db")) as other,
    ):
        StoreCopy(side(one, here), side(other, there)).make()
        assert other.campaigns() == one.campaigns() == ("nottingham", "sherwood")
        assert list(other.read("sherwood")) == list(one.read("sherwood"))
        assert [stone.campaign for stone in other.tombstones()] == ["locksley", "sherwood"]


@pytest.mark.parametrize(("stream", "said"), [("locksley", "not in here"), ("nottingham", "another history")])
def test_a_store_with_anything_else_in_it_is_no_target(here: Path, there: Path, stream: str, said: str) -> None:
    with file_book(there) as book:
        begin_campaign(book, stream, drawn="otherwise", session=False)
        before = whole(book.store)
    with pytest.raises(RollbookError, match=f"{said}.*nothing was copied"):
        copied(here, there)
    with file_book(there) as book:
        assert whole(book.store) == before


def test_a_target_that_was_played_on_is_left_alone(here: Path, there: Path) -> None:
    copied(here, there)
    with file_book(there) as book:
        book.campaign("nottingham").do("note", {"text": "more"})
    with pytest.raises(RollbookError, match="nottingham is in there with another history; nothing was copied"):
        copied(here, there)


def test_a_campaign_that_was_deleted_in_the_target_does_not_come_back(here: Path, there: Path) -> None:
    copied(here, there)
    with file_book(there) as book:
        delete_campaign(book, stone_of(book, "nottingham"))
    with pytest.raises(RollbookError, match="nottingham was deleted from there and not from here; nothing was copied"):
        copied(here, there)


def test_a_store_is_not_copied_to_itself(here: Path) -> None:
    with pytest.raises(RollbookError, match="here and here are the same store"):
        copied(here, here)


def test_a_stream_with_a_hole_is_left_out_and_said_and_the_others_come(here: Path, there: Path) -> None:
    with closing(SQLiteEventStore(here / "rollbook.db")) as store:
        store._recorder.rows("DROP TRIGGER entries_remain")
        store._recorder.rows("DELETE FROM stored_events WHERE originator_id = 'sherwood' AND originator_version = 3")
    with (
        closing(SQLiteEventStore(here / "rollbook.db")) as one,
        closing(SQLiteEventStore(there / "rollbook.db")) as other,
    ):
        made = StoreCopy(side(one, here), side(other, there))
        made.make()
        report = made.compare()
        assert report.damaged == ("sherwood: Entry @3 is missing.",)
        assert made.hand_over() == 0, "the seeds of what is left out stay with it"
        assert other.head("nottingham") == one.head("nottingham")
        assert not other.head("sherwood")


def test_what_differs_in_the_end_is_found(here: Path, there: Path) -> None:
    copied(here, there)
    with closing(SQLiteEventStore(there / "rollbook.db")) as store:
        store._recorder.rows("DROP TRIGGER entries_stay")
        store._recorder.rows(
            "UPDATE stored_events SET state = x'00' WHERE originator_version = 2 AND originator_id = 'sherwood'"
        )
    with pytest.raises(HistoryDamaged, match="Entry @2 of sherwood is another in there than in here"):
        copied(here, there)


# Stopped at any moment.


class Stopped(Exception):
    """The copy ends here."""


class Stopping(MemoryEventStore):
    """A store that stops who writes to it, after so many writes, before or after the last one of them."""

    left = 0

    def _write(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Stopped

    def append(self, *what) -> None:
        self._write()
        super().append(*what)

    def begin(self, *what) -> None:
        self._write()
        super().begin(*what)

    def delete(self, *what) -> None:
        self._write()
        super().delete(*what)

    def keep_tombstones(self, *what) -> None:
        self._write()
        super().keep_tombstones(*what)


ENTRIES = st.lists(
    st.builds(
        NewEntry,
        st.just("x@1"),
        st.binary(max_size=3),
        st.sampled_from([(), ("A",), ("A", "B")]),
        st.sampled_from(["", "k"]),
    ),
    max_size=4,
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.sampled_from(["a", "b", "a~1"]), ENTRIES),
        st.tuples(st.just("begin"), st.sampled_from(["a~1", "b~1"]), ENTRIES),
        st.tuples(st.just("delete"), st.sampled_from("ab"), st.none()),
    ),
    max_size=12,
)


def change(store: WholeStore, how: str, stream: str, entries: list[NewEntry] | None) -> None:
    """One thing that may happen to a store. Nobody takes the name of what was deleted: without seals the two are alike."""
    if how != "delete" and any(stone.campaign == stream.partition("~")[0] for stone in store.tombstones()):
        return
    if how == "begin" and store.marker(stream) is None and not store.head(stream):
        store.begin(stream, b"where", entries or [])
    elif how == "append" and ("~" not in stream or store.marker(stream) is not None):
        store.append(stream, store.head(stream), entries or [])
    elif how == "delete" and store.head(stream):
        streams = [one for one in store.campaigns() if one.partition("~")[0] == stream]
        store.delete(streams, Tombstone(stream, store.head(stream), "", "id", 1 + len(store.tombstones())))


@settings(max_examples=100)
@given(first=STEPS, then=STEPS, stops=st.lists(st.integers(0, 4), max_size=6))
def test_stopped_at_any_moment_and_said_again_it_ends_equal(first, then, stops: list[int], tmp_path_factory) -> None:
    folder = tmp_path_factory.getbasetemp() / "no seeds"
    source, target = MemoryEventStore(), Stopping()
    sides = [
        Side(store, SeedKeeper(folder).of_store(store.identity()), name)
        for store, name in ((source, "one"), (target, "two"))
    ]
    for steps in (first, then):
        for step in sorted(steps, key=lambda step: step[0] != "delete") if steps is then else steps:
            change(source, *step)
        for target.left in (*stops, 10_000):
            with suppress(Stopped):
                StoreCopy(*sides).make()
        StoreCopy(*sides).compare()
        assert whole(target) == whole(source)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of many streams, whose copy takes a second."""
    path = tmp_path_factory.mktemp("long") / "rollbook.db"
    with closing(SQLiteEventStore(path)) as store:
        for at in range(60):
            entries = [NewEntry("x@1", b"%d %d" % (at, n), ("A",), f"k{n}") for n in range(400 + 100 * (at % 7))]
            store.append(f"c{at}", 0, entries)
            store.begin(f"c{at}~1", b"where", entries[:at])
    return path


def test_killed_at_any_moment_and_said_again_it_ends_equal(long: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ROLLBOOK_SEEDS", str(tmp_path / "seeds"))
    target = tmp_path / "other.db"
    with closing(SQLiteEventStore(target)) as other:
        killed = [kill_after(entries, long, other) for entries in (1, 2_000, 6_000, 14_000, 26_000, 40_000)]
        assert sum(killed) > 2, "it was over before it could be killed"
        kill_after(10**9, long, other)
        with closing(SQLiteEventStore(long)) as one:
            assert whole(one) == whole(other)


def kill_after(entries: int, long: Path, target: SQLiteEventStore) -> bool:
    """Copy, and kill that when there are so many entries in the target. Whether it was not done by then."""
    process = piped("store", "copy", str(long), str(target.path), "--leave-seeds")
    is_over = False
    while target.count() < entries and not (is_over := bool(select.select([process.stdout], [], [], 0.002)[0])):
        pass
    if not is_over:
        process.kill()
        return True
    assert process.wait() == 0, process.stderr.read()
    return False
