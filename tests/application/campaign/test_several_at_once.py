"""Several people and processes play in one campaign at once; the one who is too late decides again, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.history.open_history import TRIES
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused, StaleHistory
from rollbook.domain.events import DiceRolled
from rollbook.domain.history.event_store import StoredEntry
from tests.support.campaigns import before_writing, begin_campaign, file_book, opened_twice, ticking_clock, tokens
from tests.support.toy_verbs import GainToken


def test_two_books_on_one_file_see_what_the_other_does(tmp_path: Path) -> None:
    one, other = opened_twice(tmp_path)
    assert tokens(other) == 2
    one.do("gain-token", {"who": "robin"})
    assert tokens(other) == 3
    other.do("spend-token", {"who": "robin"})
    one.corrections.undo(one.refresh().actions, reason="so").apply()
    assert tokens(other) == tokens(one) == 3
    assert one.refresh() == other.refresh() == one.session.log.scan()


def test_anyone_who_comes_too_late_decides_again(tmp_path: Path) -> None:
    one, other = opened_twice(tmp_path)
    other.do("adjust", {"who": "robin", "what": "pool:tokens", "by": -1, "reason": "one is left"})

    def first() -> None:
        one.do("spend-token", {"who": "robin"})

    with before_writing(other, first), pytest.raises(Refused, match="there is none"):
        other.do("spend-token", {"who": "robin"})
    assert tokens(one) == tokens(other) == 0
    with before_writing(other, lambda: one.do("gain-token", {"who": "robin"})):
        other.do("gain-token", {"who": "robin"})
    assert tokens(one) == tokens(other) == 2
    assert one.refresh() == other.refresh() == one.session.log.scan()


def test_anyone_who_comes_too_late_rolls_the_next_roll(tmp_path: Path) -> None:
    one, other = opened_twice(tmp_path)
    with before_writing(other, lambda: one.do("roll", {"expression": "1d20"})):
        late = other.do("roll", {"expression": "1d20", "purpose": "another"})
    one.refresh()
    rolls = [
        event for entry in (one.history.entries[-2], late) for event in entry.events if isinstance(event, DiceRolled)
    ]
    assert [roll.sources[0].place.number for roll in rolls] == [0, 1]


def test_anyone_who_always_comes_too_late_is_refused_in_the_end(tmp_path: Path) -> None:
    one, other = opened_twice(tmp_path)
    others = before_writing(other, lambda: one.do("gain-token", {"who": "robin"}), TRIES)
    with others, pytest.raises(StaleHistory, match="Nothing was recorded"):
        other.do("gain-token", {"who": "marian"})
    assert tokens(one) == 2 + TRIES
    assert tokens(one, "marian") == 2


@pytest.mark.parametrize("seen", [True, False])
def test_a_correction_that_comes_while_everything_is_read_is_not_half_taken_in(seen: bool, book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
    made = campaign.corrections.undo(campaign.head.actions, reason="did not")
    before = campaign.head
    log = EntryLog(book.store, campaign.id, ticking_clock())
    read_kinds = book.store.read_kinds

    def slow(*asked: object) -> Iterator[StoredEntry]:
        too_early = list(read_kinds(*asked))  # type: ignore[arg-type]
        made.apply()
        return iter(list(read_kinds(*asked)) if seen else too_early)  # type: ignore[arg-type]

    book.store.read_kinds = slow  # type: ignore[method-assign,assignment]
    scanned = log.scan()
    book.store.read_kinds = read_kinds  # type: ignore[method-assign]
    assert scanned == before
    assert log.scan() == campaign.head


def test_several_processes_play_at_one_table(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    seats = {"Ana": "play", "mira": "play", "": "project"}
    running = [start(tmp_path, seat, how, 12) for seat, how in seats.items()]
    for process in running:
        _, said = process.communicate(timeout=100)
        assert process.returncode == 0, said.decode()
    assert tokens(campaign) == 2 + 24
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED, Verdict.UNPROVEN, Verdict.VERIFIED]
    indices = {
        seat: [
            event.sources[0].place.number
            for e in campaign.history.entries
            for event in e.events
            if rolled_by(event, seat)
        ]
        for seat in ("Ana", "mira")
    }
    assert indices == {"Ana": list(range(12)), "mira": list(range(12))}
    campaign.session.project()
    assert len(campaign.read_model.log(campaign.id)) == campaign.head.actions


def rolled_by(event: object, seat: str) -> bool:
    return isinstance(event, DiceRolled) and event.roller == seat


def start(folder: Path, seat: str, how: str, many: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.support.concurrent_play", str(folder), seat, how, str(many)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)


def test_the_log_refuses_a_head_that_has_moved(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    log = EntryLog(SQLiteEventStore(tmp_path / "rollbook.db"), campaign.id, ticking_clock())
    with pytest.raises(StaleHistory):
        log.write(Head(), [])


def known_tokens(campaign: Campaign) -> int:
    return campaign.state.characters["robin"].pools["tokens"]


def test_what_others_record_is_there_after_the_next_command_or_refresh(tmp_path: Path) -> None:
    with file_book(tmp_path) as one, file_book(tmp_path) as two:
        mine, theirs = begin_campaign(one), two.campaign("sherwood")
        mine.play(GainToken(who="robin"))
        assert known_tokens(theirs) == known_tokens(mine) - 1
        theirs.refresh()
        assert known_tokens(theirs) == known_tokens(mine)
        mine.play(GainToken(who="robin"))
        assert two.campaign("sherwood") is theirs
        assert known_tokens(theirs) == known_tokens(mine), "opening it again reads it again"
