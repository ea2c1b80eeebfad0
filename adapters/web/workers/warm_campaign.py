"""A campaign that is open in a worker's thread: whole for the GM and for commands, and as each audience may see it."""

from __future__ import annotations

from collections.abc import Callable

from rollbook.adapters.web.seats.identity import Identity
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.cursor import with_mark
from rollbook.application.visibility.editions.edition import DAMAGED, mark_of_own
from rollbook.application.visibility.editions.live import AnyEdition, Editions
from rollbook.application.visibility.seat_campaign import without_hidden_names
from rollbook.domain.base.errors import RollbookError, StaleHistory
from rollbook.domain.base.identifiers import CampaignId

WordsForFoes = Callable[[CampaignId], bool]


class WarmCampaign:
    """One campaign. An ``audience`` is None for the GM, a player's seat, or "" for the table."""

    def __init__(self, campaign: Campaign, words_for_foes: WordsForFoes = lambda _: False) -> None:
        """``words_for_foes`` says whether all but the GM see in words how foes are."""
        self.campaign = campaign
        self._words_for_foes = words_for_foes
        self._editions = Editions(campaign)
        self.in_stretches = False
        self._projected = ""
        self._own: dict[str, tuple[tuple[str, str], str]] = {}
        self.follow()
        self.let_go()

    def let_go(self) -> None:
        """Keep no more of the past in memory than what is asked for again and again."""
        self.campaign.session.let_go()

    def follow(self) -> None:
        """Take in what was stored since, by whomever. Raises StaleHistory if the campaign is gone."""
        head = self.campaign.refresh()
        if self.campaign.session.history.has_lost_entries:
            raise StaleHistory(f"{self.campaign.id} has lost entries that were here, or was deleted.")
        in_words = self._words_for_foes(self.campaign.id)
        if in_words != self._editions.words_for_foes:
            self._editions = Editions(self.campaign, words_for_foes=in_words)
        self._editions.look_again()
        if head.hash != self._projected or not self.campaign.session.read_model.has(self.campaign.id):
            self.campaign.session.project()
            self._projected = head.hash

    @property
    def is_being_read(self) -> bool:
        """Whether an edition of it is not there yet."""
        return self._editions.is_being_read

    def edition(self, audience: str | None) -> AnyEdition:
        """The campaign as an audience may see it; of the GM's numbers only the GM's edition has any.

        Raises BeingRead if that takes another look, unless the campaign was asked for whole.
        """
        self._editions.in_stretches = self.in_stretches
        return self._editions.of(audience)

    def cursor(self, audience: str | None) -> str:
        """Up to where an audience has read: another one whenever something has changed for it, and only then.

        A player's own numbers are true, so what a hidden entry made of them is a change for that player and for nobody else.
        """
        edition = self.edition(audience)
        mark = self._mark_of_own(audience, edition) if audience else ""
        return with_mark(edition.cursor, mark)

    def _mark_of_own(self, seat: str, edition: AnyEdition) -> str:
        at = self.campaign.head.hash, edition.cursor
        known = self._own.get(seat)
        if known is None or known[0] != at:
            known = self._own[seat] = at, mark_of_own(self.campaign, edition, seat)
        return known[1]

    def damage_for(self, identity: Identity) -> str:
        """What is wrong with the history, and what to do, in a sentence for who asks; "" if nothing is known to be."""
        if not identity.is_gm:
            return self.edition(identity.audience).session.damage or (DAMAGED if self.campaign.session.damage else "")
        if not self.campaign.session.damage:
            return ""
        return f"{self.campaign.session.damage} Restore a backup, or import a file that was exported before."

    def said_to(self, fault: RollbookError, identity: Identity) -> RollbookError:
        """An error as somebody may read it: one that names who is hidden says less to players."""
        return without_hidden_names(self.campaign, fault, identity.acts_as)
