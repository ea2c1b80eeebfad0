"""The state of one run: the store, the open campaign, and the consoles that output goes to."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from rollbook.adapters.cli.styled import Text
from rollbook.adapters.cli.terminal import echo, echo_json, json_line
from rollbook.adapters.local_files import paths
from rollbook.application.aftermath import after_commit
from rollbook.domain.base.errors import HistoryDamaged, NotFound, RollbookError
from rollbook.domain.base.progress import telling

if TYPE_CHECKING:
    from rich.console import Console

    from rollbook.adapters.cli.paging import Paged
    from rollbook.application.book import Book
    from rollbook.application.campaign import Campaign
    from rollbook.application.ports.read_model import ReadModel
    from rollbook.application.ports.store_address import Place
    from rollbook.application.time_zones import Zone
    from rollbook.domain.base.identifiers import CampaignId, EntryNumber
    from rollbook.domain.entries import RecordedEntry
    from rollbook.domain.history.history import History
    from rollbook.projections.session_log import LogLine
    from rollbook.projections.sheets import Party

CAMPAIGN_VARIABLE = "ROLLBOOK_CAMPAIGN"
HOW_TO_START = "Start with: rollbook new NAME --ruleset storytoken, or rollbook demo"
PIPE_WIDTH = 10_000
RICH_ASKS = frozenset(("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE"))
"""What in the environment makes rich draw for a pipe as for a terminal, or in so many columns."""


class CliContext:
    """One run of the program. Nothing is opened before it is needed."""

    def __init__(self) -> None:
        self.json = False
        self.brief = False
        self.no_pager = False
        self.store = ""
        self.named = ""
        self.reader: str | None = None
        """The seat that is answered; None may see everything."""
        self._paged: Paged | None = None
        self._book: Book | None = None
        self._campaign: Campaign | None = None
        self._projected: tuple[CampaignId, EntryNumber] = ("", 0)
        self.until_closed = ExitStack()

    # What is said.

    @cached_property
    def out(self) -> Console:
        """Where answers go. In a pipe lines are as long as they are."""
        from rollbook.adapters.cli.console import console as made

        console = made()
        if not console.is_terminal and "COLUMNS" not in os.environ:
            console.width = PIPE_WIDTH
        return console

    @cached_property
    def err(self) -> Console:
        """Where remarks and progress go; at a terminal they are wrapped at words."""
        from rollbook.adapters.cli.console import console as made

        console = made(stderr=True)
        console.soft_wrap = not console.is_terminal
        return console

    def data(self, *values: object) -> None:
        """JSON objects, each on a line of its own."""
        from rollbook.adapters.cli.json import dumps

        for value in values:
            echo_json(dumps(value))

    @property
    def is_terminal(self) -> bool:
        """Whether answers are drawn, as at a terminal."""
        return not self._is_plain and self.out.is_terminal

    @property
    def _is_plain(self) -> bool:
        """Whether it is certain without rich, which takes long to import, that answers go to a pipe as they are."""
        return "out" not in vars(self) and not sys.stdout.isatty() and RICH_ASKS.isdisjoint(os.environ)

    def print(self, *lines: object) -> None:
        """Answers for people: texts, or whatever rich can draw."""
        for line in lines:
            if isinstance(line, str | Text) and self._is_plain:
                echo(line if isinstance(line, str) else line.plain)
            else:
                self.out.print(line, soft_wrap=not self.out.is_terminal)

    @contextmanager
    def paged(self) -> Iterator[None]:
        """What is printed inside goes through a pager, if somebody is at a terminal and it is longer than the screen."""
        if not self.is_interactive or self.no_pager or self.out.quiet or self.out.is_dumb_terminal:
            yield
            return
        from rollbook.adapters.cli.paging import Paged

        out = self.out.file
        self._paged = paged = Paged(out, self.out.height)
        self.out.file = cast("IO[str]", paged)
        try:
            yield
        except KeyboardInterrupt:
            if not paged.is_paged:  # what somebody reads has come, and no more is wanted
                raise
        finally:
            self.out.file, self._paged = out, None
            paged.finish()

    @property
    def is_read_on(self) -> bool:
        """Whether somebody still reads what is printed: nobody has left the pager."""
        return self._paged is None or self._paged.is_wanted

    def warn(self, text: str) -> None:
        """Something beside the answer, on stderr."""
        if self.json:
            echo_json(json_line({"remark": text}), err=True)
        else:
            self.err.print(text, style="yellow")

    def say_faults(self) -> None:
        """Say where a ruleset failed, if the plain sheet or board was shown in the place of its own."""
        if self._book is not None:
            for fault in self._book.take_faults():
                self.warn(fault)

    @property
    def is_interactive(self) -> bool:
        """Whether somebody can be asked."""
        return not self.json and sys.stdin.isatty() and sys.stdout.isatty()

    # What is open.

    @property
    def store_path(self) -> Place:
        """The file that campaigns are kept in, or the server."""
        return paths.store_path(self.store)

    def store_file(self, otherwise: str) -> Path:
        """The file that campaigns are kept in. Raises RollbookError, which says what to do ``otherwise``, for a server."""
        place = self.store_path
        if isinstance(place, Path):
            return place
        raise RollbookError(f"This command is for a store in a file, and {place} is on a server. {otherwise}")

    def book(self, *, create: bool = False) -> Book:
        """The open book. Raises NotFound, with what to do, if there is no store yet and ``create`` is off."""
        if self._book is None:
            path = self.store_path
            if not create and isinstance(path, Path) and not path.exists():
                raise NotFound(f"There is no store at {path} yet. {HOW_TO_START}")
            self._book = self._opened(path, create=create)
        return self._book

    def _opened(self, path: Place, *, create: bool) -> Book:
        import sqlite3

        from rollbook.adapters.storage.sqlite.failures import is_full
        from rollbook.adapters.wiring import open_book

        book = open_book(path, paths.seeds_folder(), create=create)
        try:
            book.read_model.check()
        except (RollbookError, sqlite3.Error, OSError) as fault:
            why = (
                "there is no room left on the disk"
                if is_full(book.read_model.path or Path())
                else str(fault).rstrip(".")
            )
            self.warn(f"The read model cannot be used ({why}), so one is made in memory for this once.")
            book.read_model = book.read_model.apart()
        return book

    def zone(self) -> Zone:
        """The time zone in which the campaign that is meant has its days and hours."""
        from rollbook.application.time_zones import zone_of

        return zone_of(self.campaign().state)

    def campaign(self) -> Campaign:
        """The campaign that is meant: named, else the only one, else the one used last.

        Looking at a campaign that is named does not make it the one used last; playing it does.
        """
        if self._campaign is None:
            book = self.book()
            self._campaign = book.campaign(self._campaign_named(book))
            if not self.named:
                self.select_campaign(self._campaign)
        return self._campaign

    def _campaign_named(self, book: Book) -> str:
        named = self.named or os.environ.get(CAMPAIGN_VARIABLE, "")
        return named if named and named[0] != "~" else self._last_campaign(book) + named

    def asked(self) -> tuple[CampaignId, ReadModel]:
        """The campaign that is meant, and what its log and its sheets are read from, up to date.

        The campaign is opened only if something of it is missing there.
        """
        whole = self._whole()
        if whole:
            return whole, self.book().read_model
        self.project()
        return self.campaign().id, self.read_model

    def party(self) -> Party | None:
        """Everybody's sheets now, out of the read model; None if the campaign has to be opened for them."""
        whole = self._whole()
        return self.book().party(whole) if whole else None

    def _whole(self) -> CampaignId:
        """The campaign that is meant, if it is not open and the read model has all of it; else ""."""
        if self._campaign is not None:
            return ""
        from rollbook.application.timelines.marker import meant

        book = self.book()
        name = meant(self._campaign_named(book))
        if not book.is_whole(name):
            return ""
        if not self.named:
            paths.remember(self.store_path, name)
        return name

    def seen(self) -> Campaign:
        """The campaign as who is answered may see it: for what their actions and corrections are answered."""
        campaign = self.campaign()
        if self.reader is None:
            return campaign
        from rollbook.application.visibility.seen import as_answered

        return as_answered(campaign, self.reader)

    def reader_of(self, seat: str | None) -> str | None:
        """Who is answered what a ``seat`` does (None: nobody was named): that seat, None for the GM's. Raises NotFound."""
        if seat is None or self.reader is not None:
            return self.reader
        from rollbook.application.lines.verb_line import find_seat
        from rollbook.application.visibility.seen import from_whom_to_hide

        return from_whom_to_hide(self.campaign(), find_seat(self.campaign().state, seat))

    @contextmanager
    def answering(self, seat: str | None, ask: Callable[[Campaign], object] | None = None) -> Iterator[None]:
        """What is done inside is done by a seat, and answered by what it may see; its errors say no more either.

        ``ask`` asks for the same of a campaign in which there is nothing else.
        """
        before, self.reader = self.reader, self.reader_of(seat)
        try:
            yield
        except RollbookError as fault:
            if self.reader is None:
                raise
            from rollbook.application.visibility.seen import without_hidden_names, without_what_is_hidden

            campaign, reader = self.campaign(), self.reader
            if ask is None:
                raise without_hidden_names(campaign, fault, reader) from None
            raise without_what_is_hidden(campaign, fault, reader, ask) from None
        finally:
            self.reader = before

    def select_campaign(self, campaign: Campaign) -> None:
        """Go on with this campaign, here and next time. A timeline is only ever played by name."""
        self._campaign = campaign
        if campaign.timeline is None:
            paths.remember(self.store_path, campaign.id)

    @property
    def read_model(self) -> ReadModel:
        """Where the log and the sheets of the campaign are read from."""
        campaign = self.campaign()
        return self.book().read_model if campaign.timeline is None else campaign.read_model

    def _last_campaign(self, book: Book) -> CampaignId:
        known, last = book.campaigns(), paths.last_used(self.store_path)
        if not known:
            raise NotFound(f"There is no campaign in this store yet. {HOW_TO_START}")
        if len(known) > 1 and last not in known:
            raise click.UsageError(f"This store holds several campaigns: {', '.join(known)}. Name one with -c.")
        return known[0] if len(known) == 1 else last

    def history(self) -> History:
        """The history of the campaign, of which only what is looked at is read."""
        with self.bar("Reading the history"):
            return self.campaign().look_back()

    def close(self) -> None:
        """Let go of the files, and of what was wanted until now."""
        self.until_closed.close()
        if self._book is not None:
            self._book.close()
            self._book = None
            self._campaign = None

    @contextmanager
    def overriding(self, *, quiet: bool) -> Iterator[None]:
        """What one command inside another wants differently ends with it."""
        before = (self.json, self.named, self.store, self.out.quiet)
        self.out.quiet = self.out.quiet or quiet
        try:
            yield
        finally:
            self.json, self.named, self.store, self.out.quiet = before

    def projected_line(self, campaign: Campaign, entry: RecordedEntry) -> LogLine | None:
        """The line of the log for an entry, if it has just been projected."""
        name, last = self._projected
        return self.read_model.line(name, entry.number) if campaign.id == name and entry.number <= last else None

    def say_what_is_left(self) -> None:
        """Say where what was removed still lies, if the store could not wipe its files."""
        if not self.book().store.is_wiped():
            self.warn(
                f"The server's files hold what was removed until its tables are written again. As their owner: "
                f"rollbook store vacuum --store {self.store_path}"
            )

    # What takes a while.

    def project(self) -> None:
        """Bring the read model up to date. If that fails, what was recorded counts all the same, and that is said."""
        import sqlite3

        campaign = self.campaign()
        book = self.book()
        head = campaign.head
        if campaign.damage:
            self.warn(campaign.damage)
            book.read_model = (
                book.read_model.apart()
            )  # no snapshot of what cannot be trusted is kept for others to start from
        try:
            with self.bar("Reading"):
                campaign.project(self.read_model)
            self._projected = (campaign.id, head.entry)
        except HistoryDamaged as damage:
            self.warn(f"Not everything can be shown: {damage}")
        except (RollbookError, sqlite3.Error, OSError) as fault:
            with after_commit():
                self._follow_in_memory(campaign, fault)

    def _follow_in_memory(self, campaign: Campaign, fault: Exception) -> None:
        """Go on with a read model in memory, where the file cannot follow: what is recorded can be read all the same."""
        from rollbook.adapters.storage.read_model.file import advice
        from rollbook.adapters.storage.sqlite.failures import is_full

        book = self.book()
        behind, path = fault.__cause__ or fault, book.read_model.path
        why, hint = f"could not follow ({behind})", advice(path, behind)
        if is_full(path or Path()):
            why, hint = "could not follow, because there is no room left on the disk", ""
        self.warn(f"What is recorded counts, but the read model {why}; one is made in memory for this once.{hint}")
        book.read_model = book.read_model.apart()
        with self.bar("Reading"):
            heads = {campaign.id: campaign.head}
            self.read_model.catch_up(campaign.log.store, book.rulebook, heads, only=heads)
        self._projected = (campaign.id, campaign.head.entry)

    @contextmanager
    def bar(self, what: str) -> Iterator[None]:
        """A progress bar on stderr, shown only when the work takes long; none in a pipe."""
        if not self._shows_progress:
            yield
            return
        from rollbook.adapters.cli.progress import bar

        with bar(self.err, what) as progress, telling(progress):
            yield

    @property
    def _shows_progress(self) -> bool:
        return not self.json and sys.stderr.isatty()
