"""The role that plays can add entries and change none; what leaves the store leaves it by the owner's two functions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import errors

from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.storage.postgres.upkeep import migrate
from rollbook.domain.base.errors import RollbookError, StaleHistory
from rollbook.domain.history.chain import ROOT, halves, seal
from rollbook.domain.history.event_store import NewEntry, Tombstone
from rollbook.domain.history.redaction import without_notes

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer

INSERT = "INSERT INTO rollbook.stored_events (originator_id, originator_version, topic, state"
WORDS = 'the "words" of a note: größer, \\ 🏹, and a line\nbreak'
TICK = NewEntry("tick@1", b"x", ("Ticked",))


def entry_of(*events: tuple[str, dict[str, object]]) -> bytes:
    """A stored entry: two envelopes, its events, and a seal that fits."""
    lines = [["Taken@1", {"at": 1}], ["Private@1", {}], *events]
    body = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode()
    # Notes are covered by the digests of their lines, so the hash is the same with and without their words.
    body = body.replace(b", ", b",").replace(b": ", b":") if WORDS.encode() not in body else body
    return body + seal(halves(body).hash(ROOT, ROOT), ROOT)


NOTE = entry_of(("NoteWritten@1", {"text": WORDS, "salt": "ab"}), ("SceneFramed@1", {"name": "the mill"}))
PLAIN = entry_of(("SceneFramed@1", {"name": "the mill"}))


@pytest.fixture
def line(postgres_store: str) -> Iterator[psycopg.Connection]:
    """A connection of the role that plays."""
    with psycopg.connect(postgres_store, autocommit=True) as line:
        yield line


@pytest.fixture
def store(postgres_store: str) -> Iterator[PostgresEventStore]:
    with closing(PostgresEventStore(postgres_store)) as store:
        store.append("sherwood", 0, [NewEntry("note@1", NOTE, ("NoteWritten",)), NewEntry("scene@1", PLAIN)])
        yield store


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rollbook.stored_events SET state = 'x'",
        "UPDATE rollbook.stored_events SET command = 'x' WHERE originator_version = 2",
        "DELETE FROM rollbook.stored_events WHERE originator_id = 'sherwood'",
        "TRUNCATE rollbook.stored_events",
        "DROP TABLE rollbook.stored_events",
        "ALTER TABLE rollbook.stored_events DISABLE TRIGGER ALL",
        "CREATE TABLE rollbook.another (id integer)",
        "CREATE OR REPLACE FUNCTION rollbook.without_notes(state bytea) RETURNS bytea LANGUAGE sql AS 'SELECT state'",
        f"{INSERT}, xid) VALUES ('a', 1, 't', 'x', '1')",
        f"{INSERT}, notification_id) OVERRIDING SYSTEM VALUE VALUES ('a', 1, 't', 'x', 1)",
        "INSERT INTO rollbook.removals (originator_id) VALUES ('sherwood')",
        "DELETE FROM rollbook.removals",
        "UPDATE rollbook.store SET identity = 'x'",
        "DELETE FROM rollbook.kind_sets",
        "SET ROLE rollbook_owner",
    ],
)
def test_the_role_that_plays_can_change_nothing(
    line: psycopg.Connection, store: PostgresEventStore, statement: str
) -> None:
    before = list(store.changes())
    with pytest.raises(errors.InsufficientPrivilege):
        line.execute(statement.encode())
    assert list(store.changes()) == before
    assert len(before) == 2


def test_the_words_of_a_note_give_way_to_their_digest_and_nothing_else_changes(store: PostgresEventStore) -> None:
    left = without_notes(NOTE)
    assert WORDS.splitlines()[0].encode() not in left
    store.redact("sherwood", 2, [TICK], {1: left})
    assert [entry.data for entry in store.read("sherwood")] == [left, PLAIN, TICK.data]
    assert store.removals() == 1
    assert halves(left[: left.rfind(b"\n") + 1]) == halves(NOTE[: NOTE.rfind(b"\n") + 1])
    store.redact("sherwood", 3, [TICK], {1: left})
    assert store.head("sherwood") == 4


@pytest.mark.parametrize(
    ("version", "instead"),
    [
        (1, b"anything"),
        (1, NOTE.replace(b"the mill", b"the moor")),
        (1, without_notes(NOTE).replace(b"the mill", b"the moor")),
        (1, without_notes(NOTE.replace(b'"salt"', b'"sult"'))),
        (1, b""),
        (2, without_notes(NOTE)),
        (9, PLAIN),
    ],
    ids=[
        "anything",
        "its words stay",
        "another event too",
        "another note's digest",
        "nothing",
        "another entry",
        "none",
    ],
)
def test_no_entry_is_replaced_by_one_whose_digests_are_not_bound(
    store: PostgresEventStore, version: int, instead: bytes
) -> None:
    before = list(store.changes())
    with pytest.raises(RollbookError, match=r"would not be what it was.*nothing was recorded and nothing removed"):
        store.redact("sherwood", 2, [TICK], {version: instead})
    assert list(store.changes()) == before
    assert store.removals() == 0


def test_a_redaction_that_comes_too_late_removes_nothing(store: PostgresEventStore) -> None:
    with pytest.raises(StaleHistory):
        store.redact("sherwood", 1, [TICK], {1: without_notes(NOTE)})
    assert [entry.data for entry in store.read("sherwood")] == [NOTE, PLAIN]


def test_a_campaign_is_deleted_whole_and_only_with_its_own_timelines(
    store: PostgresEventStore, line: psycopg.Connection
) -> None:
    store.append("nottingham", 0, [TICK])
    store.begin("sherwood~1", b"from @1", [TICK])
    stone = Tombstone("sherwood", 2, "ab" * 32, "cd" * 16, 7)
    with pytest.raises(errors.Error, match="only a campaign and its own timelines"):
        line.execute("SELECT rollbook.delete_campaign('sherwood', '{sherwood,nottingham}', 2, '', '', 1)")
    with pytest.raises(StaleHistory, match="Nothing was removed"):
        store.delete(["sherwood", "sherwood~1"], stone._replace(entries=1))
    assert store.campaigns() == ("sherwood", "nottingham", "sherwood~1")
    store.delete(["sherwood", "sherwood~1"], stone)
    assert store.campaigns() == ("nottingham",)
    assert store.tombstones() == (stone,)
    store.delete(["sherwood", "sherwood~1"], stone)  # the answer to the first may have been lost
    assert store.tombstones() == (stone,)
    assert store.removals() == 1


def test_what_would_follow_a_campaign_that_is_being_deleted_is_refused(
    store: PostgresEventStore, postgres_store: str
) -> None:
    with (
        psycopg.connect(postgres_store) as deleting,
        closing(PostgresEventStore(postgres_store, patience=2.0)) as other,
    ):
        deleting.execute("SELECT rollbook.delete_campaign('sherwood', '{sherwood}', 2, '', '', 1)")
        with pytest.raises(RollbookError):
            other.append("sherwood", 2, [TICK])
        deleting.commit()
        with pytest.raises(StaleHistory, match="is at entry @0"):
            other.append("sherwood", 2, [TICK])
    assert store.head("sherwood") == 0


def test_a_migration_may_be_run_again_and_keeps_everything(
    postgres_server: PostgresServer, postgres_store: str, store: PostgresEventStore
) -> None:
    identity, before = store.identity(), list(store.changes())
    owner = postgres_server.dsn("rollbook_owner", postgres_store.rpartition("/")[2])
    migrate(owner)
    with closing(PostgresEventStore(postgres_store)) as again:
        assert again.identity() == identity
        assert list(again.changes()) == before


def test_functions_of_the_owner_look_nothing_up_in_the_callers_path(line: psycopg.Connection) -> None:
    found = line.execute(
        "SELECT proname, proconfig FROM pg_proc WHERE pronamespace = 'rollbook'::regnamespace AND prosecdef"
    ).fetchall()
    assert {"redact", "delete_campaign"} <= {name for name, _ in found}
    assert all("search_path=pg_catalog, pg_temp" in settings for _, settings in found)


def test_a_picture_can_be_kept_and_dropped_and_never_be_another(
    store: PostgresEventStore, line: psycopg.Connection
) -> None:
    store.keep_picture("sherwood", "ab", b"\x00green")
    with pytest.raises(errors.InsufficientPrivilege):
        line.execute("UPDATE rollbook.pictures SET data = 'x'")
    assert store.picture("sherwood", "ab") == b"\x00green"
    store.drop_pictures("sherwood", ("ab",))
    assert store.pictures("sherwood") == ()


def test_a_store_from_before_there_were_pictures_does_everything_else(
    postgres_server: PostgresServer, postgres_store: str, store: PostgresEventStore
) -> None:
    address = postgres_server.dsn("rollbook_owner", postgres_store.rpartition("/")[2])
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute("DROP TABLE rollbook.pictures")
    assert (store.pictures("sherwood"), store.picture("sherwood", "ab")) == ((), None)
    store.drop_pictures("sherwood", ("ab",))
    with pytest.raises(RollbookError, match="rollbook store migrate"):
        store.keep_picture("sherwood", "ab", b"green")
    store.append("sherwood", 2, [TICK])
    migrate(address)
    store.keep_picture("sherwood", "ab", b"green")
    assert store.pictures("sherwood") == ("ab",)
