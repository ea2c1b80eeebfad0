"""What a GM wishes of what players are shown: it is no part of the game, and lies beside the store."""

from typing import Protocol

from rollbook.domain.base.identifiers import CampaignId


class PageSettings(Protocol):
    """What GMs wish, of all campaigns of a store."""

    def words_for_foes(self, campaign: CampaignId) -> bool:
        """Whether players see in words, and not in numbers, how foes are."""

    def say_foes_in_words(self, campaign: CampaignId, *, wanted: bool) -> None:
        """Keep what the GM wishes. Raises RollbookError if it cannot be written."""
