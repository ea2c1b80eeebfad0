"""The limits that the host of a store sets, in a small file beside the seeds."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Lock

import attrs

from rollbook.adapters.local_files.own_files import keep_note, said_of
from rollbook.domain.base.identifiers import CampaignId


def host_notes_path(seeds: Path, store: str) -> Path:
    """The file for the store of that identity, beside its ``seeds``."""
    return seeds / f"{sha256(store.encode()).hexdigest()[:24]}.host.json"


@attrs.frozen
class HostNotesFile:
    """A file with one text, whatever campaign is named (``TableNotes``)."""

    _path: Path
    _lock: Lock = attrs.field(factory=Lock, init=False)

    def read(self, campaign: CampaignId) -> str:  # noqa: ARG002 - the port's signature
        try:
            return self._path.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def change(self, campaign: CampaignId, changed: Callable[[str], str]) -> None:
        with self._lock, said_of(self._path, "nothing was changed"):
            keep_note(self._path, changed(self.read(campaign)))
