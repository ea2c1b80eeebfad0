"""The port for the answer to a line, and the result of a verb in it: a ``LineRunner`` is given a ``LineAnswer``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

import attrs

from rollbook.application.lines.answering import Answering
from rollbook.application.view import CampaignView
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.state.campaign_state import CampaignState


@attrs.frozen
class Performed(Record):
    """Result of a line: an entry for each action, and sentences on what it did not use of a stat block or typed dice.

    The answer shows what ``seat`` may see (None: no seat was named); ``before`` is the campaign before it as they saw
    it.
    """

    seat: str | None
    before: CampaignState
    entries: tuple[RecordedEntry, ...]
    unused: tuple[str, ...] = ()

    @property
    def entry(self) -> RecordedEntry:
        """The entry of the action, of several the last."""
        return self.entries[-1]


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
        """Show an entry as a line of the log."""

    @abstractmethod
    def show_performed(self, done: Performed) -> None:
        """Show the result of a verb."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The whole answer so far, line by line."""


LineAnswers = Callable[[CampaignView, str | None], LineAnswer]
"""Maker of the answer to one line that a reader says to a campaign."""
