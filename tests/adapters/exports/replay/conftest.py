"""An example session as a page, played once for all tests of pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from tests.support.example_sessions import played_example
from tests.support.replay_pages import replay_file


@pytest.fixture(scope="session")
def sherwood(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return played_example("sherwood", tmp_path_factory.mktemp("sherwood"))


@pytest.fixture(scope="session")
def page_file(sherwood: Campaign, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return replay_file(sherwood, tmp_path_factory.mktemp("page") / "session.html")
