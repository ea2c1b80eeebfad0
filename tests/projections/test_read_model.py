"""Live equals rebuilt, row for row, however the events came in; and the file may be lost, spoilt or swapped at any moment.

What the rows must say comes from an independent reading of the history, entry by entry, in plain Python.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.entry_log import EntryLog
from adapters.head import Head
from adapters.seeds import SeedKeeper
from adapters.storage import projector
from adapters.storage import read_model as module
from adapters.storage.event_store import MemoryEventStore
from adapters.storage.read_model import ReadModel
from domain.audit import Verdict
from domain.entries import Entry, EntryKind, Intent
from domain.errors import RollbookError
from domain.events import Event, ExperienceAwarded, LevelGained, vocabulary
from domain.history import History
from projections import log_lines
from projections.log_lines import describe
from projections.session_log import LogLine
from tests.support.campaigns import begin_campaign, file_book, memory_book, play_campaign_steps
from tests.support.golden_logs import every_event
from tests.support.random_steps import RandomSteps
from tests.support.strategies import EVENTS, any_of

TABLES = ("session_log", "xp_timeline", "sheets", "sheet_values", "snapshots", "position", "campaigns")


def rows(model: ReadModel) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that stands in a read model; a head is compared as what it says."""
    found = {}
    for table in TABLES:
        columns = [column[1] for column in model.db.execute(f"PRAGMA table_info({table})")]
        keys = ", ".join(column for column in columns if column not in ("head", "terms", "words"))
        found[table] = sorted(model.db.execute(f"SELECT {keys} FROM {table}").fetchall(), key=repr)
    found["heads"] = [model.snapshot(campaign[0]) for campaign in found["snapshots"]]
    found["words"] = sorted(model.db.execute("SELECT campaign, character, words FROM sheets").fetchall())
    found["terms"] = sorted(model.db.execute("SELECT campaign, character, key, terms FROM sheet_values").fetchall())
    found["found"] = sorted(
        model.db.execute(
            "SELECT l.campaign, l.entry, f.who, f.what, f.result FROM session_log_fts f JOIN session_log l ON l.rowid = f.rowid"
        ).fetchall()
    )
    return found


def rebuilt(book: Book) -> ReadModel:
    """A read model that was made in one go."""
    model = ReadModel()
    model.catch_up(book.store, book.rulebook)
    return model


# Live and rebuilt.


