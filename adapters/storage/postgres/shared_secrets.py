"""Secrets of a shared store, encrypted in the same database: the port ``StoreSecrets`` for all nodes at once.

Every node uses the same seeds and marks. Dice marks are noted on the node too: a database that is set back to an older
state loses its marks with its entries, but the dice seen since then must not fall again.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import attrs

from rollbook.adapters.local_files.own_files import remove_left_over
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.postgres.connecting import Connections, Row, connections_to
from rollbook.adapters.storage.postgres.keys import Keys, bound_seeds, find_keys, settle_keys
from rollbook.adapters.storage.postgres.recorder import as_name, as_text
from rollbook.adapters.storage.postgres.shared_links import SharedLinks
from rollbook.adapters.storage.postgres.shared_notes import REMOVE_ALL, REMOVE_WORDS, SharedNotes, SharedPageSettings
from rollbook.application.ports import seed_store
from rollbook.application.ports.clock import microseconds
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId, StreamId
from rollbook.domain.base.records import Record

KEEP = """\
INSERT INTO rollbook.seeds VALUES (%(stream)s, %(session)s, %(campaign)s, %(sealed)s)
ON CONFLICT (stream, session) DO UPDATE SET campaign = excluded.campaign, sealed = excluded.sealed"""
FIND = (
    "SELECT sealed FROM rollbook.seeds WHERE stream = %(stream)s AND session = %(session)s AND campaign = %(campaign)s"
)
ALL = "SELECT stream, session, campaign, sealed FROM rollbook.seeds WHERE %(stream)s IN ('', stream) ORDER BY session"
OF_SESSION = "SELECT stream, session, campaign, sealed FROM rollbook.seeds WHERE session = %(session)s"
FORGET_SEEDS = "DELETE FROM rollbook.seeds WHERE stream = %(stream)s AND session = %(session)s"
LET_GO = (
    "DELETE FROM rollbook.seeds WHERE %(stream)s IN ('', stream) AND campaign = %(campaign)s RETURNING stream, session"
)
DROP_MARKS = "DELETE FROM rollbook.dice_marks WHERE stream = %(stream)s AND session = %(session)s"
MARKS = "SELECT run, used FROM rollbook.dice_marks WHERE stream = %(stream)s AND session = %(session)s"
RAISE = """\
INSERT INTO rollbook.dice_marks
SELECT %(stream)s, %(session)s, run, used FROM unnest(%(runs)s::text[], %(used)s::bigint[]) u (run, used)
WHERE set_config('synchronous_commit', 'off', true) = 'off' ORDER BY run
ON CONFLICT (stream, session, run) DO UPDATE SET used = excluded.used WHERE dice_marks.used < excluded.used"""
"""Raises marks, never lowers them: the higher of two nodes' counts. In one order, so that no two wait for each other.

It does not wait for the disk, which has the entry already: if a power failure loses the mark, the entry shows the same.
"""
NOTE_MOVED = "INSERT INTO rollbook.moved (stream, said) VALUES (%(stream)s, %(said)s)"
GONE = "SELECT said FROM rollbook.moved WHERE %(stream)s IN ('', stream) ORDER BY number"
NOTE_COPY = """\
INSERT INTO rollbook.copies VALUES (%(host)s, %(path)s, %(store)s, %(at)s)
ON CONFLICT (host, path) DO UPDATE SET store = excluded.store, at = excluded.at"""
COPIES = "SELECT host, path, store, at FROM rollbook.copies ORDER BY at"
NOT_KEPT, NOT_READ = "nothing was kept", "it could not be read"
REMEMBERED = 1_000
"""Number of sessions whose seeds a program caches."""


class Vault:
    """The opened secrets of one store: its connections, its keys, and a cache of the seeds that were read."""

    def __init__(self, address: str, store: str) -> None:
        self.address = address
        self.connections: Connections = connections_to(address)
        self.store = store
        self.read: dict[tuple[str, ...], seed_store.Seeds] = {}
        self._lock = Lock()
        self._keys: Keys | None = None

    def keys(self) -> Keys:
        """The keys, checked to be the store's. Raises RollbookError with advice if there are none, or others."""
        with self._lock:
            if self._keys is None:
                keys = find_keys(self.store)
                settle_keys(self.connections, keys)
                self._keys = keys
            return self._keys

    def remember(self, place: tuple[str, ...], seeds: seed_store.Seeds) -> seed_store.Seeds:
        """Cache the seeds of a session: they never change."""
        with self._lock:
            if len(self.read) >= REMEMBERED:
                self.read.clear()
            self.read[place] = seeds
        return seeds


