"""Links of seats in both kinds of stores, by a clock that is set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.local_files.seat_links_file import SeatLinksFile
from rollbook.adapters.storage.postgres.connecting import Connections
from rollbook.adapters.storage.postgres.shared_links import SharedLinks
from rollbook.application.ports.seat_links import SeatLinks
from tests.support.seat_links import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file_links(tmp_path: Path, clock: Clock) -> Iterator[SeatLinksFile]:
    opened = SeatLinksFile(tmp_path / "seats" / "links.db", clock)
    yield opened
    opened.close()


@pytest.fixture(params=["file", "database"])
def links(request: pytest.FixtureRequest, clock: Clock) -> SeatLinks:
    """The links, in a file of one computer, or in the database of a store that several nodes share."""
    if request.param == "file":
        return request.getfixturevalue("file_links")
    return SharedLinks(Connections(request.getfixturevalue("postgres_store")), clock)
