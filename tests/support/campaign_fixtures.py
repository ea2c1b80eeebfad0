"""A book of the toy in memory and in a file, and a campaign with a session open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused
from tests.support.campaigns import begin_campaign, file_book, memory_book
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


def refusal(campaign: Campaign, line: str) -> str:
    """The sentence with which a line is refused."""
    with pytest.raises(Refused) as refused:
        campaign.say(line)
    return str(refused.value)
