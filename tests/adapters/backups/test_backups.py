"""A backup is the whole store at one moment, while others play; restoring one loses nothing and mixes nothing up."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.backups.backing_up import CopyReport, make_backup
from rollbook.adapters.backups.restoring import restore
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.sqlite.copy_and_replace import replace_content
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import NotFound, RollbookError, StaleHistory
from rollbook.domain.history.event_store import NewEntry
from tests.support.campaigns import begin_campaign, book_with, file_book, tokens
from tests.support.stores import files_of, unguarded
from tests.support.timelines import forked

ROOT = Path(__file__).parents[3]
STORE, COPY = "rollbook.db", "copy.db"


def keeper(folder: Path) -> SeedKeeper:
    return SeedKeeper(folder / "seeds")


def back_up(folder: Path, name: str = COPY, *, overwrite: bool = False) -> CopyReport:
    with closing(SQLiteEventStore(folder / STORE, create=False)) as store:
        return make_backup(store, keeper(folder), folder / name, overwrite=overwrite)


def go_back(folder: Path, name: str = COPY) -> CopyReport:
    return restore(folder / STORE, keeper(folder), folder / name)


def everything(path: Path) -> list[tuple[str, int, bytes]]:
    with closing(SQLiteEventStore(path, create=False)) as store:
        return [(change.stream, change.entry.version, change.entry.data) for change in store.changes()]


def played(folder: Path) -> Campaign:
    campaign = begin_campaign(file_book(folder))
    campaign.do("gain-token", who="robin")
    return campaign


def played_and_closed(folder: Path) -> None:
    book_with(played(folder)).close()


def test_a_backup_holds_what_the_store_holds_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    campaign = played(tmp_path)
    made = back_up(tmp_path)
    assert made.campaigns == ("sherwood",) and made.entries == campaign.head.entry and made.sessions == 1
    assert everything(tmp_path / COPY) == everything(tmp_path / STORE)
    assert (tmp_path / COPY).stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob(".*"))


def test_timelines_are_in_it_and_verified(tmp_path: Path) -> None:
    campaign = played(tmp_path)
    timeline = forked(book_with(campaign), campaign)
    timeline.do("gain-token", who="robin")
    assert not back_up(tmp_path).damaged
    with closing(sqlite3.connect(tmp_path / STORE)) as other, other:
        unguarded(other).execute(
            "UPDATE stored_events SET state = CAST(replace(state, 'robin', 'robyn') AS BLOB) WHERE originator_id = ?",
            [timeline.id],
        )
    assert [fault.partition(":")[0] for fault in back_up(tmp_path, "later.db").damaged] == [timeline.id]
    assert go_back(tmp_path).campaigns == ("sherwood",)
    with file_book(tmp_path) as book:
        assert tokens(book.campaign(timeline.id)) == tokens(book.campaign("sherwood")) + 1


def test_while_two_play_every_backup_is_whole_and_none_of_them_loses_anything(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book)
    command = [sys.executable, "-m", "tests.support.concurrent_play", str(tmp_path)]
    players = [subprocess.Popen([*command, seat, "play", "12"], cwd=ROOT) for seat in ("Ana", "mira")]
    made = [back_up(tmp_path, f"copy-{at}.db") for at in range(5)]
    assert [player.wait(120) for player in players] == [0, 0]
    whole = everything(tmp_path / STORE)
    assert len(whole) > made[0].entries
    for at, report in enumerate(made):
        copied = everything(tmp_path / f"copy-{at}.db")
        assert not report.damaged and copied == whole[: len(copied)] and len(copied) == report.entries


def test_a_backup_replaces_nothing_unless_it_is_told_to(tmp_path: Path) -> None:
    campaign = played(tmp_path)
    (tmp_path / COPY).write_bytes(b"precious")
    with pytest.raises(RollbookError, match="already exists; no backup was made"):
        back_up(tmp_path)
    with pytest.raises(RollbookError, match="it was left as it is; no backup was made"):
        back_up(tmp_path, overwrite=True)
    assert (tmp_path / COPY).read_bytes() == b"precious"
    (tmp_path / COPY).unlink()
    back_up(tmp_path)
    assert back_up(tmp_path, overwrite=True).entries == campaign.head.entry
    for name in (STORE, f"{STORE}-wal"):
        with pytest.raises(RollbookError, match="is the store itself"):
            back_up(tmp_path, name, overwrite=True)
    with pytest.raises(RollbookError, match="is a folder"):
        back_up(tmp_path, "seeds", overwrite=True)


def test_a_damaged_history_is_copied_and_said_but_not_restored(tmp_path: Path) -> None:
    played(tmp_path)
    with closing(sqlite3.connect(tmp_path / STORE)) as other, other:
        unguarded(other).execute("UPDATE stored_events SET state = CAST(replace(state, 'robin', 'robyn') AS BLOB)")
    made = back_up(tmp_path)
    assert len(made.damaged) == 1 and made.damaged[0].startswith("sherwood: @")
    before = files_of(tmp_path)
    with pytest.raises(RollbookError, match=r"copy.db is damaged: sherwood: @\d+.* Nothing was restored."):
        go_back(tmp_path)
    assert files_of(tmp_path) == before


def test_restoring_puts_the_store_back_and_keeps_the_other_beside_it(tmp_path: Path) -> None:
    campaign = played(tmp_path)
    back_up(tmp_path)
    then = everything(tmp_path / STORE)
    campaign.do("gain-token", who="robin")
    later = everything(tmp_path / STORE)
    done = go_back(tmp_path)
    assert everything(tmp_path / STORE) == then and everything(Path(done.before)) == later
    again = go_back(tmp_path, Path(done.before).name)
    assert everything(tmp_path / STORE) == later and everything(Path(again.before)) == then


def test_the_restored_session_goes_on_with_its_own_dice_and_the_other_store_has_them_no_longer(tmp_path: Path) -> None:
    played(tmp_path)
    back_up(tmp_path)
    done = go_back(tmp_path)
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        campaign.do("roll", {"expression": "1d20", "purpose": "luck"})
        campaign.do("close-session")
        assert [answer.verdict for answer in campaign.audit()][:2] == ["VERIFIED", "VERIFIED"]
    with file_book(tmp_path, SQLiteEventStore(Path(done.before))) as book:
        campaign = book.campaign("sherwood")
        with pytest.raises(RollbookError, match="their seeds are not here"):
            campaign.do("roll", {"expression": "1d20", "purpose": "luck"})


def test_on_another_computer_the_session_goes_on_as_well(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    played(here)
    back_up(here)
    done = restore(there / STORE, keeper(there), here / COPY)
    assert done.before == "" and done.sessions == 1
    with file_book(there) as book:
        book.campaign("sherwood").do("roll", {"expression": "1d20", "purpose": "luck"})
    assert {path.stat().st_mode & 0o777 for path in (there / "seeds").iterdir()} == {0o600}
    with closing(sqlite3.connect(there / STORE)) as store:
        tables = {name for (name,) in store.execute("SELECT name FROM sqlite_schema")}
    assert "unrevealed_seeds" not in tables


def test_who_plays_meanwhile_is_told_and_writes_nothing_into_the_other_history(tmp_path: Path) -> None:
    campaign = played(tmp_path)
    had = tokens(campaign)
    back_up(tmp_path)
    campaign.do("gain-token", who="robin")
    campaign.do("spend-token", who="robin")
    go_back(tmp_path)
    then = everything(tmp_path / STORE)
    for _ in range(2):
        with pytest.raises(StaleHistory, match="A backup was restored over this store meanwhile"):
            campaign.do("gain-token", who="robin")
    assert everything(tmp_path / STORE) == then
    with file_book(tmp_path) as book:
        assert tokens(book.campaign("sherwood")) == had
        assert not book.campaign("sherwood").session.damage


def test_who_has_decided_before_the_restore_and_writes_after_it_writes_nothing(tmp_path: Path) -> None:
    campaign = played(tmp_path)
    back_up(tmp_path)
    head = campaign.head
    go_back(tmp_path)
    then = everything(tmp_path / STORE)
    with pytest.raises(StaleHistory, match="A backup was restored"):
        campaign.session.log.store.append("sherwood", head.entry, [])
    assert everything(tmp_path / STORE) == then


MANY = 30_000
"""Entries of a store that takes a while to exchange."""
A_MOMENT = 0.05
"""Seconds of a processor."""


def test_ctrl_c_stops_the_exchange_itself_and_the_store_is_as_it_was(tmp_path: Path) -> None:
    """SQLite exchanges the rows of a whole table in one statement, and a signal waits for nothing longer than a moment."""
    for name, byte in ((STORE, b"a"), (COPY, b"b")):
        with closing(SQLiteEventStore(tmp_path / name)) as store:
            store.append("long", 0, [NewEntry("ActionTaken@1", byte * 2_000) for _ in range(MANY)])
    took = []
    for kept in ("first.db", "second.db"):
        shutil.copy(tmp_path / STORE, tmp_path / kept)
        began = time.process_time()
        replace_content(tmp_path / kept, tmp_path / COPY, lambda: None)
        took.append(time.process_time() - began)
    whole, before, after = min(took), everything(tmp_path / STORE), everything(tmp_path / COPY)
    interrupted = signal.signal(signal.SIGPROF, signal.default_int_handler)
    try:
        for share in (0.45, 0.3, 0.2, 0.1):  # while the rows are coming in
            shutil.copy(tmp_path / STORE, tmp_path / "tried.db")
            heard, began = whole * share, time.process_time()
            with pytest.raises(KeyboardInterrupt):
                replace_content(tmp_path / "tried.db", tmp_path / COPY, lambda at=heard: _interrupt_in(at))  # type: ignore[misc]
            ended = time.process_time() - began
            found = everything(tmp_path / "tried.db")
            assert found in (before, after), "completely or not at all"
            if found == before:
                break  # otherwise it was quicker than it had been twice, and the signal came when all was done
        assert found == before
        assert ended < heard + max(whole / 3, A_MOMENT), "long before all rows were exchanged"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, interrupted)


def _interrupt_in(seconds: float) -> None:
    """Send this process a signal once it has worked for so long."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def test_the_log_never_shows_rows_of_the_other_store(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        back_up(tmp_path)
        for text in ("a wolf", "a bear"):
            campaign.do("note", {"text": text})
        campaign.session.project()
    go_back(tmp_path)
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        for text in ("a fox", "an owl", "a hare"):
            campaign.do("note", {"text": text})
        campaign.session.project()
        assert noted(book) == ["a fox", "an owl", "a hare"]


