"""Rows of a store that were changed by hand are found, or a sentence says that they cannot be read; no sheet counts them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from tests.attacks.forgeries import FORGERIES
from tests.attacks.forging import Honest, forged, noted, played, written
from tests.support.campaigns import file_book
from tests.support.stores import unguarded

LAST = "(SELECT MAX(originator_version) FROM stored_events)"
FOUND = {
    "the kind beside an entry is another": f"UPDATE stored_events SET topic = 'ActionVoided@1' WHERE originator_version = {LAST}",
    "the kind beside an entry is none": f"UPDATE stored_events SET topic = x'00' WHERE originator_version = {LAST}",
    "an entry is empty": f"UPDATE stored_events SET state = x'' WHERE originator_version = {LAST}",
    "an entry is a number": f"UPDATE stored_events SET state = 7 WHERE originator_version = {LAST}",
    "an entry is cut": f"UPDATE stored_events SET state = substr(state, 1, 90) WHERE originator_version = {LAST}",
    "an entry has other letters": f"UPDATE stored_events SET state = upper(state) WHERE originator_version = {LAST}",
    "a place is text": f"UPDATE stored_events SET originator_version = 'abc' WHERE originator_version = {LAST}",
    "a place is a fraction": f"UPDATE stored_events SET originator_version = 9.5 WHERE originator_version = {LAST}",
    "a place is left out": f"UPDATE stored_events SET originator_version = 99 WHERE originator_version = {LAST}",
    "an entry is gone": "DELETE FROM stored_events WHERE originator_version = 9",
    "the first entry is gone": "DELETE FROM stored_events WHERE originator_version = 1",
    "two entries change places": "UPDATE stored_events SET originator_version = 900 WHERE originator_version = 9;"
    "UPDATE stored_events SET originator_version = 9 WHERE originator_version = 10;"
    "UPDATE stored_events SET originator_version = 10 WHERE originator_version = 900",
    "an entry is another campaign's": "UPDATE stored_events SET originator_id = 'other' WHERE originator_version = 9",
}
"""What was done to the rows."""

WITHOUT_HARM = {
    "an entry is text": "UPDATE stored_events SET state = CAST(state AS TEXT)",
    "an index names other kinds": "UPDATE stored_events SET kinds = NULL WHERE kinds IS NOT NULL AND originator_version = 9",
    "the ids of commands are gone": "DELETE FROM entry_commands",
}
"""The same bytes, and what only helps to find them, hold no history."""


def stored_campaign(folder: Path) -> Honest:
    with file_book(folder) as book:
        campaign = played(book)
        campaign.session.project()
        return noted(campaign)


def changed(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "rollbook.db")) as store:
        unguarded(store).executescript(statement)


def without_read_model(folder: Path) -> None:
    for path in folder.glob("rollbook.read.db*"):
        path.unlink()


def is_verified(book: Book, true: Honest) -> bool:
    """Whether the audit, asked without a read model, says that all of it is proven; False for a sentence that says why not."""
    try:
        campaign = book.campaign(true.campaign)
        answers = campaign.audit()
    except RollbookError:
        return False
    assert (answers[0].verdict is Verdict.VERIFIED) == (campaign.session.damage == "")
    return all(answer.verdict is Verdict.VERIFIED for answer in answers)


@pytest.mark.parametrize("name", FOUND)
def test_changed_rows_are_never_verified(name: str, tmp_path: Path) -> None:
    true = stored_campaign(tmp_path)
    changed(tmp_path, FOUND[name])
    without_read_model(tmp_path)
    try:
        with file_book(tmp_path) as book:
            assert not is_verified(book, true)
    except RollbookError as sentence:
        assert str(sentence).endswith((".", ")"))


@pytest.mark.parametrize("name", WITHOUT_HARM)
def test_what_is_no_part_of_a_history_changes_no_answer(name: str, tmp_path: Path) -> None:
    true = stored_campaign(tmp_path)
    changed(tmp_path, WITHOUT_HARM[name])
    without_read_model(tmp_path)
    with file_book(tmp_path) as book:
        assert is_verified(book, true)


@pytest.mark.parametrize("keeps_read_model", [True, False])
def test_an_entry_with_the_number_of_an_earlier_action_counts_on_no_sheet(
    tmp_path: Path, *, keeps_read_model: bool
) -> None:
    """Attack A, in the store: its hash fits, and it gains a token that nobody gained."""
    true = stored_campaign(tmp_path)
    with file_book(tmp_path) as book:
        before = tokens(book)
    entries = forged(true.stored)
    FORGERIES["an action is appended once more"](entries)
    *_, more = written(entries)
    with closing(sqlite3.connect(tmp_path / "rollbook.db")) as store:
        row = ("sherwood", more.version, more.kind, more.data)
        store.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)", row
        )
        store.commit()
    if not keeps_read_model:
        without_read_model(tmp_path)
    with file_book(tmp_path) as book:
        held, rows = tokens(book)
        assert held == before[0]
        assert rows == (before[1] if keeps_read_model else [])
        campaign = book.campaign("sherwood")
        assert "takes action #" in campaign.session.damage
        assert campaign.audit()[0].verdict is Verdict.FAILED
        with pytest.raises(RollbookError, match="takes action #"):
            campaign.do("gain-token", {"who": "robin"})
        assert not any(line.entry == more.version for line in book.read_model.log("sherwood", everything=True))
        book.read_model.rebuild(book.store, book.rulebook)
        assert not any(line.entry == more.version for line in book.read_model.log("sherwood", everything=True))


def tokens(book: Book) -> tuple[int, list[object]]:
    """Robin's tokens, as the campaign has them and as the sheets of the read model do."""
    campaign = book.campaign("sherwood")
    campaign.session.project()
    rows = book.read_model.db.execute(
        "SELECT * FROM sheet_values WHERE character = 'robin' ORDER BY 1, 2, 3"
    ).fetchall()
    return campaign.state.characters["robin"].pools.get("tokens", 0), rows
