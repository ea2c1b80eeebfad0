"""Where a timeline leaves its parent, as it was first stored: it is read for ever."""

from __future__ import annotations

from rollbook.application.history.timeline_marker import Marker, packed, read_marker
from tests.support.memory_store import MemoryEventStore

FIRST = (
    b'{"at":1790000000000000,"entry":12,"hash":"00ff","number":3,"parent":"sherwood~1","ruleset":"grid",'
    b'"ruleset_version":"1","why":"what if \xc3\xbc"}'
)


def test_a_marker_is_read_and_written_as_it_was_at_first() -> None:
    store = MemoryEventStore()
    store.begin("sherwood~3", FIRST, [])
    marker = Marker(
        number=3,
        parent="sherwood~1",
        entry=12,
        hash="00ff",
        at=1_790_000_000_000_000,
        why="what if ü",
        ruleset="grid",
        ruleset_version="1",
    )
    assert read_marker(store, "sherwood~3") == marker
    assert packed(marker) == FIRST
