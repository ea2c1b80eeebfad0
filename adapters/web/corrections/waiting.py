"""What players ask the GM to correct: it waits beside the store until the GM has handled it, and is no part of the history."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path

import attrs
import cattrs

from adapters.own_files import keep_note
from adapters.paths import waiting_requests
from adapters.web.corrections.asked import SAID, AskedCorrection
from domain.identifiers import ActionNumber, CampaignId, SeatName
from domain.records import Record

MOST_WAITING = 20
"""So many requests of one seat wait at most; the oldest makes place."""


@attrs.frozen(kw_only=True)
class CorrectionRequest(Record):
    """A correction that a player asks the GM for. ``shown`` is the action's number for the player; ``asked`` has the real one."""

    id: str
    seat: SeatName
    shown: ActionNumber
    asked: AskedCorrection
    what: str

    @property
    def words(self) -> str:
        """What is asked for, as its seat may read it."""
        return f"{SAID[self.asked.kind]} #{self.shown}"


class WaitingRequests:
    """The requests of a store's campaigns, each campaign in a file of its own that other servers of the store read too."""

    def __init__(self, store: Path, seeds: Path) -> None:
        """``seeds`` is the folder of the dice seeds: what waits lies beside it."""
        self._store = store
        self._seeds = seeds
        self._lock = threading.Lock()

    def of(self, campaign: CampaignId, seat: SeatName | None = None) -> tuple[CorrectionRequest, ...]:
        """What waits in a campaign, oldest first; of one ``seat`` if it is named."""
        found = self._read(campaign)
        return tuple(each for each in found if seat in (None, each.seat))

    def find(self, campaign: CampaignId, id_: str, seat: SeatName | None = None) -> CorrectionRequest | None:
        """One that waits, if the seat may know of it."""
        return next((each for each in self.of(campaign, seat) if each.id == id_), None)

    def add(self, campaign: CampaignId, request: CorrectionRequest) -> None:
        """Have it wait. One that was sent twice waits once, and one for the same action takes the place of the one before."""
        with self._lock:
            others = [each for each in self._read(campaign) if not _is_same(each, request)]
            mine = [each for each in others if each.seat == request.seat]
            oldest = mine[: max(len(mine) + 1 - MOST_WAITING, 0)]
            self._write(campaign, [*(each for each in others if each not in oldest), request])

    def drop(self, campaign: CampaignId, id_: str) -> None:
        """It is handled, or not wanted any more."""
        with self._lock:
            self._write(campaign, [each for each in self._read(campaign) if each.id != id_])

    def _path(self, campaign: CampaignId) -> Path:
        return waiting_requests(self._store, campaign, self._seeds)

    def _read(self, campaign: CampaignId) -> list[CorrectionRequest]:
        try:
            kept = json.loads(self._path(campaign).read_text(encoding="utf-8"))
            return cattrs.structure(kept, list[CorrectionRequest])
        except (OSError, ValueError, RecursionError, cattrs.BaseValidationError):
            return []  # there is none yet, or somebody has spoilt the file: players ask again

    def _write(self, campaign: CampaignId, requests: list[CorrectionRequest]) -> None:
        path = self._path(campaign)
        if requests:
            keep_note(path, json.dumps(cattrs.unstructure(requests), ensure_ascii=False))
        else:
            with suppress(OSError):
                path.unlink()


def _is_same(one: CorrectionRequest, other: CorrectionRequest) -> bool:
    return one.id == other.id or (one.seat, one.asked.action) == (other.seat, other.asked.action)
