"""GMs' settings of the players' pages, in a small file beside the seeds."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from rollbook.adapters.local_files.own_files import add_text, read_records, said_of
from rollbook.domain.base.identifiers import CampaignId

FOES = "words_for_foes"
NOT_KEPT = "the page stays as it is"


def page_settings_path(seeds: Path, store: str) -> Path:
    """The file of settings for the store of that identity, beside its ``seeds``."""
    return seeds / f"{sha256(store.encode()).hexdigest()[:24]}.pages.jsonl"


class PageSettingsFile:
    """A file to which several programs may append; the last line about a campaign counts. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[tuple[int, int], dict[CampaignId, bool]] = ((0, 0), {})

    def words_for_foes(self, campaign: CampaignId) -> bool:
        return self._wishes().get(campaign, False)

    def say_foes_in_words(self, campaign: CampaignId, *, wanted: bool) -> None:
        with said_of(self._path, NOT_KEPT):
            add_text(self._path, json.dumps({"campaign": campaign, FOES: wanted}) + "\n")

    def _wishes(self) -> dict[CampaignId, bool]:
        """The settings of all campaigns, read again if the file has changed."""
        try:
            found = self._path.stat()
            mark = (found.st_mtime_ns, found.st_size)
            if mark != self._known[0]:
                self._known = (
                    mark,
                    dict(read_records(self._path.read_text(encoding="utf-8", errors="replace").splitlines(), _wish)),
                )
        except OSError:
            return {}
        return self._known[1]


def _wish(said: Any) -> tuple[CampaignId, bool]:
    return str(said["campaign"]), said[FOES] is True
