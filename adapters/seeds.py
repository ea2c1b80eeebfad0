"""Where dice seeds are kept until they are revealed: outside the store, readable by their owner alone.

Seeds belong to one session of one campaign in one store. A copy that plays on elsewhere would otherwise roll the dice
that the original has still to roll.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

import attrs

from adapters.own_files import added_to, keep_note, make_folder, new_file
from domain.dice.stream import commitment, session_identity
from domain.errors import Refused
from domain.identifiers import CampaignId

COPIES = "copies.jsonl"
"""The file that names the backups that were made, and so where copies of seeds and of words may lie."""


@attrs.frozen
class Seeds:
    """The two secrets of a session (32 bytes each), its identity, and the ``nonce`` that is in it (16 bytes each)."""

    identity: bytes
    table: bytes
    screen: bytes
    nonce: bytes = b""

    @property
    def commits(self) -> tuple[str, str]:
        """What the table is shown before the first die: the commitments to the open and the secret dice."""
        table, screen = (commitment(cls, self.identity, seed) for cls, seed in enumerate((self.table, self.screen)))
        return table.hex(), screen.hex()


@attrs.frozen
class StoreCopy:
    """A file into which the store at ``store`` was copied, with its seeds; ``at`` is microseconds since 1970, UTC."""

    store: str
    path: str
    at: int


@attrs.frozen
class SeedKeeper:
    """A folder with one small file a session; ``store`` is the identity of the store that the seeds are for."""

    folder: Path
    store: str = ""

    def of_store(self, store: str) -> SeedKeeper:
        """The same folder, for that store."""
        return attrs.evolve(self, store=store)

    def kept(self) -> list[tuple[str, str]]:
        """The seeds that are kept for this store: the session of each, and what its file says."""
        found = []
        for path in sorted(self.folder.glob("*.json")):
            try:
                text = path.read_text()
                said = json.loads(text)
                if said["store"] == self.store:
                    found.append((str(said["session"]), text))
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                continue
        return found

    def take(self, session: str, text: str) -> None:
        """Keep seeds that were kept for another store; that one has them no longer. Raises OSError, ValueError."""
        path = self._path(bytes.fromhex(session).hex())
        keep_note(path, json.dumps({**json.loads(text), "store": self.store}))

    def note_copy(self, store: Path, path: Path) -> None:
        """Remember a file into which a store is copied. Raises OSError."""
        note = StoreCopy(str(store.absolute()), str(path.absolute()), time.time_ns() // 1_000)
        with added_to(self.folder / COPIES) as file:
            file.write((json.dumps(attrs.asdict(note), ensure_ascii=False) + "\n").encode())

    def copies(self, store: str) -> tuple[StoreCopy, ...]:
        """The files into which the store at that place was copied and that are still there, the last copy in each."""
        try:
            lines = (self.folder / COPIES).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return ()
        found: dict[str, StoreCopy] = {}
        for line in lines:
            with suppress(ValueError, TypeError):
                note = StoreCopy(**json.loads(line))
                found[note.path] = note
        return tuple(note for note in found.values() if note.store == store and Path(note.path).exists())

    def new(self, campaign: CampaignId) -> Seeds:
        """Fresh seeds for a campaign (its identity), on disk before anybody learns the commitments. Raises Refused."""
        nonce = secrets.token_bytes(16)
        try:
            identity = session_identity(bytes.fromhex(campaign), nonce)
        except ValueError:
            raise Refused(
                f"The identity of this campaign, {campaign!r}, is not hexadecimal, so no dice can be bound to it. "
                f"Another program wrote its history."
            ) from None
        seeds = Seeds(identity, secrets.token_bytes(32), secrets.token_bytes(32), nonce)
        make_folder(self.folder)
        belongs = self._belongs_to(identity.hex(), campaign)
        hidden = {"nonce": nonce.hex(), "table": seeds.table.hex(), "screen": seeds.screen.hex()}
        _write(self._path(identity.hex()), {**belongs, **hidden})
        return seeds

    def of(self, session: str, campaign: CampaignId) -> Seeds | None:
        """The seeds of a session of a campaign (their identities); None if none are here for it in this store."""
        try:
            identity = bytes.fromhex(session)
            kept = json.loads(self._path(identity.hex()).read_text())
            if any(kept[key] != value for key, value in self._belongs_to(session, campaign).items()):
                return None
            return Seeds(identity, *(bytes.fromhex(kept[key]) for key in ("table", "screen", "nonce")))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _belongs_to(self, session: str, campaign: CampaignId) -> dict[str, str]:
        return {"session": session, "campaign": campaign, "store": self.store}

    def forget(self, seeds: Seeds) -> None:
        """Remove seeds that were never committed to."""
        self._path(seeds.identity.hex()).unlink(missing_ok=True)

    def _path(self, identity: str) -> Path:
        return self.folder / f"{identity}.json"


def _write(path: Path, said: dict[str, str]) -> None:
    """Write a new file that only its owner may read; it is on disk when this returns."""
    with new_file(path) as file:
        file.write(json.dumps(said).encode())
        file.flush()
        os.fsync(file.fileno())
