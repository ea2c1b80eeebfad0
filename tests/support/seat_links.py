"""Links and tokens of seats in tests: a clock that is set, another program, and all that is kept."""

from __future__ import annotations

from rollbook.adapters.local_files.seat_links_file import SeatLinksFile
from rollbook.adapters.storage.postgres.connecting import Connections
from rollbook.adapters.storage.postgres.shared_links import SharedLinks
from rollbook.application.ports.seat_links import DAY, SeatLinks
from tests.support.shared_stores import all_rows

NOON = 20_000 * DAY + DAY // 2
SHERWOOD = ("sherwood", "a1")


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


def another(links: SeatLinks, clock: Clock) -> SeatLinks:
    """The same, opened by another program."""
    if isinstance(links, SeatLinksFile):
        return SeatLinksFile(links.path, clock)
    assert isinstance(links, SharedLinks)
    return SharedLinks(Connections(links.connections.address), clock)


def stored(links: SeatLinks) -> bytes:
    """Everything that is kept, byte for byte."""
    if isinstance(links, SeatLinksFile):
        return b"".join(path.read_bytes() for path in sorted(links.path.parent.iterdir()))
    assert isinstance(links, SharedLinks)
    return all_rows(links.connections, ("seat_links", "browsers", "taken", "seat_tokens"))
