"""An empty store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "campaigns"


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteEventStore]:
    store = SQLiteEventStore(path)
    yield store
    store.close()
