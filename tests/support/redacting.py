"""Words in notes, and where on disk they are."""

from __future__ import annotations

from pathlib import Path

from rollbook.application.campaign import Campaign
from tests.support.files_with import files_with

WORDS = "zyxel and plugh"


def words_on_disk(folder: Path) -> list[str]:
    """The files in which the words still stand, seeds and all."""
    return [str(path) for path in files_with(b"zyxel", folder)]


def note_of(campaign: Campaign, to: str = "table", **more: str) -> int:
    """A note with the words, and its action."""
    campaign.do("note", {"text": WORDS, "to": to, **more}, seat="mira" if to == "gm" else "Ana")
    return campaign.history.actions
