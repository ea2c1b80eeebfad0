"""Of a long history that is open little stays in memory: it is read again, and is what it was when it was checked."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.entries import Entry, EntryKind, RecordedEntry
from rollbook.domain.events import CharacterJoined, StatChanged
from rollbook.domain.history.checkpoints import CHECKPOINT_EVERY
from rollbook.domain.history.history import History
from tests.support.stores import unguarded

LENGTH = 3 * CHECKPOINT_EVERY + 7


def _raised(action: int) -> Entry:
    change = StatChanged(character="robin", stat="luck", amount=action, reason="")
    return Entry(EntryKind.TAKEN, action=action, events=(change,))


def _correction(action: int, kind: EntryKind, revision: int, **more: object) -> Entry:
    return _raised(action)._replace(kind=kind, revision=revision, public_number=action, **more)


DAMAGE = "UPDATE stored_events SET state = replace(state, 'luck', 'pluk') WHERE originator_version = {}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "long.db"


@pytest.fixture
def log(path: Path) -> EntryLog:
    """A history of a few stretches, in which the first action was corrected, undone and redone late."""
    log = EntryLog(SQLiteEventStore(path), "long", lambda: 1)
    joined = Entry(EntryKind.TAKEN, action=1, events=(CharacterJoined(character="robin", name="Robin"),))
    _write(log, [joined, *map(_raised, range(2, LENGTH))])
    _write(log, [_correction(2, EntryKind.REVISED, 2)])
    _write(log, [_correction(2, EntryKind.UNDONE, 3, events=())])
    _write(log, [_correction(2, EntryKind.REDONE, 4, events=(), restores=2)])
    return log


def _write(log: EntryLog, entries: list[Entry]) -> list[RecordedEntry]:
    return log.write(log.scan() if log.version() else Head(), entries)


def test_a_history_that_is_read_again_is_the_one_in_memory(log: EntryLog) -> None:
    history, damage = log.load()
    whole = History(log.entries())
    assert damage is None
    assert list(history.entries) == list(whole.entries)
    assert history.state == whole.state
    assert history.ledger == whole.ledger
    assert [history.effective(action) for action in (1, 2, 3)] == [whole.effective(action) for action in (1, 2, 3)]
    for entry in (1, CHECKPOINT_EVERY, CHECKPOINT_EVERY + 1, LENGTH, history.head):
        assert history.as_known_at(entry) == whole.as_known_at(entry)


def test_what_is_added_to_an_open_history_is_let_go_too(log: EntryLog) -> None:
    history, _ = log.load()
    first = history.actions + 1
    added = _write(log, [_raised(action) for action in range(first, first + 2 * CHECKPOINT_EVERY)])
    for entry in added:
        history.add(entry)
    assert len(history.entries._more) < CHECKPOINT_EVERY
    assert list(history.entries) == list(log.entries())
    assert history.state == History(log.entries()).state


def test_what_was_changed_after_it_was_checked_is_damage(log: EntryLog, path: Path) -> None:
    history, _ = log.load()
    changed = CHECKPOINT_EVERY + 7
    with closing(sqlite3.connect(path)) as outside, outside:
        unguarded(outside).execute(DAMAGE.format(changed))
    with pytest.raises(HistoryDamaged, match=f"@{changed}"):
        history.entry(changed)
