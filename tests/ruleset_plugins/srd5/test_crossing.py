"""A campaign goes over from every other game to srd5 and back, and from srd5 to every other game and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from tests.support.crossings import GOLDEN, passport, sheets
from tests.support.games import INSTALLED_RULESETS
from tests.support.memory_store import MemoryEventStore

OTHERS = tuple(key for key in INSTALLED_RULESETS if key != "srd5")
PEOPLE = (
    "join Kara --class-name fighter --level 5 --scores 16,14,14,10,12,8 --weapons longsword,longbow --armour chain-mail",
    "join Odo --class-name cleric --level 3 --scores 10,12,14,10,16,8 --armour chain-shirt --shield --weapons mace",
    'join "Goblin Warrior" --count 2',
    "join Aboleth",
    "harm kara 12",
    "harm goblin-warrior-2 100",
    "condition odo poisoned",
)


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(tmp_path / "seeds"))


def check_crossing(table: Campaign, new: str) -> None:
    """What both games know goes over, and all is as before on coming back."""
    before, home, old = table.state, sheets(table), table.state.ruleset
    table.do("adopt", {"ruleset": new})
    door = table.session.rulebook.rulesets[new].crossing
    assert door is not None
    for name, who in before.characters.items():
        was, now = passport(table, before, name), passport(table, table.state, name)
        known = was.modifiers.keys() & now.modifiers.keys()
        assert {key: now.modifiers[key] for key in known} == {key: was.modifiers[key] for key in known}, name
        left, left_now = was.max_hp - who.lost, now.max_hp - table.state.characters[name].lost
        assert (left > 0) == (left_now > 0), name
        assert {meaning for meaning in was.conditions if meaning in door.conditions} <= set(now.conditions), name
        if was.is_entered:
            assert now.armour_class == was.armour_class, name
    table.do("adopt", {"ruleset": old})
    assert sheets(table) == home


@pytest.mark.parametrize("old", OTHERS)
def test_a_campaign_of_another_game_comes_over_and_goes_back(book: Book, old: str) -> None:
    table = book.campaign(import_campaign(book, GOLDEN[old]).campaign)
    if table.state.encounter is not None:
        table.do("end-encounter")
    check_crossing(table, "srd5")


@pytest.mark.parametrize("new", OTHERS)
def test_a_campaign_goes_over_to_another_game_and_comes_back(book: Book, new: str) -> None:
    table = book.new("The Post", "srd5")
    for line in PEOPLE:
        table.say(line)
    check_crossing(table, new)
