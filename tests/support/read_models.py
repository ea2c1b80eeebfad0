"""The rows of a read model."""

from __future__ import annotations

import json
from typing import Any

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.events import ExperienceAwarded, LevelGained
from rollbook.domain.history.history import History

TABLES = (
    "session_log",
    "xp_timeline",
    "sheets",
    "sheet_values",
    "snapshots",
    "snapshot_characters",
    "position",
    "ends",
    "campaigns",
    "noted",
)


def rows(model: SQLiteReadModel) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that stands in a read model; a head is compared as what it says."""
    found = {}
    for table in TABLES:
        columns = [column[1] for column in model.db.execute(f"PRAGMA table_info({table})")]
        keys = ", ".join(column for column in columns if column not in ("head", "terms", "words"))
        found[table] = sorted(model.db.execute(f"SELECT {keys} FROM {table}").fetchall(), key=repr)
    found["heads"] = [model.snapshot(campaign[0]) for campaign in found["snapshots"]]
    found["words"] = sorted(model.db.execute("SELECT campaign, character, words FROM sheets").fetchall())
    found["terms"] = sorted(model.db.execute("SELECT campaign, character, key, terms FROM sheet_values").fetchall())
    model.db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.searched USING fts5vocab(main, session_log_fts, instance)"
    )
    found["found"] = sorted(
        model.db.execute(
            "SELECT l.campaign, l.entry, w.term, w.col, w.offset FROM temp.searched w JOIN session_log l ON l.rowid = w.doc"
        ).fetchall()
    )
    return found


def rebuilt(book: Book) -> SQLiteReadModel:
    """A read model that was made in one go."""
    model = SQLiteReadModel()
    model.catch_up(book.store, book.rulebook)
    return model


def says_what_happened(model: SQLiteReadModel, campaign: Campaign) -> None:
    """The log, the XP and the sheets against the history itself."""
    history = campaign.history
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
    """The status that the row of an entry must have."""
    entry = history.entries[number - 1]
    if not entry.is_outcome:
        return "correction"
    action = entry.action
    if history.effective(action) is entry:
        return "counts"
    is_undone = history.effective(action) is None
    return "undone" if is_undone and history.latest_outcome(action) is entry else "replaced"


def sheets_are_the_rulebooks(model: SQLiteReadModel, campaign: Campaign) -> None:
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
        sheet = campaign.session.rulebook.sheet(who, state)
        values = model.db.execute(
            "SELECT key, amount, shown FROM sheet_values WHERE campaign = ? AND character = ?", [campaign.id, who.id]
        ).fetchall()
        assert sorted(values) == sorted((value.key, value.amount, str(value)) for value in sheet.values)
        (words,) = model.db.execute(
            "SELECT words FROM sheets WHERE campaign = ? AND character = ?", [campaign.id, who.id]
        ).fetchone()
        assert list(json.loads(words).items()) == list(sheet.words)


class Killed(Exception):
    """Pull the plug."""
