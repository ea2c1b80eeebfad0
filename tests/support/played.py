"""The example sessions, one of each game, each played once for all tests that only look at it."""

from __future__ import annotations

import pytest

from rollbook.application.campaign import Campaign
from tests.support.example_sessions import EXAMPLE_SESSIONS, played_example


@pytest.fixture(scope="session", params=EXAMPLE_SESSIONS)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """The campaign of an example session, one after the other. Only to look at."""
    return played_example(request.param, tmp_path_factory.mktemp(request.param))
