"""Every event can be told in a line of the log, or is left out on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.read_model.rows_of_entries import RowsOfEntries
from rollbook.adapters.wiring import book_of
from rollbook.domain.dice.record import Die
from rollbook.domain.entries import Entry, EntryKind, Intent, recorded
from rollbook.domain.events import CheckResolved, DiceRolled, Event, vocabulary
from rollbook.projections import outcomes
from rollbook.projections.log_lines import Teller
from rollbook.projections.session_log import LogLine
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.golden_logs import every_event
from tests.support.memory_store import MemoryEventStore
from tests.support.strategies import EVENTS, any_of


@pytest.mark.parametrize("cls", vocabulary(), ids=lambda cls: cls.__name__)
@settings(max_examples=10, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_event_can_be_told(cls: type[Event], data: st.DataObject) -> None:
    event = data.draw(any_of(cls))
    intent = data.draw(any_of(Intent))
    entry = Entry(EntryKind.TAKEN, 1, (event, event), seat=data.draw(st.text()), intent=intent)
    told = Teller({"robin": "Robin"}).text(entry)
    assert all(isinstance(part, (str, int, tuple)) for part in told)


@given(st.lists(EVENTS, max_size=4))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_stored_events_can_be_projected(events: list[Event]) -> None:
    told = Entry(EntryKind.TAKEN, 1, tuple(events), intent=Intent(verb="told"), provenance="imported")
    (line,) = RowsOfEntries("any", [recorded(told, 1)]).log("any")
    assert isinstance(line, LogLine)


def test_every_kind_of_event_is_said_or_left_out_on_purpose() -> None:
    unsaid = {cls.__name__ for cls in vocabulary() if cls not in outcomes.SAID}
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
    model = SQLiteReadModel()
    assert model.catch_up(MemoryEventStore(), book_of(MemoryEventStore(), model, SeedKeeper(Path())).rulebook) == 0
    assert model.remembered("nowhere") == (0, "")


def test_the_log_knows_who_acts_from_the_entry_and_guesses_by_no_other_word(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    shot = campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    back = campaign.do("attack", {"attacker": "guard", "target": "robin"})
    told = campaign.do("note", {"text": "robin", "about": "guard"})
    scene = campaign.do("scene", {"title": "guard"})
    assert [entry.actor for entry in (shot, back, told, scene)] == ["robin", "guard", "guard", ""]
    campaign.session.project()
    lines = {line.entry: line for line in campaign.read_model.log("sherwood")}
    assert [lines[entry.number].actor for entry in (shot, back, told, scene)] == [
        "|robin|Robin|",
        "|guard|Guard|",
        "|guard|Guard|",
        "",
    ]
    campaign.corrections.amend(told.action, {"about": "marian"}, reason="so").apply()
    assert campaign.history.latest_outcome(told.action).actor == "marian"


def test_no_open_entry_says_that_somebody_hidden_acts(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("join", {"name": "Ash", "id": "ash", "stats": {"max_hp": 9, "skill": 2}}, secret=True)
    campaign.do("attack", {"attacker": "ash", "target": "robin"})
    campaign.do("attack", {"attacker": "robin", "target": "ash"}, seat="mira")
    acted = [entry for entry in campaign.history.entries if "ash" in (entry.actor, entry.intent.params.get("target"))]
    assert [entry.visibility for entry in acted] == ["gm", "gm"]


def test_an_opening_names_the_one_who_takes_it() -> None:
    swing = DiceRolled(roller="wolf", purpose="attack of opportunity", expression="1d20", total=14, dice=(Die(20, 14),))
    check = CheckResolved(
        character="wolf",
        check="attack of opportunity",
        total=14,
        target=12,
        success=True,
        outcome="hit",
        against="robin",
    )
    intent = Intent(verb="move", params={"who": "robin"})
    entry = Entry(EntryKind.TAKEN, 1, (swing, check), intent=intent, actor="robin")
    told = Teller({"robin": "Robin", "wolf": "Wolf"}).text(entry)
    assert (told.who, told.what) == ("Robin", "moves")
    assert told.result == "Wolf’s attack of opportunity against Robin: 14 against 12: hit"
    assert told.dice.startswith("Wolf ")
