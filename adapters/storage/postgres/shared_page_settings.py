"""What GMs wish of what players are shown, where several nodes find it: one note for each campaign."""

import time

from rollbook.application.ports.table_notes import TableNotes
from rollbook.domain.base.identifiers import CampaignId

FOES = "words_for_foes"
FRESH = 1.0
"""Seconds for which a wish that several nodes share is taken as it was read: one answer to a seat asks several times."""


class SharedPageSettings:
    """The wishes of all campaigns. One that was just read is not asked for again."""

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
