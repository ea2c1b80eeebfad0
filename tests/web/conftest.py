"""A real server with a table in the middle of a fight, and visitors of it with browsers of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.web.seats.requester import Identity
from tests.support.pages import Visitor, visitor
from tests.support.web import Running, StoreFiles, copied, running
from tests.support.web_tables import in_the_clearing, in_two_fights


@pytest.fixture(scope="session")
def fight_played(tmp_path_factory: pytest.TempPathFactory) -> StoreFiles:
    """The Sherwood session up to the end of its fight. To be copied, not used."""
    return in_two_fights(Path(tmp_path_factory.mktemp("fight")))


@pytest.fixture
def fight(fight_played: StoreFiles, tmp_path: Path) -> StoreFiles:
    """A store with that campaign, for one test."""
    return copied(fight_played, tmp_path)


@pytest.fixture(scope="session")
def clearing_played(tmp_path_factory: pytest.TempPathFactory) -> StoreFiles:
    """A fight of seven. To be copied, not used."""
    return in_the_clearing(Path(tmp_path_factory.mktemp("clearing")))


@pytest.fixture
def table(fight: StoreFiles) -> Iterator[Running]:
    """A server of it."""
    with running(fight) as server:
        yield server


Sit = Callable[..., Visitor]


@pytest.fixture
def sit(a_browser: Any, table: Running) -> Iterator[Sit]:
    """Sit down with a browser: ``sit(MIRA, size=PHONE, dark=True)``. At the end nothing must have gone wrong in any of them."""
    with ExitStack() as leaving:

        def sit_down(identity: Identity, **how: Any) -> Visitor:
            return leaving.enter_context(visitor(a_browser, table.address, table.cookies(identity), **how))

        yield sit_down
