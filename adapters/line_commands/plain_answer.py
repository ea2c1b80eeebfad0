"""Answer to a line that is said to a campaign, in plain text: without a terminal, and without questions in return."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import escaped
from rollbook.adapters.line_commands.parsing import run
from rollbook.adapters.line_commands.views.performed import show_entry, show_performed
from rollbook.adapters.local_files import paths
from rollbook.adapters.presentation.plain_text import as_written
from rollbook.application.campaign import Campaign
from rollbook.application.lines.line_answer import LineAnswer
from rollbook.application.visibility.seat_campaign import SeenBook, SeenCampaign
from rollbook.domain.base.errors import Refused, RollbookError

if TYPE_CHECKING:
    from rollbook.application.book import Book
    from rollbook.application.history.read_model import LogRows
    from rollbook.application.lines.line_answer import Performed
    from rollbook.application.ports.seed_store import StoreSecrets
    from rollbook.application.ports.store_address import Place
    from rollbook.application.view import CampaignView
    from rollbook.domain.entries import RecordedEntry


class PlainAnswer(CommandContext, LineAnswer):
    """Answer to one line of a ``reader``, collected in ``text``."""

    def __init__(self, book: Book, campaign: CampaignView, reader: str | None) -> None:
        super().__init__(reader)
        self._book: Book | None = book if isinstance(campaign, Campaign) else None
        if isinstance(campaign, SeenCampaign):
            self._book = SeenBook(book, campaign.id, campaign.reader)
        self._campaign = campaign
        self._lines: list[str] = []

    def run(self, name: str, args: Sequence[str]) -> None:
        run(self, name, args)

    def show_entry(self, entry: RecordedEntry) -> None:
        show_entry(self, entry)

    def show_performed(self, done: Performed) -> None:
        show_performed(self, done)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for text in self._lines for line in text.split("\n"))

    def write(self, line: str) -> None:
        self._lines.append(as_written(line))

    def write_json(self, text: str) -> None:
        self._lines.append(escaped(text))

    def write_remark(self, text: str) -> None:
        """Add a remark, which is part of the answer here."""
        if self.json:
            self.data({"remark": text})
        else:
            self.write(text)

    def campaign(self) -> CampaignView:
        return self._campaign

    def select_campaign(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def book(self) -> Book:
        """The campaign's own book, never the user's. Raises Refused for a campaign without one, such as an edition."""
        if self._book is None:
            raise Refused("That is a question about more than this campaign, so it has no answer here.")
        return self._book

    @property
    def store_path(self) -> Place:
        return Path(self.book().location) if self.book().location else paths.store_path()

    def store_file(self, otherwise: str) -> Path:
        if not self.book().location:
            raise RollbookError(f"This command is for a store in a file. {otherwise}")
        return Path(self.book().location)

    def secrets(self) -> StoreSecrets:
        return self.book().seeds

    @property
    def read_model(self) -> LogRows:
        """The read model of the book; a seat's view and an edition have one of their own."""
        campaign = self.campaign()
        return campaign.read_model if self._book is None or isinstance(campaign, SeenCampaign) else super().read_model

    def project(self) -> None:
        """Bring the read model up to date; without a book it always is."""
        if self._book is not None and isinstance(self.campaign(), Campaign):
            super().project()
        elif self.campaign().session.damage:
            self.warn(self.campaign().session.damage)

    def reader_of(self, _: str | None) -> str | None:
        """The reader who says the line, not the seat that acts in it."""
        return self.reader
