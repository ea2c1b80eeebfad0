"""Odd values where others belong: in a store's columns, in a read model, and in what is typed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.cli.errors import message_of
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import open_book
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.odds import distribution
from rollbook.projections.filters import BadFilter
from tests.attacks.attempts import OURS, RAW, time_limit
from tests.attacks.filter_words import ask
from tests.attacks.odd_files import loosen
from tests.attacks.tables import fresh, homes


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with homes() as made:
        yield made


@pytest.fixture
def store(folder: Path) -> Path:
    """A store in the middle of a campaign, with its read model."""
    found = fresh(folder, "storytoken")
    ask(["log"])
    return found


def spoil(path: Path, table: str, statement: str, value: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        loosen(database, table, [(row[1], row[2]) for row in database.execute(f"PRAGMA table_info({table})")])
        database.execute(statement, [value] if "?" in statement else [])


STORE = {
    "a version in letters": ("stored_events", "UPDATE stored_events SET originator_version = ? WHERE rowid = 5", "abc"),
    "no version": ("stored_events", "UPDATE stored_events SET originator_version = ? WHERE rowid = 5", None),
    "half a version": ("stored_events", "UPDATE stored_events SET originator_version = ? WHERE rowid = 5", 2.5),
    "a version below nothing": ("stored_events", "UPDATE stored_events SET originator_version = ? WHERE rowid = 5", -4),
    "a kind in bytes": ("stored_events", "UPDATE stored_events SET topic = ? WHERE rowid = 5", b"\xff"),
    "no kind": ("stored_events", "UPDATE stored_events SET topic = ? WHERE rowid = 5", None),
    "no lines": ("stored_events", "UPDATE stored_events SET state = ? WHERE rowid = 5", None),
    "a number for lines": ("stored_events", "UPDATE stored_events SET state = ? WHERE rowid = 5", 7),
    "a name in bytes": ("stored_events", "UPDATE stored_events SET originator_id = ? WHERE rowid = 5", b"\xff\xfe"),
    "sets in bytes": ("kind_sets", "UPDATE kind_sets SET kinds = ?", b"NoteWritten"),
    "sets without numbers": ("kind_sets", "UPDATE kind_sets SET id = ?", "x"),
    "no identity": ("store_identity", "DELETE FROM store_identity", None),
    "two identities": ("store_identity", "INSERT INTO store_identity SELECT * FROM store_identity", None),
}


@pytest.mark.parametrize("name", STORE)
def test_odd_values_in_a_store_are_damage_in_a_sentence_or_change_nothing(store: Path, name: str) -> None:
    spoil(store, *STORE[name])
    answers = []
    for command in ("log", "audit", "do note hello", "stats", "rebuild", "campaigns"):
        try:
            answers.append(ask(command.split()))
        except OURS as refusal:
            answers.append(f"FAILED {message_of(refusal)}")
        assert answers[-1].strip() and not RAW.search(answers[-1]), (command, answers[-1])
    assert any("FAILED" in said for said in answers), "it is damaged, and that is said"


def test_a_version_in_letters_is_named_as_damage(store: Path) -> None:
    spoil(store, *STORE["a version in letters"])
    with (
        closing(SQLiteEventStore(store)) as damaged,
        pytest.raises(HistoryDamaged, match="a value that is never stored"),
    ):
        damaged.head("sherwood")


READ_MODEL = {
    "a table is gone": ("session_log", "DROP TABLE session_log", None),
    "the position is gone": ("position", "DELETE FROM position", None),
    "the position in letters": ("position", "UPDATE position SET position = ?", "abc"),
    "a position far away": ("position", "UPDATE position SET position = ?", "999999"),
    "names that are no JSON": ("campaigns", "UPDATE campaigns SET names = ?, entries = entries - 1", "{"),
    "a campaign's name in bytes that are not text": ("campaigns", "UPDATE campaigns SET campaign = ?", b"\xff\xfe"),
    "a number of entries in letters": ("campaigns", "UPDATE campaigns SET entries = ?", "many"),
    "a last hash that is none": ("ends", "UPDATE ends SET hash = ?", b"\xff"),
    "an end in letters": ("ends", "UPDATE ends SET entry = ?", "many"),
    "a snapshot that is none": ("snapshots", "UPDATE snapshots SET head = ?", b"[" * 5_000),
    "a character of a snapshot that is none": (
        "snapshot_characters",
        "UPDATE snapshot_characters SET character = ?",
        b"[",
    ),
    "a character of a snapshot in letters": (
        "snapshot_characters",
        "UPDATE snapshot_characters SET character = ?",
        "{",
    ),
    "a snapshot without a character": ("snapshot_characters", "DELETE FROM snapshot_characters WHERE at = 0", None),
    "a column more": ("xp_timeline", "ALTER TABLE xp_timeline ADD COLUMN odd TEXT", None),
    "a line without a result": ("session_log", "UPDATE session_log SET result = ? WHERE action = 3", None),
    "an action in letters": ("session_log", "UPDATE session_log SET action = ? WHERE action = 3", "three"),
    "text that is none": ("session_log", "UPDATE session_log SET who = CAST(? AS TEXT) WHERE action = 3", b"\xff\xfe"),
}


@pytest.mark.parametrize("name", READ_MODEL)
def test_a_spoilt_read_model_is_made_again_and_answers_as_before(store: Path, name: str) -> None:
    before = [ask([command]) for command in ("log", "xp", "status")]
    table, statement, value = READ_MODEL[name]
    spoil(read_model_path(store), table, statement, value)
    assert [ask([command]) for command in ("log", "xp", "status")] == before
    ask(["do", "note", "hello"])
    assert "hello" in ask(["log", "-n", "1"])


def test_a_question_never_makes_the_read_model_again(store: Path) -> None:
    """A NUL ended the words that were searched for, and SQLite said so in words of its own."""
    path = read_model_path(store)
    inode = path.stat().st_ino
    for words in (["log", "--search", "\x00"], ["log", "--search", 'a" OR "b'], ["log", "who=\x00"], ["log", "NEAR("]):
        assert "Nothing in the log fits" in ask(words)
    assert path.stat().st_ino == inode


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["log", "--session", "9" * 20], "not in the range"),
        (["log", "-n", "9" * 5_000], "not a valid integer"),
        (["log", "who=\udcff"], "not text in UTF-8"),
        (["stats", "verb=" + "a," * 300], "at most 10,000 characters and 200 values"),
        (["log", "x" * 20_000], "at most 10,000 characters and 200 values"),
    ],
)
def test_what_no_filter_can_mean_is_said(store: Path, words: list[str], what: str) -> None:
    with pytest.raises(OURS) as refused:
        ask(words)
    assert what in message_of(refused.value)
    assert isinstance(refused.value, BadFilter) or "range" in what or "integer" in what


def test_a_correction_of_one_word_by_a_seat_is_answered(store: Path) -> None:
    """The seat was looked for in pairs of words, and one word has no pair."""
    with closing(open_book(store, paths.seeds_folder())) as book:
        campaign = book.campaign("sherwood")
        for line in ("reroll", "undo", "amend", "redact"):
            with pytest.raises(RollbookError):
                campaign.say(line, seat=next(iter(campaign.state.seats)))


def test_the_odds_of_many_large_handfuls_are_given_up_in_time() -> None:
    many = ",".join(f"2d{sides}" for sides in range(650, 690))
    with time_limit(60), pytest.raises(DiceError, match="too big for an exact answer"):
        distribution(f"max({many})"[:290].rpartition(",")[0] + ")")


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "9" * 5_000, "x/" * 3_000])
@pytest.mark.parametrize("command", ["import", "play", "export", "backup", "restore", "move", "log --store"])
def test_a_name_that_no_file_can_have_is_refused(store: Path, command: str, name: str) -> None:
    with pytest.raises(OURS) as refused:
        ask([*command.split(), name])
    assert "Nothing can" in message_of(refused.value)
