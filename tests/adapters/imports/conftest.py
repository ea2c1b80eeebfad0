"""A small recording of the same shape as Avrae's, put together line by line, and where the real ones are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.application.book import Book
from tests.support.avrae import AvraeLog, Recorder, real_recordings
from tests.support.campaigns import memory_book


@pytest.fixture(scope="session")
def log() -> type[AvraeLog]:
    return AvraeLog


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[[Recorder], Path]:
    """Writes a recording to a file."""
    return lambda recorder: recorder.write(tmp_path / "cellar.jsonl.gz")


@pytest.fixture(scope="session")
def recordings() -> list[Path]:
    """The recordings of real sessions; they are no part of the project."""
    found = real_recordings()
    if not found:
        pytest.skip("the recordings of real sessions are not here; ROLLBOOK_SHARED says where they are")
    return found


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """A book in memory, with every ruleset that is installed."""
    return memory_book(tmp_path, ruleset=None)