@pytest.mark.parametrize("seed", range(24))
def test_live_equals_rebuilt_whatever_was_played_and_corrected(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = RandomSteps(seed)
    book = memory_book(tmp_path)
    campaigns = [begin_campaign(book, name) for name in ("Sherwood", "Nottingham")]
    for _ in range(6):
        monkeypatch.setattr(projector, "PAGE", chance.random.choice((1, 2, 3, 5, 17, 5000)))
        for campaign in campaigns:
            play_campaign_steps(campaign, chance, chance.random.randint(0, 8), corrections=0.35)
        if chance.random.random() < 0.7:
            chance.random.choice(campaigns).project()
    campaigns[0].project()
    live = rows(book.read_model)
    monkeypatch.setattr(projector, "PAGE", 5000)
    assert live == rows(rebuilt(book))
    for campaign in campaigns:
        says_what_happened(book.read_model, campaign)


@pytest.mark.parametrize("page", [1, 2, 3, 4, 7, 10, 5000])
def test_the_size_of_a_page_never_shows(page: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(8), 40, corrections=0.4)
    whole = rows(rebuilt(book))
    monkeypatch.setattr(projector, "PAGE", page)
    assert rows(rebuilt(book)) == whole


def says_what_happened(model: ReadModel, campaign: Campaign) -> None:
    """The log, the XP and the sheets against the history itself."""
    history = campaign.load_history()
    expected = {entry.number: status(history, entry.number) for entry in history.entries}
    everything = model.log(campaign.id, everything=True)
    assert {line.entry: line.status for line in everything} == expected
    assert [line.entry for line in everything] == list(range(1, history.head + 1))
    for line in everything:
        entry = history.entries[line.entry - 1]
        assert (line.action, line.revision, line.seat, line.at) == (entry.action, entry.revision, entry.seat, entry.at)
        assert (line.corrected_by == 0) == (line.status in ("counts", "correction"))
        if line.corrected_by:
            by = history.entries[line.corrected_by - 1]
            assert (by.action, by.reason) == (line.action, line.why)
    shown = model.log(campaign.id)
    assert [line.action for line in shown] == list(range(1, history.actions + 1))
    gained = [
        (action, event.character, getattr(event, "amount", 0), getattr(event, "levels", 0))
        for action, entry in history.outcomes()
        if entry is not None
        for event in entry.events
        if isinstance(event, (ExperienceAwarded, LevelGained))
    ]
    assert [(line.action, line.character, line.xp, line.levels) for line in model.xp(campaign.id)] == gained
    told = model.db.execute("SELECT entry, status FROM xp_timeline WHERE campaign = ?", [campaign.id]).fetchall()
    assert {(entry, expected[entry]) for entry, _ in told} == set(told)
    sheets_are_the_rulebooks(model, campaign)


def status(history: History, number: int) -> str:
    """What the row of an entry must say of itself."""
    entry = history.entries[number - 1]
    if not entry.is_outcome:
        return "correction"
    action = entry.action
    if history.effective(action) is entry:
        return "counts"
    is_undone = history.effective(action) is None
    return "undone" if is_undone and history.latest_outcome(action) is entry else "replaced"


def sheets_are_the_rulebooks(model: ReadModel, campaign: Campaign) -> None:
    state = campaign.state
    found = model.db.execute(
        "SELECT character, name, seat, present, level, experience, hit_points_lost FROM sheets WHERE campaign = ?",
        [campaign.id],
    ).fetchall()
    assert sorted(found) == sorted(
        (who.id, who.name, who.seat, int(who.present), who.level, who.experience, who.lost)
        for who in state.characters.values()
    )
    for who in state.characters.values():
        sheet = campaign.rulebook.sheet(who, state)
        values = model.db.execute(
            "SELECT key, amount, shown FROM sheet_values WHERE campaign = ? AND character = ?", [campaign.id, who.id]
        ).fetchall()
        assert sorted(values) == sorted((value.key, value.amount, str(value)) for value in sheet.values)
        (words,) = model.db.execute(
            "SELECT words FROM sheets WHERE campaign = ? AND character = ?", [campaign.id, who.id]
        ).fetchone()
        assert list(json.loads(words).items()) == list(sheet.words)


# At the same time, and interrupted.


def test_two_projectors_at_once_take_everything_in_once(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        play_campaign_steps(campaign, RandomSteps(2), 60, corrections=0.3)
        failures: list[BaseException] = []

        def project() -> None:
            model = ReadModel(tmp_path / "rollbook.read.db")
            try:
                for _ in range(20):
                    model.catch_up(book.store, book.rulebook)
            except BaseException as failure:  # noqa: BLE001 - whatever it is, the test says so
                failures.append(failure)
            finally:
                model.close()

        threads = [threading.Thread(target=project) for _ in range(4)]
        for thread in threads:
            thread.start()
        play_campaign_steps(campaign, RandomSteps(4), 30, corrections=0.3)
        for thread in threads:
            thread.join()
        assert failures == []
        book.read_model.catch_up(book.store, book.rulebook)
        assert rows(book.read_model) == rows(rebuilt(book))
        says_what_happened(book.read_model, campaign)


class Killed(Exception):
    """Somebody pulled the plug."""


STEPS: list[tuple[str, Callable[[pytest.MonkeyPatch, Callable[..., Any]], None]]] = [
    ("before the position moves", lambda patch, fail: patch.setattr(module, "move", fail)),
    ("before the telling is saved", lambda patch, fail: patch.setattr(projector.Following, "save", fail)),
    ("in the middle of the rows", lambda patch, fail: patch.setattr(module.xp_timeline, "rows", fail)),
    ("while marking", lambda patch, fail: patch.setattr(module.session_log, "mark", fail)),
    ("before the sheets", lambda patch, fail: patch.setattr(module.sheets, "write", fail)),
    ("before the snapshot", lambda patch, fail: patch.setattr(module, "_save_snapshot", fail)),
]


@pytest.mark.parametrize(("when", "breaking"), STEPS, ids=[when for when, _ in STEPS])
def test_a_projector_that_is_killed_leaves_nothing_half_done(
    when: str, breaking: Callable[[pytest.MonkeyPatch, Callable[..., Any]], None], tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise Killed(when)

    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.project()
        chance = RandomSteps(6)
        for _ in range(4):
            play_campaign_steps(campaign, chance, 12, corrections=0.4)
            campaign.do("award", {"who": ("party",), "amount": 10})
            campaign.corrections.undo(campaign.head.actions, reason="so").apply()
            with pytest.MonkeyPatch.context() as patch:
                breaking(patch, fail)
                with pytest.raises(Killed):
                    campaign.project()
            with sqlite3.connect(tmp_path / "rollbook.read.db") as other:
                assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        campaign.project()
        assert rows(book.read_model) == rows(rebuilt(book))


def test_a_slower_projector_puts_no_older_sheet_over_a_newer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.project()
        campaign.do("gain-token", {"who": "robin"})
        old = campaign.head
        faster = ReadModel(tmp_path / "rollbook.read.db")
        transaction, begun = module._transaction, []

        def late(db: Any) -> Any:
            if db is book.read_model.db:
                begun.append(db)
                if len(begun) == 3:
                    campaign.do("gain-token", {"who": "marian"})
                    faster.catch_up(book.store, book.rulebook)
            return transaction(db)

        monkeypatch.setattr(module, "_transaction", late)
        book.read_model.catch_up(book.store, book.rulebook, {campaign.id: old})
        assert len(begun) == 3
        assert rows(faster) == rows(rebuilt(book))
        faster.close()


def test_a_correction_that_comes_between_two_pages_is_not_half_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
    made = campaign.corrections.undo(campaign.head.actions, reason="did not")
    monkeypatch.setattr(projector, "PAGE", 3)
    pages: list[int] = []

    def interrupted(done: int, _: int) -> None:
        pages.append(done)
        if len(pages) == 1:
            made.apply()

    book.read_model.catch_up(book.store, book.rulebook, progress=interrupted)
    assert len(pages) > 2
    assert book.read_model.snapshot(campaign.id) == campaign.head
    assert rows(book.read_model) == rows(rebuilt(book))


def test_a_transaction_that_sqlite_has_undone_itself_says_what_went_wrong() -> None:
    model = ReadModel()

    def undone() -> None:
        with module._transaction(model.db) as db:
            db.execute("ROLLBACK")
            raise Killed

    with pytest.raises(Killed):
        undone()


# Damaged, deleted, swapped.


def test_a_deleted_read_model_is_made_anew(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.project()
        whole = rows(book.read_model)
    for path in tmp_path.glob("rollbook.read.db*"):
        path.unlink()
    with file_book(tmp_path) as book:
        book.campaign("sherwood").project()
        assert rows(book.read_model) == whole


SPOILS: dict[str, Callable[[bytes], bytes]] = {
    "no database": lambda data: b"this is no database at all" * 100,
    "a broken header": lambda data: b"\0" * 100 + data[100:],
    "cut off": lambda data: data[: len(data) // 2],
    "cut to a few bytes": lambda data: data[:50],
    "noise in every page": lambda data: b"".join(
        data[at : at + 4096] if at == 0 else b"\xa5" * 4096 for at in range(0, len(data), 4096)
    ),
    "another shape": lambda data: data[:60] + (99).to_bytes(4, "big") + data[64:],
    "empty": lambda data: b"",
}


def test_a_read_model_of_another_store_is_made_anew(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book).do("gain-token", who="robin")
        book.campaign("sherwood").project()
    for path in tmp_path.glob("rollbook.db*"):
        path.unlink()
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book, session=False)
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
        campaign.project()
        assert rows(book.read_model) == rows(rebuilt(book))
        assert book.read_model.remembered("sherwood") == (campaign.head.entry, campaign.head.hash)
    with file_book(tmp_path) as book:
        assert book.read_model.remembered("sherwood") == (campaign.head.entry, campaign.head.hash), "kept for its own"


@pytest.mark.parametrize("page", range(1, 40, 3))
def test_a_read_model_with_one_spoilt_page_is_made_anew_and_stops_no_play(page: int, tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    with file_book(tmp_path) as book:
        begin_campaign(book).project()
        book.read_model.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    path.write_bytes(data[: page * 4096] + b"\xa5" * 4096 + data[(page + 1) * 4096 :])
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        campaign.do("gain-token", {"who": "robin"})
        campaign.project()
        assert rows(book.read_model) == rows(rebuilt(book))


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_spoilt_read_model_is_made_anew(spoil: str, tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        play_campaign_steps(campaign, RandomSteps(0), 30)
        campaign.project()
        whole = rows(book.read_model)
    for beside in (f"{path}-wal", f"{path}-shm"):
        Path(beside).unlink(missing_ok=True)
    path.write_bytes(SPOILS[spoil](path.read_bytes()))
    with file_book(tmp_path) as book:
        book.campaign("sherwood").project()
        assert rows(book.read_model) == whole


def test_a_folder_in_its_place_is_said_and_left(tmp_path: Path) -> None:
    (tmp_path / "rollbook.read.db").mkdir()
    with file_book(tmp_path) as book, pytest.raises(RollbookError, match="cannot be opened"):
        begin_campaign(book).project()


def test_a_rebuild_swaps_while_another_connection_reads(tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.project()
        reader = sqlite3.connect(path)
        reading = reader.execute("SELECT entry FROM session_log")
        first = reading.fetchone()
        whole = rows(book.read_model)
        assert book.read_model.rebuild(book.store, book.rulebook) == len(list(book.store.changes()))
        assert [first, *reading.fetchall()] == [(number,) for number in range(1, campaign.head.entry + 1)]
        assert rows(book.read_model) == whole
        campaign.do("gain-token", {"who": "robin"})
        campaign.project()
        reader.close()
        assert rows(book.read_model) == rows(rebuilt(book))
    with file_book(tmp_path) as book:
        assert rows(book.read_model) == rows(rebuilt(book))
    assert sorted(found.name for found in tmp_path.glob("rollbook.read.db*")) == ["rollbook.read.db"]


def test_a_rebuild_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.project()
        whole = rows(book.read_model)

        def fail(*_: object, **__: object) -> Any:
            raise Killed

        monkeypatch.setattr(module.sheets, "write", fail)
        with pytest.raises(Killed):
            book.read_model.rebuild(book.store, book.rulebook)
        assert rows(book.read_model) == whole
        assert list(tmp_path.glob("*.new*")) == []


def test_a_rebuild_in_memory_is_the_same(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    begin_campaign(book).project()
    whole = rows(book.read_model)
    said: list[tuple[int, int]] = []
    book.read_model.rebuild(book.store, book.rulebook, lambda done, of: said.append((done, of)))
    assert rows(book.read_model) == whole
    entries = book.campaign("sherwood").head.entry
    assert said == [(entries, entries)]


# What it can be asked.


def test_the_log_finds_words_and_takes_them_literally(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    for title in ("Der Fluß bei Nacht", 'a "quoted" AND word', "o'clock * near(x)", "semi;colon -- drop"):
        campaign.do("scene", {"title": title})
    campaign.project()
    log = book.read_model.log

    def found(search: str) -> list[str]:
        return [line.result for line in log(campaign.id, search=search)]

    assert found("fluß nacht") == ["Der Fluß bei Nacht"]
    assert found("FLUSS") == []
    assert found('"quoted" AND') == ['a "quoted" AND word']
    assert found("near(x)") == ["o'clock * near(x)"]
    assert found("colon --") == ["semi;colon -- drop"]
    assert found("nowhere") == []
    assert len(found("")) == campaign.head.entry
    campaign.corrections.undo(campaign.head.actions, reason="so").apply()
    campaign.project()
    assert [line.status for line in log(campaign.id, search="semi")] == ["undone"]


@pytest.mark.parametrize("search", ["\0", '"\0', "\ud800", '"', "*", "NOT", "who:", "(", "a^", "-a", " "])
def test_an_odd_search_is_answered(search: str) -> None:
    assert SEARCHED.log("sherwood", search=search) == []


@given(st.text(max_size=12))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_search_is_answered(search: str) -> None:
    assert SEARCHED.log("sherwood", search=search) is not None


SEARCHED = ReadModel()


def test_the_log_of_one_session_and_the_last_lines(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("close-session")
    campaign.do("open-session")
    campaign.do("scene", {"title": "the inn"})
    campaign.project()
    second = book.read_model.log(campaign.id, session=2)
    assert [line.verb for line in second] == ["open-session", "scene"]
    assert [line.verb for line in book.read_model.log(campaign.id, last=2)] == ["open-session", "scene"]
    assert [line.verb for line in book.read_model.log(campaign.id, last=1, everything=True)] == ["scene"]
    assert book.read_model.log(campaign.id, last=0) == []
    assert book.read_model.log("nowhere") == []


def test_the_views_are_made_for_any_sqlite_tool(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        play_campaign_steps(campaign, RandomSteps(0), 40)
        campaign.do("award", {"who": ("marian",), "amount": 120, "reason": "alive"})
        campaign.do("award", {"who": ("marian",), "amount": 90})
        campaign.project()
        levels = campaign.state.characters["marian"]
    plain = sqlite3.connect(f"file:{tmp_path / 'rollbook.read.db'}?mode=ro", uri=True)
    for (view,) in plain.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        assert plain.execute(f"SELECT * FROM {view}").fetchall()
    totals = plain.execute("SELECT total_xp, level FROM xp_running_totals WHERE name = 'Marian'").fetchall()
    assert totals[-1] == (levels.experience, levels.level)
    (amount,) = plain.execute(
        "SELECT sum(amount) FROM sheet_terms WHERE character = 'marian' AND label = 'Hit points'"
    ).fetchone()
    assert amount == levels.stats["max_hp"] - levels.lost
    plain.close()


def test_the_running_totals_leave_out_what_does_not_count(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("award", {"who": ("robin",), "amount": 40})
    first = campaign.head.actions
    campaign.do("award", {"who": ("robin",), "amount": 70})
    for change in (
        lambda: campaign.corrections.amend(first, {"amount": 50}, reason="more"),
        lambda: campaign.corrections.undo(first, reason="none"),
        lambda: campaign.corrections.redo(first, revision=1),
        lambda: campaign.corrections.undo(first, reason="none"),
        lambda: campaign.corrections.redo(first),
    ):
        change().apply()
        campaign.project()
        total = book.read_model.db.execute("SELECT total_xp FROM xp_running_totals").fetchall()[-1][0]
        assert total == campaign.state.characters["robin"].experience
        says_what_happened(book.read_model, campaign)


def test_a_sheet_whose_arrival_was_undone_is_gone(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("join", {"name": "Tuck"})
    tuck = campaign.head.actions
    campaign.project()
    campaign.corrections.undo(tuck, reason="so").apply()
    campaign.project()
    sheets_are_the_rulebooks(book.read_model, campaign)
    assert rows(book.read_model) == rows(rebuilt(book))


def test_a_sheet_goes_by_the_order_in_which_things_were_gained(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    for trait in ("brave", "sly"):
        campaign.do("trait", {"who": "robin", "trait": trait})
    campaign.do("trait", {"who": "robin", "trait": "brave", "lose": True})
    campaign.do("trait", {"who": "robin", "trait": "brave"})
    campaign.project()
    last = campaign.head.actions
    campaign.corrections.undo(last - 1, last, reason="never lost").apply()
    campaign.project()
    sheets_are_the_rulebooks(book.read_model, campaign)


def test_time_and_house_rules_move_every_sheet(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("second-wind", {"who": "robin"})
    campaign.project()
    campaign.do("pass-time", {"amount": 3, "unit": "minutes"})
    campaign.project()
    sheets_are_the_rulebooks(book.read_model, campaign)
    shown = book.read_model.db.execute("SELECT shown FROM sheet_values WHERE key = 'wait'").fetchall()
    assert ("in 420 s",) in shown


def test_a_snapshot_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.project()
    for spoilt in (b"", b"{}{", b"[]", b'{"state":3}', b"\xff"):
        book.read_model.db.execute("UPDATE snapshots SET head = ?", [spoilt])
        assert book.read_model.snapshot(campaign.id) is None
        campaign.do("gain-token", {"who": "robin"})
        campaign.project()
        assert book.read_model.snapshot(campaign.id) == campaign.head


# What a line says.


@pytest.mark.parametrize("cls", vocabulary(), ids=lambda cls: cls.__name__)
@settings(max_examples=10, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_event_can_be_told(cls: type[Event], data: st.DataObject) -> None:
    event = data.draw(any_of(cls))
    intent = data.draw(any_of(Intent))
    entry = Entry(EntryKind.TAKEN, 1, (event, event), seat=data.draw(st.text()), intent=intent)
    told = describe(entry, {"robin": "Robin"})
    assert all(isinstance(part, (str, int, tuple)) for part in attrs.astuple(told))


@given(st.lists(EVENTS, max_size=4))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_stored_facts_can_be_projected(events: list[Event]) -> None:
    book = memory_book(Path("nowhere"))
    log_of(book, events)
    book.read_model.catch_up(book.store, book.rulebook)
    (line,) = book.read_model.log("any")
    assert isinstance(line, LogLine)


def log_of(book: Book, events: list[Event]) -> None:
    told = Entry(EntryKind.TAKEN, 1, tuple(events), intent=Intent(verb="told"), provenance="imported")
    EntryLog(book.store, "any", lambda: 0).write(Head(), [told])


def test_every_kind_of_fact_is_said_or_left_out_on_purpose() -> None:
    unsaid = {cls.__name__ for cls in vocabulary() if cls not in log_lines._PHRASES}
    assert unsaid <= {
        "DiceRolled",
        "StatChanged",
        "TraitGained",
        "TraitLost",
        "PowerUsed",
        "TurnOrderSet",
        "RoundEnded",
        "TurnSpent",
        "TurnEnded",
        "CharacterCrossed",
    }
    assert len(every_event()) == len(vocabulary())


def test_the_store_may_hold_nothing() -> None:
    model = ReadModel()
    assert model.catch_up(MemoryEventStore(), Book(MemoryEventStore(), model, SeedKeeper(Path())).rulebook) == 0
    assert model.remembered("nowhere") == (0, "")


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    yield
    SEARCHED.close()
