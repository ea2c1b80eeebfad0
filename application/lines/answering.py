"""Readers of the answers to a line: no answer and no refusal reveals what is hidden from its reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from rollbook.domain.base.errors import Refused, RollbookError

if TYPE_CHECKING:
    from rollbook.application.campaign import Campaign
    from rollbook.application.pictures import Picture
    from rollbook.application.view import CampaignView


class Answering(ABC):
    """Answers about a campaign to one ``reader``: a seat, or None for one that may see everything."""

    def __init__(self, reader: str | None = None) -> None:
        self.reader = reader

    @abstractmethod
    def campaign(self) -> CampaignView:
        """The campaign that lines are carried out on; for a question, as its reader may see it."""

    def read_picture(self, path: str) -> Picture:
        """The picture in a file that a line names. Raises Refused where lines may not name files, NotFound."""
        raise Refused(
            f"The file {path} cannot be read from here: send it with the form for handouts.", parameter="picture"
        )

    def played(self) -> Campaign:
        """The same, to play on. Raises Refused for one that can only be read."""
        from rollbook.application.campaign import Campaign

        campaign = self.campaign()
        if not isinstance(campaign, Campaign):
            raise Refused("A question records nothing.")
        return campaign

    def seen(self) -> CampaignView:
        """The campaign as the reader may see it, for answers to their actions and corrections."""
        campaign = self.campaign()
        if self.reader is None:
            return campaign
        from rollbook.application.visibility.seat_campaign import as_answered

        return as_answered(campaign, self.reader)

    def reader_of(self, seat: str | None) -> str | None:
        """The reader of answers to a ``seat`` (None: none named): that seat, None for the GM's. Raises NotFound."""
        if seat is None or self.reader is not None:
            return self.reader
        from rollbook.application.lines.verb_line import find_seat
        from rollbook.application.visibility.seat_campaign import from_whom_to_hide

        return from_whom_to_hide(self.campaign(), find_seat(self.campaign().state, seat))

    @contextmanager
    def answering(self, seat: str | None, ask: Callable[[CampaignView], object] | None = None) -> Iterator[None]:
        """Context in which a seat acts and is answered by what it may see; errors say no more either.

        ``ask`` does the same on a campaign that has nothing else in it.
        """
        before, self.reader = self.reader, self.reader_of(seat)
        try:
            yield
        except RollbookError as fault:
            if self.reader is None:
                raise
            from rollbook.application.visibility.seat_campaign import without_hidden_names, without_what_is_hidden

            campaign, reader = self.campaign(), self.reader
            if ask is None:
                raise without_hidden_names(campaign, fault, reader) from None
            raise without_what_is_hidden(campaign, fault, reader, ask) from None
        finally:
            self.reader = before


class AnsweredFailure(Exception):
    """A failure that the answer reports: ``kind`` is "damaged" for a history that cannot be trusted, else "refused"."""

    def __init__(self, kind: Literal["damaged", "refused"]) -> None:
        super().__init__(kind)
        self.kind = kind
