"""Requests of players to the GM, for corrections and characters: they wait beside the store, and are no part of the history."""

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import attrs
import cattrs

from rollbook.adapters.local_files.own_files import alone_in, keep_note
from rollbook.adapters.local_files.paths import waiting_requests
from rollbook.adapters.web.corrections.requests import RequestedCorrection
from rollbook.application.ports.seed_store import TableNotes
from rollbook.application.ports.store_address import Place
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, SeatName
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record

MOST_WAITING = 20
"""Most waiting requests of one seat; a new one replaces the oldest."""


@attrs.frozen(kw_only=True)
class CorrectionRequest(Record):
    """A correction that a player asks the GM for. ``shown`` is the player's action number; ``asked`` has the real."""

    id: str
    seat: SeatName
    shown: ActionNumber
    asked: RequestedCorrection
    what: str

    def is_like(self, other: object) -> bool:
        """True if one replaces the other: the same id, or the same seat and action."""
        if not isinstance(other, CorrectionRequest):
            return False
        return self.id == other.id or (self.seat, self.asked.action) == (other.seat, other.asked.action)

    @property
    def words(self) -> str:
        """The title of the correction, with the player's number of the action."""
        return self.asked.titled(self.shown)


@attrs.frozen(kw_only=True)
class NewcomerRequest(Record):
    """A character that a player asks for, who is nobody before the GM brings them in.

    ``answers`` are as they were typed, ``dice`` the faces that fell: first ``fell_here`` ones of the rolls with the
    numbers in ``rolled``, as the player counts them, then real dice.
    """

    id: str
    seat: SeatName
    answers: Mapping[str, str]
    dice: tuple[int, ...] = ()
    rolled: tuple[ActionNumber, ...] = ()
    fell_here: int = 0

    def is_like(self, other: object) -> bool:
        """True if one replaces the other: the same id, or a character of that name of the same seat."""
        if not isinstance(other, NewcomerRequest):
            return False
        return self.id == other.id or (self.seat, caseless(self.name)) == (other.seat, caseless(other.name))

    @property
    def name(self) -> str:
        """The name of the character."""
        return self.answers.get("name", "")


Asked: TypeAlias = CorrectionRequest | NewcomerRequest


@attrs.frozen
class NoteFiles:
    """Notes in files on this computer, one for each campaign, which other servers of the store read too.

    ``seeds`` is the folder of the dice seeds: the files are beside it, and ``where`` they are of this kind.
    """

    _store: Place
    _seeds: Path
    _where: Callable[[Place, CampaignId, Path], Path] = waiting_requests
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def read(self, campaign: CampaignId) -> str:
        try:
            return self._path(campaign).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def change(self, campaign: CampaignId, changed: Callable[[str], str]) -> None:
        with self._lock, alone_in(self._path(campaign).parent):
            text = changed(self.read(campaign))
            if text:
                keep_note(self._path(campaign), text)
            else:
                with suppress(OSError):
                    self._path(campaign).unlink()

    def _path(self, campaign: CampaignId) -> Path:
        return self._where(self._store, campaign, self._seeds)


@attrs.frozen
class PendingRequests:
    """The requests of a store's campaigns."""

    _notes: TableNotes

    def of(self, campaign: CampaignId, seat: SeatName | None = None) -> tuple[Asked, ...]:
        """The waiting requests of a campaign, oldest first; only those of ``seat`` if it is given."""
        found = _read(self._notes.read(campaign))
        return tuple(each for each in found if seat in (None, each.seat))

    def find(self, campaign: CampaignId, id_: str, seat: SeatName | None = None) -> Asked | None:
        """The waiting request of that id, None if there is none or it is another seat's."""
        return next((each for each in self.of(campaign, seat) if each.id == id_), None)

    def add(self, campaign: CampaignId, request: Asked) -> None:
        """Add a request. One that was sent twice is added once; one for the same action replaces the earlier one."""

        def with_it(text: str) -> str:
            others = [each for each in _read(text) if not each.is_like(request)]
            mine = [each for each in others if each.seat == request.seat]
            oldest = mine[: max(len(mine) + 1 - MOST_WAITING, 0)]
            return _written([*(each for each in others if each not in oldest), request])

        self._notes.change(campaign, with_it)

    def drop(self, campaign: CampaignId, id_: str) -> None:
        """Remove a request that is handled or no longer wanted."""
        self._notes.change(campaign, lambda text: _written([each for each in _read(text) if each.id != id_]))


def _read(text: str) -> list[Asked]:
    try:
        return cattrs.structure(json.loads(text), list[Asked])
    except (ValueError, RecursionError, cattrs.BaseValidationError):
        return []  # there is no file yet, or it is spoilt: players ask again


def _written(requests: list[Asked]) -> str:
    return json.dumps(cattrs.unstructure(requests), ensure_ascii=False) if requests else ""
