"""What a GM wishes of what players are shown: it is no part of the game, so it is in a small file beside the seeds."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rollbook.adapters.local_files.own_files import added_to, said_of
from rollbook.domain.base.identifiers import CampaignId

if TYPE_CHECKING:
    from rollbook.application.ports.seed_store import StoreSecrets
    from rollbook.application.ports.table_notes import TableNotes

FOES = "words_for_foes"
NOT_KEPT = "the page stays as it is"
FRESH = 1.0
"""Seconds for which a wish that several nodes share is taken as it was read: one answer to a seat asks several times."""


def page_settings_path(seeds: Path, store: str) -> Path:
    """Where the wishes are kept for the store of that identity, beside its ``seeds``."""
    return seeds / f"{sha256(store.encode()).hexdigest()[:24]}.pages.jsonl"


def page_settings_of(seeds: StoreSecrets) -> PageSettings:
    """The wishes of the store that some seeds are for: where it keeps notes they are in it, else in a file of this computer."""
    notes = seeds.notes("pages")
    return SharedPageSettings(notes) if notes else PageSettingsFile(page_settings_path(seeds.folder, seeds.store))


class PageSettings(Protocol):
    """What GMs wish, of all campaigns of a store."""

    def words_for_foes(self, campaign: CampaignId) -> bool:
        """Whether players see in words, and not in numbers, how foes are."""

    def say_foes_in_words(self, campaign: CampaignId, *, wanted: bool) -> None:
        """Keep what the GM wishes. Raises RollbookError if it cannot be written."""


class SharedPageSettings:
    """Wishes where several nodes find them, one note for each campaign. One that was just read is not asked for again."""

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


class PageSettingsFile:
    """One file, to which several programs may add; the last line about a campaign counts. It may be used from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[tuple[int, int], dict[CampaignId, bool]] = ((0, 0), {})

    def words_for_foes(self, campaign: CampaignId) -> bool:
        return self._wishes().get(campaign, False)

    def say_foes_in_words(self, campaign: CampaignId, *, wanted: bool) -> None:
        line = json.dumps({"campaign": campaign, FOES: wanted})
        with said_of(self._path, NOT_KEPT), added_to(self._path) as file:
            file.write(line.encode() + b"\n")

    def _wishes(self) -> dict[CampaignId, bool]:
        """Those of all campaigns, read again if the file is another one than it was."""
        try:
            found = self._path.stat()
            mark = (found.st_mtime_ns, found.st_size)
            if mark != self._known[0]:
                self._known = (mark, _read(self._path.read_bytes()))
        except OSError:
            return {}
        return self._known[1]


def _read(data: bytes) -> dict[CampaignId, bool]:
    """The last wish of each campaign; lines that say nothing of the kind are left out."""
    found: dict[CampaignId, bool] = {}
    for line in data.splitlines():
        with suppress(ValueError, KeyError, TypeError):
            said = json.loads(line)
            found[str(said["campaign"])] = said[FOES] is True
    return found
