"""Who is answered what a line did, and where the answer goes: what carries lines out is given one of these."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from rollbook.application.lines.answering import Answering

if TYPE_CHECKING:
    from rollbook.application.lines.performing import Performed
    from rollbook.application.view import CampaignView
    from rollbook.domain.entries import RecordedEntry


class AnsweredFailure(Exception):
    """Something failed, and the answer says so: ``kind`` is "damaged" for what cannot be trusted, else "refused"."""

    def __init__(self, kind: Literal["damaged", "refused"]) -> None:
        super().__init__(kind)
        self.kind = kind


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


class LineAnswers(Protocol):
    """Makes the answer to one line that is said to a campaign by a reader."""

    def __call__(self, campaign: CampaignView, reader: str | None) -> LineAnswer: ...
