"""A world that was migrated keeps each collection twice: one rule says which of the two is read, and a sentence tells it."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.imports.foundry.stores import COLLECTIONS, Store, joined
from rollbook.application.book import Book
from rollbook.domain import events
from rollbook.domain.events import Role
from tests.support.foundry import ANNA, BEGAN, BEN, GM, WorldLog, all_events, die, plus, roll, rolls_of, take_in

ATTACK = roll("1d20 + 5", 19, die(20, 14), *plus(5))


def notes(book: Book) -> list[str]:
    return [event.text for event in all_events(book) if isinstance(event, events.NoteWritten)]


def migrated(path: Path) -> tuple[WorldLog, WorldLog]:
    """A world of version 10 with two messages, and what became of it in version 11, where one of them was deleted."""
    old = WorldLog()
    old.say(content="kept")
    old.say(content="deleted later")
    old.write(path / "old")
    new = WorldLog(messages=[old.messages[0]], at=old.at, said=old.said)
    new.roll(ATTACK)
    new.users = (
        {"_id": ANNA, "name": "Anna", "role": 1},
        {"_id": BEN, "name": "Ben", "role": 1},
        {"_id": GM, "name": "Gamemaster", "role": 4},
    )
    return old, new


def test_the_newer_store_of_a_migrated_world_is_read_in_all_its_collections(book: Book, tmp_path: Path) -> None:
    old, new = migrated(tmp_path)
    old.users = tuple({**user, "role": 3 if user["_id"] == BEN else user["role"]} for user in old.users)
    path = new.level(tmp_path / "world")
    old.write(path)
    warnings = take_in(book, path)
    assert [rolled.total for rolled in rolls_of(book)] == [19]
    assert notes(book) == ["kept"]
    assert book.campaign("greenwood").state.seats["Ben"].role is Role.PLAYER
    (said,) = warnings
    assert said.startswith(
        "Of messages (2 until 2023-11-14 UTC and 2 until 2023-11-14 UTC), users (3 and 3), actors (2 and 2)"
    )
    assert "the content of LevelDB was read, for it is newer" in said


def test_what_was_played_after_a_migration_is_new_in_the_campaign_of_before(book: Book, tmp_path: Path) -> None:
    old, new = migrated(tmp_path)
    take_in(book, tmp_path / "old")
    path = new.level(tmp_path / "world")
    old.write(path)
    take_in(book, path)
    assert [rolled.total for rolled in rolls_of(book)] == [19]


def test_old_files_that_were_put_back_and_played_on_are_the_newer_ones(book: Book, tmp_path: Path) -> None:
    old, new = migrated(tmp_path)
    path = old.level(tmp_path / "world")
    new.write(path)
    (said,) = take_in(book, path)
    assert [rolled.total for rolled in rolls_of(book)] == [19]
    assert "the content of the .db files was read, for it is newer" in said


def test_where_neither_store_is_newer_both_are_put_together(book: Book, tmp_path: Path) -> None:
    world = WorldLog()
    for words in ("one", "two", "three"):
        world.say(content=words)
    path = attrs.evolve(world, messages=world.messages[1:]).level(tmp_path / "world")
    attrs.evolve(world, messages=[world.messages[0], world.messages[2]]).write(path)
    (said,) = take_in(book, path)
    assert notes(book) == ["one", "two", "three"]
    assert "neither is newer, so both were put together" in said


def test_an_empty_old_file_takes_nothing_away_and_says_nothing(book: Book, tmp_path: Path) -> None:
    world = WorldLog()
    world.roll(ATTACK)
    path = world.level(tmp_path / "world")
    for kind in COLLECTIONS:
        (path / "data" / f"{kind}.db").write_text("")
    assert take_in(book, path) == ()
    assert [rolled.total for rolled in rolls_of(book)] == [19]


def test_a_chat_that_was_cleared_after_a_migration_stays_cleared(book: Book, tmp_path: Path) -> None:
    old, new = migrated(tmp_path)
    new.messages = []
    new.actors = tuple({**actor, "_stats": {"modifiedTime": BEGAN * 2}} for actor in new.actors)
    path = new.level(tmp_path / "world")
    old.write(path)
    take_in(book, path)
    assert notes(book) == []


def test_a_store_without_any_time_in_which_this_version_of_foundry_writes_is_the_newer_one() -> None:
    older, newer = Store("older"), Store("newer", is_living=True)
    older.add("messages", {"_id": "one", "timestamp": BEGAN})
    newer.documents["messages"] = {}
    assert joined([older, newer]).documents["messages"] == {}


def test_the_messages_of_a_file_that_was_named_are_read_and_newer_ones_beside_it_are_said(
    book: Book, tmp_path: Path
) -> None:
    old, new = migrated(tmp_path)
    path = new.level(tmp_path / "world")
    old.write(path)
    said = " ".join(take_in(book, path / "data" / "messages.db"))
    assert notes(book) == ["kept", "deleted later"]
    assert "the content of the .db files was read, as it was named, and what is only in LevelDB was left out" in said


@pytest.mark.parametrize("kind", COLLECTIONS)
def test_each_collection_goes_by_the_same_rule(kind: str) -> None:
    older, newer = Store("older"), Store("newer")
    older.add(kind, {"_id": "one", "_stats": {"modifiedTime": 5}})
    older.add(kind, {"_id": "two"})
    newer.add(kind, {"_id": "one", "_stats": {"modifiedTime": 6}})
    assert [*joined([older, newer]).documents[kind]] == ["one"]
    newer.add(kind, {"_id": "one", "_stats": {"modifiedTime": 5}, "name": "Robin"})
    found = joined([older, newer]).documents[kind]
    assert sorted(found) == ["one", "two"]


def test_lines_that_are_no_documents_are_counted_and_three_are_named(book: Book, tmp_path: Path) -> None:
    world = WorldLog()
    world.say(content="one")
    path = world.write(tmp_path / "world")
    with (path / "data" / "messages.db").open("a") as file:
        file.write("no\n" * 5 + json.dumps({**world.messages[0], "_id": "another"}) + "\n")
    assert take_in(book, path) == (
        "messages.db, line 2, line 3, line 4 and 2 more are no JSON documents and were passed over.",
    )
