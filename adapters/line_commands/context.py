"""Context of a command: the campaign that is meant, the reader who is answered, and where the answer goes.

Here an answer is plain text, no question can be asked, and nothing is remembered of the run. The command line adds what
a terminal can do: colours, columns that fit, a pager, questions. Whatever is answered here calls people by name, also where
their seat is stored under a word of chance.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rollbook.adapters.line_commands.json import dumps, sentences_by_name
from rollbook.adapters.line_commands.styled import Block, Cells, Rows, Text, plain_rows
from rollbook.application.after_commit import after_commit
from rollbook.application.lines.answering import Answering
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.base.seat_words import by_name

if TYPE_CHECKING:
    from rollbook.application.book import Book
    from rollbook.application.campaign import Campaign
    from rollbook.application.history.read_model import LogRows, ReadModel
    from rollbook.application.ports.seed_store import StoreSecrets
    from rollbook.application.ports.store_address import Place
    from rollbook.application.time_zones import Zone
    from rollbook.application.view import CampaignView
    from rollbook.domain.base.identifiers import CampaignId, EntryNumber, SeatName
    from rollbook.domain.entries import RecordedEntry
    from rollbook.domain.history.history import History
    from rollbook.projections.session_log import LogLine
    from rollbook.projections.sheet_questions import Party

HOW_TO_START = "Start with: rollbook new NAME --ruleset storytoken, or rollbook demo"
WIDE = 10_000
"""Columns of an answer that goes to no screen: its lines are never wrapped."""


class CommandContext(Answering):
    """Context of one command, or of one line after another."""

    def __init__(self, reader: str | None = None) -> None:
        super().__init__(reader)
        self.json = False
        self.brief = False
        self.no_pager = False
        self._projected: tuple[CampaignId, EntryNumber] = ("", 0)

    @abstractmethod
    def write(self, line: str) -> None:
        """Put a line of text below the others."""

    @abstractmethod
    def write_json(self, text: str) -> None:
        """Put a line of JSON below the others."""

    @abstractmethod
    def write_remark(self, text: str) -> None:
        """Put a sentence beside the answer."""

    def data(self, *values: object) -> None:
        """Write JSON objects, each on a line of its own. Names of seats stay; in sentences people are called by name."""
        for value in values:
            self.write_json(sentences_by_name(dumps(value), self.person))

    def warn(self, text: str) -> None:
        """Say something beside the answer."""
        self.write_remark(self.by_name(text))

    def people(self) -> Mapping[SeatName, str]:
        """The names of those who have a seat or left one, by the name that the seat is stored under."""
        return self.campaign().state.names_of_seats

    def person(self, seat: SeatName) -> str:
        """The name of who sits or sat in a seat; what is no seat of the campaign stays."""
        return self.people().get(seat) or self.read_model.people(self.campaign().id).get(seat, seat)

    def by_name(self, text: str) -> str:
        """A text in which people are called by name where it has the word of chance that their seat is stored under."""
        return by_name(text, self.person)

    def tell(self, data: object, *lines: object) -> None:
        """Answer with a JSON object where that is wanted, else with lines for people."""
        if self.json:
            self.data(data)
        else:
            self.print(*lines)

    def print(self, *lines: object) -> None:
        """Print an answer for people, line by line."""
        for line in lines:
            self._show(line.replaced(self.by_name) if isinstance(line, Text) else self.by_name(str(line)))

    def _show(self, line: Text | str) -> None:
        self.write(line.plain if isinstance(line, Text) else line)

    def print_columns(
        self,
        rows: Iterable[Sequence[Text | str]],
        *,
        right: Sequence[int] = (),
        indent: int = 0,
        framed: bool = False,
        least: Sequence[int] = (),
    ) -> None:
        """Print rows of cells in columns without a frame; in a pipe each row is one line, without blanks at its end.

        Columns numbered in ``right`` are aligned to the right. ``least`` are the smallest widths of the first ones, for
        a table printed in pieces. With ``framed`` the last one has a heading, and stays beside the others on a screen.
        """
        texts = [[Text(cell) if isinstance(cell, str) else cell for cell in cells] for cells in rows]
        if texts:
            self._show_columns(self._named(texts), right, indent, framed, least)

    def _named(self, rows: Sequence[Cells]) -> Sequence[Cells]:
        return [[cell.replaced(self.by_name) for cell in cells] for cells in rows]

    def _show_columns(
        self, rows: Sequence[Cells], right: Sequence[int], indent: int, _framed: bool, least: Sequence[int]
    ) -> None:
        for line in plain_rows(rows, right, least):
            self.print(" " * indent + line)

    def print_blocks(self, blocks: Sequence[Block]) -> None:
        """Print texts and rows, one below the other; an empty text is a gap, which only a screen shows."""
        self._show_blocks(
            [
                block._replace(cells=self._named(block.cells))
                if isinstance(block, Rows)
                else block.replaced(self.by_name)
                for block in blocks
            ]
        )

    def _show_blocks(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            if isinstance(block, Rows):
                self.print_columns(block.cells, right=block.right)
            elif block:
                self.print(block)

    def print_labelled(
        self,
        title: Text,
        numbers: Sequence[tuple[Text, Text]],
        words: Sequence[tuple[Text, Text]],
        *,
        most: int | None,
        kept: Collection[str],
    ) -> bool:
        """Print labels and texts below a title, in at most ``most`` lines. Returns whether something was left out.

        Words with a label that is ``kept`` are left out last.
        """
        in_numbers, in_words = (
            [(label, text.replaced(self.by_name)) for label, text in cells] for cells in (numbers, words)
        )
        return self._show_labelled(title.replaced(self.by_name), in_numbers, in_words, most, kept)

    def _show_labelled(
        self,
        title: Text,
        numbers: Sequence[tuple[Text, Text]],
        words: Sequence[tuple[Text, Text]],
        _most: int | None,  # only a screen has an end
        _kept: Collection[str],
    ) -> bool:
        self.print(title.plain)
        self.print_columns([*numbers, *words], indent=2)
        return False

    def print_paragraph(self, text: str, style: str = "", *, indent: int = 0) -> None:
        """Print sentences, wrapped at the edge of a screen."""
        self._show_paragraph(self.by_name(text), style, indent)

    def _show_paragraph(self, text: str, style: str, indent: int) -> None:
        self.print(Text(" " * indent + text, style))

    @property
    def is_terminal(self) -> bool:
        """True if answers are drawn, as at a terminal."""
        return False

    @property
    def width(self) -> int:
        """The width of an answer, in columns."""
        return WIDE

    @contextmanager
    def paged(self) -> Iterator[None]:
        """Send what is printed inside through a pager, if it goes to a terminal and is longer than the screen."""
        yield

    @property
    def is_read_on(self) -> bool:
        """True while the reader goes on reading what is printed."""
        return True

    @contextmanager
    def bar(self, what: str, *, once_told: bool = False) -> Iterator[None]:  # noqa: ARG002 - only a terminal shows one
        """Show a progress bar while the work inside goes on, if there is a terminal.

        ``once_told``: no sooner than the work says that something is left to do. Most often that work is over at once.
        """
        yield

    @property
    def is_interactive(self) -> bool:
        """True if questions can be asked."""
        return False

    def ask(self, text: str, *, default: str | None = None, choices: Sequence[str] = ()) -> str:
        """Ask for a text: ``default`` on Enter, and one of the ``choices`` if there are any."""
        self._ask_nobody(text, default, choices)

    def agree(self, question: str, *, or_stop: bool = False) -> bool:
        """Ask a question, and return True for yes; with ``or_stop``, a no ends the command."""
        self._ask_nobody(question, or_stop)

    def agree_after_looking(self, question: str) -> bool:
        """Ask a question, and return True for yes. Other questions may be typed first: status, sheet, log."""
        self._ask_nobody(question)

    def _ask_nobody(self, *_: object) -> NoReturn:
        raise RollbookError("Nobody is there to be asked.")

    @abstractmethod
    def book(self) -> Book:
        """The open book."""

    @property
    @abstractmethod
    def store_path(self) -> Place:
        """The file that campaigns are kept in, or the server."""

    @abstractmethod
    def select_campaign(self, campaign: Campaign) -> None:
        """Go on with this campaign."""

    @abstractmethod
    def secrets(self) -> StoreSecrets:
        """The keeper of the store's seeds."""

    def store_file(self, otherwise: str) -> Path:
        """The file that campaigns are kept in. Raises RollbookError, which says what to do ``otherwise``, for a server."""
        place = self.store_path
        if isinstance(place, Path):
            return place
        raise RollbookError(f"This command is for a store in a file, and {place} is on a server. {otherwise}")

    def zone(self) -> Zone:
        """The time zone in which the campaign that is meant has its days and hours."""
        from rollbook.application.time_zones import zone_of

        return zone_of(self.campaign().state)

    def history(self) -> History:
        """The history of the campaign, which reads entries only as they are looked at."""
        with self.bar("Reading the history"):
            return self.campaign().session.history.look_back()

    def asked(self) -> tuple[CampaignId, LogRows]:
        """The campaign that is meant, and the rows of its log and sheets, up to date."""
        self.project()
        return self.campaign().id, self.read_model

    def party(self) -> Party | None:
        """All sheets now, from the read model; None if the campaign has to be opened for them."""
        return None

    @property
    def read_model(self) -> LogRows:
        """The rows of the campaign's log and experience."""
        return self._projected_to()

    def _projected_to(self) -> ReadModel:
        session = self.campaign().session
        return self.book().read_model if session.timeline is None else session.read_model

    def projected_line(self, campaign: CampaignView, entry: RecordedEntry) -> LogLine | None:
        """The line of the log for an entry, if it has just been projected."""
        name, last = self._projected
        return self.read_model.line(name, entry.number) if campaign.id == name and entry.number <= last else None

    def say_what_is_left(self) -> None:
        """Warn where removed words still lie, if the store could not wipe its files."""
        if not self.book().store.is_wiped():
            self.warn(
                "The server's files hold what was removed until its tables are written again. Name their owner's role "
                "in the address, as in postgresql://rollbook_owner@…: rollbook --store ADDRESS store vacuum"
            )

    def project(self) -> None:
        """Bring the read model up to date. A failure is only warned of: what was recorded counts all the same."""
        import sqlite3

        campaign = self.campaign()
        book = self.book()
        head = campaign.head
        if campaign.session.damage:
            self.warn(campaign.session.damage)
            # a damaged history must leave no snapshot for others to start from
            book.read_model = book.read_model.apart()
        try:
            with self.bar("Reading", once_told=True):
                campaign.session.project(self._projected_to())
            self._projected = (campaign.id, head.entry)
        except HistoryDamaged as damage:
            self.warn(f"Not everything can be shown: {damage}")
        except (RollbookError, sqlite3.Error, OSError) as fault:
            with after_commit():
                self._follow_in_memory(campaign, fault)

    def _follow_in_memory(self, campaign: CampaignView, fault: Exception) -> None:
        """Go on with a read model in memory where the file cannot follow, so that the record can still be read."""
        from rollbook.adapters.local_files.sqlite_faults import is_full
        from rollbook.adapters.storage.read_model.file import advice

        book = self.book()
        behind, path = fault.__cause__ or fault, book.read_model.path
        why, hint = f"could not follow ({behind})", advice(path, behind)
        if is_full(path or Path()):
            why, hint = "could not follow, because there is no room left on the disk", ""
        self.warn(f"What is recorded counts, but the read model {why}; one is made in memory for this once.{hint}")
        book.read_model = book.read_model.apart()
        with self.bar("Reading"):
            heads = {campaign.id: campaign.head}
            self._projected_to().catch_up(campaign.session.log.store, book.rulebook, heads, only=heads)
        self._projected = (campaign.id, campaign.head.entry)

    @contextmanager
    def written(self, file: str) -> Iterator[Path]:
        """Yield the path for a file of that name. Raises RollbookError for ``-``, where the command line answers."""
        if file == "-":
            raise RollbookError("- is where the command line answers. Name a file.")
        yield Path(file)