@attrs.frozen(slots=False)
class SharedSecrets(Record):
    """The secrets of a store (``StoreSecrets``). ``folder`` is this computer's own."""

    vault: Vault
    folder: Path
    stream: StreamId = ""

    @property
    def store(self) -> str:
        """The identity of the store."""
        return self.vault.store

    def of_store(self, store: str, *, lasting: bool = True) -> SharedSecrets:  # noqa: ARG002 - it always lasts
        vault = self.vault if store == self.store else Vault(self.vault.address, store)
        return attrs.evolve(self, vault=vault, stream="")

    def of_stream(self, stream: StreamId) -> SharedSecrets:
        return attrs.evolve(self, stream=stream)

    @cached_property
    def _near(self) -> SeedKeeper:
        """The marks on this computer, written without waiting for its disk, because the database has them durably."""
        return SeedKeeper(self.folder, self.store, self.stream, lasting=False)

    def _rows(self, statement: str, outcome: str, **more: object) -> list[Row]:
        return self.vault.connections.rows(statement, outcome, stream=as_text(self.stream), **more)

    # Seeds.

    def check_usable(self) -> None:
        self.vault.keys()

    def where(self) -> str:
        return f"the store's database, encrypted; their key is in {self.vault.keys().source}"

    def new(self, campaign: CampaignId) -> seed_store.Seeds:
        seeds = seed_store.new_seeds(campaign)
        self.keep(seeds.identity.hex(), campaign, seeds)
        return seeds

    def keep(self, session: str, campaign: CampaignId, seeds: seed_store.Seeds) -> None:
        """Store the seeds of a session of a campaign (its identity). Raises RollbookError."""
        text = b"".join((seeds.table, seeds.screen, seeds.nonce))
        sealed = self.vault.keys().seal(text, *bound_seeds(session, campaign, self.stream))
        self._rows(KEEP, NOT_KEPT, session=session, campaign=campaign, sealed=sealed)

    def of(self, session: str, campaign: CampaignId) -> seed_store.Seeds | None:
        place = (self.stream, session, campaign)
        if place in self.vault.read:
            return self.vault.read[place]
        rows = self._rows(FIND, NOT_READ, session=as_text(session), campaign=as_text(campaign))
        if not rows:
            return None
        return self.vault.remember(place, self._opened(self.stream, session, campaign, rows[0][0]))

    def has(self, session: str, campaign: CampaignId) -> bool:
        place = (self.stream, session, campaign)
        named = {"session": as_text(session), "campaign": as_text(campaign)}
        return place in self.vault.read or bool(self._rows(FIND, NOT_READ, **named))

    def _opened(self, stream: StreamId, session: str, campaign: CampaignId, sealed: bytes) -> seed_store.Seeds:
        text = self.vault.keys().open(sealed, *bound_seeds(session, campaign, stream))
        return seed_store.Seeds(bytes.fromhex(session), text[:32], text[32:64], text[64:])

    def owner(self, session: str) -> StreamId:
        rows = self._rows(OF_SESSION, NOT_READ, session=as_text(session))
        return as_name(rows[0][0]) if rows else ""

    def forget(self, seeds: seed_store.Seeds) -> None:
        self._rows(FORGET_SEEDS, NOT_KEPT, session=seeds.identity.hex())

    # Marks.

    def marks(self, session: str) -> seed_store.DiceMarks:
        shared, near = self._shared_marks(session), self._near.marks(session)
        both = shared.and_also(near)
        if both != shared:
            self.raise_shared(session, both)
        return both

    def _shared_marks(self, session: str) -> seed_store.DiceMarks:
        rows = self._rows(MARKS, NOT_READ, session=bytes.fromhex(session).hex())
        return seed_store.marks_in(
            seed_store.CLOSED if run == seed_store.CLOSED else f"{run} {used}" for run, used in rows
        )

    def raise_marks(self, session: str, to: seed_store.DiceMarks) -> None:
        with suppress(OSError):
            self._near.raise_marks(session, to)
        with suppress(RollbookError):  # the entry counts all the same, and the next roll raises them
            self.raise_shared(session, to)

    def raise_shared(self, session: str, to: seed_store.DiceMarks) -> None:
        """Raise the marks that all nodes share. Raises RollbookError."""
        pairs = [(seed_store.CLOSED, 1) if line == seed_store.CLOSED else _run(line) for line in to.lines()]
        if pairs:
            runs, used = zip(*pairs, strict=True)
            self._rows(RAISE, NOT_KEPT, session=bytes.fromhex(session).hex(), runs=list(runs), used=list(used))

    # Secrets that move to another store or come from one.

    def kept(self) -> list[tuple[str, str]]:
        return [(session, json.dumps(said)) for session, said in self._all()]

    def _all(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for stream, session, campaign, sealed in self._rows(ALL, NOT_READ):
            seeds = self._opened(as_name(stream), session, campaign, sealed)
            bound = {"session": session, "campaign": campaign, "store": self.store, "stream": as_name(stream)}
            marks = self.of_stream(as_name(stream)).marks(session).lines()
            yield session, {**bound, **seeds.hidden, "marks": marks}

    def check_may_take(self, kept: Iterable[tuple[str, str]], source: Path) -> None:
        for session, text in kept:
            for stream, _, campaign, sealed in self._rows(OF_SESSION, NOT_READ, session=session):
                here = self._opened(as_name(stream), session, campaign, sealed).hidden
                seed_store.check_same_secrets(here, json.loads(text), source, f"this store has for {as_name(stream)}")

    def take(self, session: str, text: str) -> None:
        said = json.loads(text)
        mine = self.of_stream(self.stream or said.get("stream", ""))
        mine.raise_shared(session, seed_store.marks_in(said.get("marks", ())))
        mine.keep(bytes.fromhex(session).hex(), said["campaign"], seed_store.Seeds.read({"nonce": "", **said}))

    def let_go(self, campaign: CampaignId, *, is_deleted: bool = False) -> None:
        self.vault.read.clear()
        removed = self._rows(LET_GO, NOT_KEPT, campaign=campaign)
        for stream, session in removed if is_deleted else ():
            self.vault.connections.rows(DROP_MARKS, NOT_KEPT, stream=stream, session=session)
            self._near.drop_marks(session)
        if is_deleted:
            self._rows(REMOVE_ALL, NOT_KEPT)

    def moved(self) -> tuple[seed_store.Moved, ...]:
        rows = self._rows(GONE, NOT_READ)
        return seed_store.gone_of(seed_store.read_moved(said for (said,) in rows), self.store, self.stream)

    def note_moved(self, moved: seed_store.Moved) -> None:
        said = json.dumps(attrs.asdict(moved))
        self.vault.connections.rows(NOTE_MOVED, NOT_KEPT, stream=as_text(moved.stream), said=said)

    # Copies of the store in files.

    def note_copy(self, store: str, path: Path) -> None:
        found: dict[str, object] = {"host": _host(), "path": as_text(str(path.absolute())), "store": store}
        self.vault.connections.rows(NOTE_COPY, NOT_KEPT, **found, at=microseconds())

    def copies(self, store: str) -> tuple[seed_store.StoreCopy, ...]:
        """The files that still exist; those on other computers cannot be checked, and are named with the computer."""
        found = (
            (host, seed_store.StoreCopy(store, as_name(path), at))
            for host, path, _, at in self.vault.connections.rows(COPIES, NOT_READ)
        )
        return tuple(
            copy if host == _host() else attrs.evolve(copy, path=f"{copy.path} on {host}")
            for host, copy in found
            if host != _host() or Path(copy.path).exists()
        )

    def copied_to(self) -> tuple[Path, ...]:
        rows = self.vault.connections.rows(COPIES, NOT_READ)
        return tuple(dict.fromkeys(Path(as_name(path)).parent for host, path, *_ in rows if host == _host()))

    # Everything else that all nodes share.

    def links(self) -> SharedLinks:
        return SharedLinks(self.vault.connections)

    def forget_links(self, campaign: CampaignId) -> None:
        self.links().forget(campaign)

    def forget_notes(self, campaign: CampaignId) -> None:
        self.vault.connections.rows(REMOVE_WORDS, NOT_KEPT, stream=as_text(campaign))

    def host_notes(self) -> SharedNotes:
        return self.notes("host")

    def page_settings(self) -> SharedPageSettings:
        return SharedPageSettings(self.notes("pages"))

    def remove_unfinished(self, beside: Iterable[Path]) -> None:
        remove_left_over(dict.fromkeys([*beside, self.folder, *self.copied_to()]))

    def notes(self, kind: str) -> SharedNotes:
        return SharedNotes(self.vault.connections, kind, self.vault.keys)


def _run(line: str) -> tuple[str, int]:
    run, _, used = line.rpartition(" ")
    return run, int(used)


def _host() -> str:
    return socket.gethostname()
