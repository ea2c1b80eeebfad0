"""Every event can be told in a line of the log, or is left out on purpose."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.book import Book
from adapters.entry_log import EntryLog
from adapters.head import Head
from adapters.seeds import SeedKeeper
from adapters.storage.event_store import MemoryEventStore
from adapters.storage.read_model import ReadModel
from domain.entries import Entry, EntryKind, Intent
from domain.events import Event, vocabulary
from projections import log_lines
from projections.log_lines import describe
from projections.session_log import LogLine
from tests.support.campaigns import memory_book
from tests.support.golden_logs import every_event
from tests.support.strategies import EVENTS, any_of


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
def test_any_stored_events_can_be_projected(events: list[Event]) -> None:
    book = memory_book(Path("nowhere"))
    log_of(book, events)
    book.read_model.catch_up(book.store, book.rulebook)
    (line,) = book.read_model.log("any")
    assert isinstance(line, LogLine)


def log_of(book: Book, events: list[Event]) -> None:
    told = Entry(EntryKind.TAKEN, 1, tuple(events), intent=Intent(verb="told"), provenance="imported")
    EntryLog(book.store, "any", lambda: 0).write(Head(), [told])


def test_every_kind_of_event_is_said_or_left_out_on_purpose() -> None:
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
