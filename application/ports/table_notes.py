"""Small texts that the table on the web keeps beside its store, one for each campaign: they are no part of the history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rollbook.domain.base.identifiers import CampaignId


class TableNotes(Protocol):
    """Texts of one kind. May be used from several threads."""

    def read(self, campaign: CampaignId) -> str:
        """The text of a campaign, "" if there is none. Raises RollbookError."""

    def change(self, campaign: CampaignId, changed: Callable[[str], str]) -> None:
        """Put what ``changed`` makes of a text in its place, "" for none, before anybody else does. Raises RollbookError."""
