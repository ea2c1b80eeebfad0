"""What players ask the GM waits in a small file: so many at most, gone with what is removed, empty if somebody spoils it."""

from __future__ import annotations

import os
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.local_files.paths import waiting_requests
from rollbook.adapters.web.corrections.pending import MOST_WAITING, CorrectionRequest, NoteFiles, PendingRequests
from rollbook.adapters.web.corrections.requests import AMEND, RequestedCorrection
from tests.support.web import SHERWOOD, StoreFiles

ASKED = RequestedCorrection(
    kind=AMEND, action=7, given={"text": ("it was the elm", "")}, listed=("text",), reason="a slip"
)
REQUEST = CorrectionRequest(id="one", seat="Mira", shown=6, asked=ASKED, what="Mira note")


@pytest.fixture
def waiting(tmp_path: Path) -> PendingRequests:
    return PendingRequests(NoteFiles(tmp_path / "rollbook.db", tmp_path / "seeds"))


def numbered(number: int, seat: str = "Mira") -> CorrectionRequest:
    return attrs.evolve(REQUEST, id=f"{seat}{number}", seat=seat, asked=attrs.evolve(ASKED, action=number))


def test_what_waits_is_read_as_it_was_asked(waiting: PendingRequests, tmp_path: Path) -> None:
    waiting.add(SHERWOOD, REQUEST)
    assert PendingRequests(NoteFiles(tmp_path / "rollbook.db", tmp_path / "seeds")).of(SHERWOOD) == (REQUEST,)
    assert waiting.of("carrow") == ()
    assert waiting.of(SHERWOOD, "Jo") == ()
    assert waiting.find(SHERWOOD, "one", "Jo") is None
    assert waiting.find(SHERWOOD, "one", "Mira") == REQUEST


def test_the_last_that_is_asked_of_an_action_takes_the_place_of_the_one_before(waiting: PendingRequests) -> None:
    waiting.add(SHERWOOD, REQUEST)
    waiting.add(SHERWOOD, attrs.evolve(REQUEST, id="two", seat="Jo"))
    other = attrs.evolve(REQUEST, id="three", what="otherwise")
    waiting.add(SHERWOOD, other)
    waiting.add(SHERWOOD, other)
    assert [each.id for each in waiting.of(SHERWOOD)] == ["two", "three"]


def test_a_seat_has_so_many_at_most_and_takes_nobody_elses_place(waiting: PendingRequests) -> None:
    waiting.add(SHERWOOD, numbered(1, "Jo"))
    for number in range(1, MOST_WAITING + 4):
        waiting.add(SHERWOOD, numbered(number))
    assert [each.asked.action for each in waiting.of(SHERWOOD, "Mira")] == list(range(4, MOST_WAITING + 4))
    assert len(waiting.of(SHERWOOD, "Jo")) == 1


def test_the_file_is_its_owners_alone_and_gone_when_nothing_waits(waiting: PendingRequests, tmp_path: Path) -> None:
    path = waiting_requests(tmp_path / "rollbook.db", SHERWOOD, tmp_path / "seeds")
    waiting.add(SHERWOOD, REQUEST)
    assert path.stat().st_mode & 0o077 == 0
    waiting.drop(SHERWOOD, "another")
    assert path.exists()
    waiting.drop(SHERWOOD, "one")
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "[", "{}", '[{"id": 1}]', "[" * 100_000, "\u2028", '[{"asked": {"kind": []}}]'])
def test_a_file_that_somebody_has_spoilt_holds_nothing(waiting: PendingRequests, tmp_path: Path, text: str) -> None:
    path = waiting_requests(tmp_path / "rollbook.db", SHERWOOD, tmp_path / "seeds")
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    assert waiting.of(SHERWOOD) == ()
    waiting.add(SHERWOOD, REQUEST)
    assert waiting.of(SHERWOOD) == (REQUEST,)


def test_removed_words_do_not_stay_in_what_waits(sherwood: StoreFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLBOOK_SEEDS", str(sherwood.seeds))
    waiting = PendingRequests(NoteFiles(sherwood.store, sherwood.seeds))
    waiting.add(SHERWOOD, REQUEST)
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        note = campaign.do("note", {"text": "it was the elm"})
        campaign.redact(note.action, why="private")
    assert waiting.of(SHERWOOD) == ()


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where there are forks")
def test_two_processes_that_change_a_note_lose_nothing(tmp_path: Path) -> None:
    notes = NoteFiles(tmp_path / "rollbook.db", tmp_path / "seeds")

    def add(who: str) -> None:
        for number in range(50):
            notes.change(SHERWOOD, lambda text, line=f"{who}{number}\n": text + line)  # type: ignore[misc]

    child = os.fork()
    if not child:
        try:
            add("there")
        finally:
            os._exit(0)
    add("here")
    os.waitpid(child, 0)
    assert sorted(notes.read(SHERWOOD).split()) == sorted(f"{who}{n}" for who in ("here", "there") for n in range(50))
