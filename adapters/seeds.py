"""Where dice seeds are kept until they are revealed: outside the store, readable by their owner alone."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

import attrs

from domain.dice.stream import commitment


@attrs.frozen
class Seeds:
    """The two secrets of a session (32 bytes each) and the session's identity (16 bytes)."""

    identity: bytes
    table: bytes
    screen: bytes

    @property
    def commits(self) -> tuple[str, str]:
        """What the table is shown before the first die: the commitments to the open and the secret dice."""
        table, screen = (commitment(cls, self.identity, seed) for cls, seed in enumerate((self.table, self.screen)))
        return table.hex(), screen.hex()


class SeedKeeper:
    """A folder with one small file a session."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new(self) -> Seeds:
        """Fresh seeds from the operating system's generator, on disk before anybody learns the commitments."""
        seeds = Seeds(secrets.token_bytes(16), secrets.token_bytes(32), secrets.token_bytes(32))
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(seeds.identity.hex())
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"table": seeds.table.hex(), "screen": seeds.screen.hex()}, file)
            file.flush()
            os.fsync(file.fileno())
        return seeds

    def of(self, identity: str) -> Seeds | None:
        """The seeds of a session; None if they are not on this computer."""
        try:
            kept = json.loads(self._path(identity).read_text())
            return Seeds(bytes.fromhex(identity), bytes.fromhex(kept["table"]), bytes.fromhex(kept["screen"]))
        except (OSError, ValueError, KeyError):
            return None

    def forget(self, seeds: Seeds) -> None:
        """Remove seeds that were never committed to."""
        self._path(seeds.identity.hex()).unlink(missing_ok=True)

    def _path(self, identity: str) -> Path:
        return self.folder / f"{identity}.json"