def noted(book: Book) -> list[str]:
    return [line.result for line in book.read_model.log("sherwood") if line.verb == "note"]


def test_a_log_that_was_open_while_the_store_was_exchanged_follows_the_new_one(tmp_path: Path) -> None:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    back_up(tmp_path)
    campaign.do("note", {"text": "a wolf"})
    campaign.session.project()
    go_back(tmp_path)
    with file_book(tmp_path) as other:
        other.campaign("sherwood").do("note", {"text": "a fox"})
    book.read_model.catch_up(book.store, book.rulebook)
    assert noted(book) == ["a fox"]


@pytest.mark.parametrize("damage", ["cut", "scribble", "empty", "text", "other", "folder", "missing"])
def test_what_cannot_be_restored_is_refused_in_a_sentence_and_changes_nothing(tmp_path: Path, damage: str) -> None:
    played(tmp_path)
    back_up(tmp_path)
    copy = tmp_path / COPY
    whole = copy.read_bytes()
    if damage == "cut":
        copy.write_bytes(whole[: len(whole) // 2])
    elif damage == "scribble":
        copy.write_bytes(whole[:20_000] + b"\xff" * 3_000 + whole[23_000:])
    elif damage == "empty":
        copy.write_bytes(b"")
    elif damage == "text":
        copy.write_text("Dear diary")
    elif damage == "other":
        copy.unlink()
        with closing(sqlite3.connect(copy)) as other:
            other.execute("CREATE TABLE recipes (name TEXT)")
    elif damage == "folder":
        copy.unlink()
        copy.mkdir()
    else:
        copy.unlink()
    before = files_of(tmp_path)
    with pytest.raises((RollbookError, NotFound), match=r"[a-z].*[.]") as refusal:
        go_back(tmp_path)
    assert COPY in str(refusal.value) and "Traceback" not in str(refusal.value)
    assert files_of(tmp_path) == before


def test_a_store_that_is_damaged_itself_is_set_aside_and_replaced(tmp_path: Path) -> None:
    played_and_closed(tmp_path)
    back_up(tmp_path)
    whole = everything(tmp_path / STORE)
    bytes_before = (tmp_path / STORE).read_bytes()
    broken = bytes_before[:4_096] + b"\xff" * (len(bytes_before) - 4_096)
    (tmp_path / STORE).write_bytes(broken)
    done = go_back(tmp_path)
    assert everything(tmp_path / STORE) == whole and Path(done.before).read_bytes() == broken


def test_any_copy_of_a_store_can_be_restored_and_keeps_its_seeds(tmp_path: Path) -> None:
    played_and_closed(tmp_path)
    (tmp_path / COPY).write_bytes((tmp_path / STORE).read_bytes())
    assert go_back(tmp_path).sessions == 1
    with file_book(tmp_path) as book:
        book.campaign("sherwood").do("roll", {"expression": "1d20", "purpose": "luck"})
