"""A book of the toy in memory and in a file, a campaign with a session open, and one of each installed game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused
from tests.support.campaigns import begin_campaign, file_book, memory_book
from tests.support.games import INSTALLED_RULESETS
from tests.support.memory_store import MemoryEventStore


@pytest.fixture(params=["memory", "sqlite"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Book]:
    """A book, once in memory and once in a file."""
    with file_book(tmp_path, MemoryEventStore() if request.param == "memory" else None) as made:
        yield made


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """A campaign in memory."""
    return begin_campaign(memory_book(tmp_path))


@pytest.fixture(params=INSTALLED_RULESETS)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Campaign]:
    """A new campaign with its GM, of each installed game."""
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=True) as opened:
        begun = opened.new("The Ford", request.param, {})
        begun.say("take-seat Ana --role gm")
        yield begun


def refusal(campaign: Campaign, line: str) -> str:
    """The sentence with which a line is refused."""
    with pytest.raises(Refused) as refused:
        campaign.say(line)
    return str(refused.value)
