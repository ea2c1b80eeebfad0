"""Rows that are worded when they are asked for say what those say that were worded at once, and few are worded for a page."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

import pytest

from rollbook.adapters.storage.read_model.rows_of_entries import RowsOfEntries
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.projections.session_log import LogLine, SqlCondition, Wanted
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, imported_book
from tests.support.random_steps import RandomSteps

IN_WORDS = pytest.mark.parametrize("in_words", [False, True], ids=["numbers", "words for foes"])


class Reader:
    """Reads entries of a history again, and counts how many."""

    def __init__(self, history: History) -> None:
        self._history = history
        self.read: list[EntryNumber] = []

    def __call__(self, number: EntryNumber) -> RecordedEntry:
        self.read.append(number)
        return self._history.entry(number)


def both(history: History, *, in_words: bool) -> tuple[RowsOfEntries, RowsOfEntries]:
    """The rows worded at once, and worded when asked, which were taken in bit by bit."""
    late = RowsOfEntries("it", again=Reader(history), words_for_foes=in_words)
    entries = list(history.entries)
    for begin in range(0, len(entries), 7):
        late.take_in(entries[begin : begin + 7])
    return RowsOfEntries("it", entries, words_for_foes=in_words), late


def said_alike(at_once: RowsOfEntries, late: RowsOfEntries) -> None:
    """Both answer every kind of question in the same way."""
    lines = at_once.log("it", everything=True)
    assert lines
    assert late.log("it", last=9) == at_once.log("it", last=9)  # from the end first
    assert late.log("it", everything=True) == lines
    assert late.widest(Wanted(campaign="it")) == at_once.widest(Wanted(campaign="it"))
    for column in ("who", "actor", "targets", "scene"):
        assert late.names("it", column) == at_once.names("it", column)
    for word in {line.who.split(" ")[0] for line in lines if line.who}:
        assert late.log("it", search=word) == at_once.log("it", search=word)
    succeeded = SqlCondition("success = ?", (1,))
    assert late.log("it", where=succeeded, last=3) == at_once.log("it", where=succeeded, last=3)
    assert late.xp("it") == at_once.xp("it")
    assert late.actions_after("it", 3) == at_once.actions_after("it", 3)


@IN_WORDS
@pytest.mark.parametrize("golden", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_they_say_the_same_of_every_golden_campaign(golden: Path, tmp_path: Path, in_words: bool) -> None:
    book = imported_book(golden, tmp_path)
    (name,) = book.campaigns()
    said_alike(*both(book.campaign(name).history, in_words=in_words))


@IN_WORDS
@pytest.mark.parametrize("seed", range(6))
def test_they_say_the_same_whatever_was_corrected_and_searched_before(
    seed: int, tmp_path: Path, in_words: bool
) -> None:
    chance = RandomSteps(seed)
    campaign = begin_campaign(memory_book(tmp_path))
    play_campaign_steps(campaign, chance, 25, corrections=0.4)
    known = campaign.history.head
    at_once, late = both(campaign.history, in_words=in_words)
    said_alike(at_once, late)
    play_campaign_steps(campaign, chance, 25, corrections=0.4)
    for rows in (at_once, late):
        rows.take_in(campaign.history.entries_after(known))
    said_alike(at_once, late)


def test_a_page_of_the_log_words_its_own_lines_only(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    play_campaign_steps(campaign, RandomSteps(3), 60, corrections=0.2)
    reader = Reader(campaign.history)
    rows = RowsOfEntries("it", campaign.history.entries, again=reader)
    assert reader.read == []
    shown: list[LogLine] = rows.log("it", everything=True, last=5)
    assert reader.read == [line.entry for line in reversed(shown)]
    assert rows.log("it", everything=True, last=5) == shown
    assert len(reader.read) == 5  # none twice
    before = SqlCondition("entry < ?", (shown[0].entry,))
    reader.read.clear()
    assert len(rows.log("it", everything=True, where=before, last=4)) == len(reader.read) == 4


def test_an_entry_that_cannot_be_read_again_is_named(tmp_path: Path) -> None:
    def damaged(number: EntryNumber) -> RecordedEntry:
        raise HistoryDamaged(f"Entry @{number} is damaged.")

    rows = RowsOfEntries("it", begin_campaign(memory_book(tmp_path)).history.entries, again=damaged)
    with pytest.raises(HistoryDamaged, match="@1 is damaged"):
        rows.line("it", 1)


def test_they_go_when_nobody_holds_them(tmp_path: Path) -> None:
    history = begin_campaign(memory_book(tmp_path)).history
    rows = RowsOfEntries("it", history.entries, again=history.entry)
    assert rows.line("it", 1)
    known = ref(rows)
    del rows
    gc.collect()
    assert known() is None
