"""Encrypted notes of the web table in a shared store: they may contain words that are removed one day."""

from __future__ import annotations

import time
from collections.abc import Callable

from rollbook.adapters.storage.postgres.connecting import Connections
from rollbook.adapters.storage.postgres.keys import Keys, bound_note
from rollbook.adapters.storage.postgres.recorder import as_text
from rollbook.application.ports.seed_store import TableNotes
from rollbook.domain.base.identifiers import CampaignId

READ = "SELECT sealed FROM rollbook.table_notes WHERE stream = %(stream)s AND kind = %(kind)s"
WRITE = """\
INSERT INTO rollbook.table_notes VALUES (%(stream)s, %(kind)s, %(sealed)s)
ON CONFLICT (stream, kind) DO UPDATE SET sealed = excluded.sealed"""
REMOVE = "DELETE FROM rollbook.table_notes WHERE stream = %(stream)s AND kind = %(kind)s"
REMOVE_ALL = "DELETE FROM rollbook.table_notes WHERE stream = %(stream)s AND stream <> ''"
REMOVE_WORDS = "DELETE FROM rollbook.table_notes WHERE stream = %(stream)s AND kind = 'requests'"
"""A request that is still wanted is made again."""
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended(%(kind)s || '/' || %(stream)s, 0))"


class SharedNotes:
    """Texts of one ``kind`` (``TableNotes``). ``keys`` gives the keys when they are needed."""

    def __init__(self, connections: Connections, kind: str, keys: Callable[[], Keys]) -> None:
        self._connections = connections
        self._kind = kind
        self._keys = keys

    def read(self, campaign: CampaignId) -> str:
        rows = self._connections.rows(READ, "it could not be read", stream=as_text(campaign), kind=self._kind)
        return self._opened(rows[0][0], campaign) if rows else ""

    def change(self, campaign: CampaignId, changed: Callable[[str], str]) -> None:
        named: dict[str, object] = {"stream": as_text(campaign), "kind": self._kind}
        with self._connections.changing("nothing was changed") as cursor:
            cursor.execute(ONE_AT_A_TIME, named)
            row = cursor.execute(READ, named).fetchone()
            text = changed(self._opened(row[0], campaign) if row else "")
            if text:
                sealed = self._keys().seal(text.encode(), *bound_note(self._kind, campaign))
                cursor.execute(WRITE, {**named, "sealed": sealed})
            else:
                cursor.execute(REMOVE, named)

    def _opened(self, sealed: bytes, campaign: CampaignId) -> str:
        return self._keys().open(sealed, *bound_note(self._kind, campaign)).decode(errors="replace")


FOES = "words_for_foes"
FRESH = 1.0
"""Seconds for which a setting shared by nodes is cached: one response to a seat asks for it several times."""


class SharedPageSettings:
    """The page settings of all campaigns. One that was just read is cached."""

    def __init__(self, notes: TableNotes) -> None:
        self._notes = notes
        self._known: dict[CampaignId, tuple[float, bool]] = {}

    def words_for_foes(self, campaign: CampaignId) -> bool:
        at, wanted = self._known.get(campaign, (float("-inf"), False))
        if time.monotonic() - at >= FRESH:
            wanted = self._notes.read(campaign) == FOES
            self._known[campaign] = time.monotonic(), wanted
        return wanted

    def say_foes_in_words(self, campaign: CampaignId, *, wanted: bool) -> None:
        self._notes.change(campaign, lambda _: FOES if wanted else "")
        self._known.pop(campaign, None)
