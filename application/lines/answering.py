"""Who is answered what a line does to a campaign, and where the answer goes.

Nobody learns from an answer, or from a refusal, what is hidden from them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import attrs

from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.records import Record

if TYPE_CHECKING:
    from rollbook.application.campaign import Campaign
    from rollbook.application.view import CampaignView
    from rollbook.domain.entries import RecordedEntry
    from rollbook.domain.state.campaign_state import CampaignState


@attrs.frozen
class Performed(Record):
    """What a line did: an entry for each action, and what it had no use for: of a stat block, of typed dice.

    It is answered by what ``seat`` may see (None: nobody said who acts); ``before`` is the campaign before it as they saw it.
    """

    seat: str | None
    before: CampaignState
    entries: tuple[RecordedEntry, ...]
    unused: tuple[str, ...] = ()

    @property
    def entry(self) -> RecordedEntry:
        """The entry of the action, of several the last."""
        return self.entries[-1]


class Answering(ABC):
    """Answers about a campaign to one ``reader``: a seat, or None for one that may see everything."""

    def __init__(self, reader: str | None = None) -> None:
        self.reader = reader

    @abstractmethod
    def campaign(self) -> CampaignView:
        """The campaign that lines are carried out on; for a question, as its reader may see it."""

    def played(self) -> Campaign:
        """The same, to play on. Raises Refused for one that can only be read."""
        from rollbook.application.campaign import Campaign

        campaign = self.campaign()
        if not isinstance(campaign, Campaign):
            raise Refused("A question records nothing.")
        return campaign

    def seen(self) -> CampaignView:
        """The campaign as the reader may see it: for what their actions and corrections are answered."""
        campaign = self.campaign()
        if self.reader is None:
            return campaign
        from rollbook.application.visibility.seat_campaign import as_answered

        return as_answered(campaign, self.reader)

    def reader_of(self, seat: str | None) -> str | None:
        """Who is answered what a ``seat`` does (None: nobody was named): that seat, None for the GM's. Raises NotFound."""
        if seat is None or self.reader is not None:
            return self.reader
        from rollbook.application.lines.verb_line import find_seat
        from rollbook.application.visibility.seat_campaign import from_whom_to_hide

        return from_whom_to_hide(self.campaign(), find_seat(self.campaign().state, seat))

    @contextmanager
    def answering(self, seat: str | None, ask: Callable[[CampaignView], object] | None = None) -> Iterator[None]:
        """What is done inside is done by a seat, and answered by what it may see; its errors say no more either.

        ``ask`` asks for the same of a campaign in which there is nothing else.
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


class LineAnswer(Answering):
    """The port by which a line is answered in words, as the prompt would print them.

    ``run`` carries out a command that is no verb: a question, a correction, an export. What it raises are LineError for words
    that the command does not take, and what the engine raises.
    """

    @abstractmethod
    def run(self, name: str, args: Sequence[str]) -> None:
        """Carry out a command, one of ``line_commands``, with the words after it, and answer it."""

    @abstractmethod
    def show_entry(self, entry: RecordedEntry) -> None:
        """Say what an entry records, as a line of the log."""

    @abstractmethod
    def show_performed(self, done: Performed) -> None:
        """Say what a verb did."""

    @property
    @abstractmethod
    def text(self) -> str:
        """All that was answered so far, line by line."""


LineAnswers = Callable[["CampaignView", "str | None"], LineAnswer]
"""Makes the answer to one line that is said to a campaign by a reader."""


class AnsweredFailure(Exception):
    """Something failed, and the answer says so: ``kind`` is "damaged" for what cannot be trusted, else "refused"."""

    def __init__(self, kind: Literal["damaged", "refused"]) -> None:
        super().__init__(kind)
        self.kind = kind
