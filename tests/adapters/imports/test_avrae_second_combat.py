"""A session has several combats, each in a recording of its own: they come into one campaign, each once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest

from rollbook.adapters.imports import Imported
from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from tests.support.avrae import Recorder


def take_in(book: Book, path: Path) -> Imported:
    imported = read_avrae(path, "cellar", lambda name: known_of(book, name))
    record_import(book, imported, "cellar")
    return imported


def first(log: Any, path: Path) -> Path:
    written: Path = log.over(log.fight()).write(path / "first.jsonl")
    return written


def second(log: Any, path: Path, hp: int = 12, highest: int = 20) -> Path:
    """Another combat, in which Tessa fights with somebody new beside her."""
    recorder = Recorder(clock=1_600_100_000.0, thread=900)
    recorder.add("combat_start")
    recorder.did("init begin", "!i begin", (0, None, []), author="Ann")
    units = [log.pc("Tessa", hp, highest), log.pc("Olga", 9, 9), log.monster("RA1", 12)]
    recorder.did("init join", "!i join", (0, None, units), author="Cleo", caster="Olga")
    for line in recorder.lines:
        line["combat_id"] = "another"
    written: Path = recorder.write(path / "second.jsonl")
    return written


def test_a_second_combat_is_another_session_of_the_same_campaign(log: Any, book: Book, tmp_path: Path) -> None:
    take_in(book, first(log, tmp_path))
    imported = take_in(book, second(log, tmp_path, 12, 25))
    assert (imported.changes_corrected, imported.after > 0) == (0, True)
    campaign = book.campaign("cellar")
    state = campaign.state
    assert state.session is not None
    assert (state.session.number, state.session.is_open) == (2, False)
    tessa = state.characters["tessa"]
    assert (tessa.stats["max_hp"] - tessa.lost, tessa.stats["max_hp"]) == (12, 25)
    assert sorted(who.name for who in state.characters.values()) == ["Olga", "RA1", "RA1", "Tessa"]
    assert min((seat.number, name) for name, seat in state.seats.items()) == (0, "Ann")
    assert len({seat.number for seat in state.seats.values()}) == len(state.seats)
    assert campaign.audit()[0].verdict is Verdict.VERIFIED


def test_a_recording_comes_in_once(log: Any, book: Book, tmp_path: Path) -> None:
    for path in (first(log, tmp_path), second(log, tmp_path)):
        take_in(book, path)
        entries = book.campaign("cellar").head.entry
        assert take_in(book, path).found == ("Nothing is new: this recording was here.",)
        assert book.campaign("cellar").head.entry == entries


def test_another_recording_of_the_same_combat_is_refused(log: Any, book: Book, tmp_path: Path) -> None:
    take_in(book, first(log, tmp_path))
    longer = log.fight().says("Ben", "and on we go").write(tmp_path / "longer.jsonl")
    with pytest.raises(RollbookError, match="another recording of a combat that is in the campaign already"):
        take_in(book, longer)


def test_a_campaign_that_was_made_of_something_else_is_not_added_to(log: Any, book: Book, tmp_path: Path) -> None:
    path = first(log, tmp_path)
    imported = read_avrae(path)
    record_import(
        book, attrs.evolve(imported, actions=tuple(attrs.evolve(one, key="") for one in imported.actions)), "cellar"
    )
    with pytest.raises(RollbookError, match="already a campaign"):
        take_in(book, path)
