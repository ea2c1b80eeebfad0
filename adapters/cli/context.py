"""The state of one run: the store, the open campaign, and the consoles that output goes to."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from rollbook.adapters.cli.terminal import agree, ask, echo, echo_json, written
from rollbook.adapters.line_commands.context import HOW_TO_START, WIDE, CommandContext
from rollbook.adapters.line_commands.json import json_line
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.local_files import paths
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.progress import telling

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from rollbook.adapters.cli.paging import Paged
    from rollbook.adapters.line_commands.styled import Block, Cells
    from rollbook.application.book import Book
    from rollbook.application.campaign import Campaign
    from rollbook.application.history.read_model import LogRows
    from rollbook.application.pictures import Picture
    from rollbook.application.ports.seed_store import StoreSecrets
    from rollbook.application.ports.store_address import Place
    from rollbook.domain.base.identifiers import CampaignId, SeatName
    from rollbook.projections.sheet_questions import Party

CAMPAIGN_VARIABLE = "ROLLBOOK_CAMPAIGN"
RICH_ASKS = frozenset(("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE"))
"""Environment variables that make rich draw for a pipe as for a terminal, or set its width."""


class CliContext(CommandContext):
    """One run of the program. Nothing is opened before it is needed."""

    def __init__(self) -> None:
        super().__init__()
        self.store = ""
        self.named = ""
        self._paged: Paged | None = None
        self._book: Book | None = None
        self._campaign: Campaign | None = None
        self.until_closed = ExitStack()

    @cached_property
    def out(self) -> Console:
        """Console for answers. In a pipe lines are never wrapped."""
        from rollbook.adapters.cli.drawing import console as made

        console = made()
        if not console.is_terminal and "COLUMNS" not in os.environ:
            console.width = WIDE
        return console

    @cached_property
    def err(self) -> Console:
        """Console for remarks and progress; at a terminal it wraps at words."""
        from rollbook.adapters.cli.drawing import console as made

        console = made(stderr=True)
        console.soft_wrap = not console.is_terminal
        return console

    def write_json(self, text: str) -> None:
        echo_json(text)

    @property
    def is_terminal(self) -> bool:
        return not self._is_plain and self.out.is_terminal

    @property
    def _is_plain(self) -> bool:
        """True if answers surely go to a pipe as they are; found without rich, which is slow to import."""
        return "out" not in vars(self) and not sys.stdout.isatty() and RICH_ASKS.isdisjoint(os.environ)

    def write(self, line: str) -> None:
        echo(line)

    def print(self, *lines: object) -> None:
        """Print answers for people: texts, or anything that rich can draw."""
        for line in lines:
            if isinstance(line, str | Text):
                super().print(line)
            else:
                self._draw(line)

    def _show(self, line: Text | str) -> None:
        if self._is_plain:
            super()._show(line)
        else:
            self._draw(line)

    def _draw(self, line: object) -> None:
        self.out.print(line, soft_wrap=not self.out.is_terminal)

    @property
    def width(self) -> int:
        return self.out.width

    def _show_columns(
        self, rows: Sequence[Cells], right: Sequence[int], indent: int, framed: bool, least: Sequence[int]
    ) -> None:
        if not self.is_terminal:
            super()._show_columns(rows, right, indent, framed, least)
            return
        from rollbook.adapters.cli.drawing import columns

        self._print_indented(columns(rows, self.out.width - indent, right, framed=framed, least=least), indent)

    def _show_blocks(self, blocks: Sequence[Block]) -> None:
        if not self.is_terminal:
            super()._show_blocks(blocks)
            return
        from rollbook.adapters.cli.drawing import drawn_blocks

        self.out.print(drawn_blocks(blocks))

    def _show_labelled(
        self,
        title: Text,
        numbers: Sequence[tuple[Text, Text]],
        words: Sequence[tuple[Text, Text]],
        most: int | None,
        kept: Collection[str],
    ) -> bool:
        if not self.is_terminal:
            return super()._show_labelled(title, numbers, words, most, kept)
        from rollbook.adapters.cli.drawing import panel_in

        shown, is_cut = panel_in(self.out, title, numbers, words, most, kept)
        self.out.print(shown)
        return is_cut

    def _show_paragraph(self, text: str, style: str, indent: int) -> None:
        if self.is_terminal:
            self._print_indented(Text(text, style), indent)
        else:
            super()._show_paragraph(text, style, indent)

    def _print_indented(self, shown: RenderableType, indent: int) -> None:
        from rich.padding import Padding

        self.out.print(Padding(shown, (0, 0, 0, indent)) if indent else shown)

    def ask(self, text: str, *, default: str | None = None, choices: Sequence[str] = ()) -> str:
        """Ask for a text. The default is shown if it is one of some choices."""
        kind = {"type": click.Choice(list(choices))} if choices else {}
        return ask(self.by_name(text), default=default, show_default=bool(choices), **kind)

    def agree(self, question: str, *, or_stop: bool = False) -> bool:
        return agree(self.by_name(question), default=False, abort=or_stop)

    def agree_after_looking(self, question: str) -> bool:
        from rollbook.adapters.cli.look_before_yes import agree_after_looking

        return agree_after_looking(self, question)

    @contextmanager
    def paged(self) -> Iterator[None]:
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
            if not paged.is_paged:  # in the pager: the reader wants no more
                raise
        finally:
            self.out.file, self._paged = out, None
            paged.finish()

    @property
    def is_read_on(self) -> bool:
        """True while the reader goes on reading: until the pager is left."""
        return self._paged is None or self._paged.is_wanted

    def write_remark(self, text: str) -> None:
        """Say something beside the answer, on stderr."""
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
        return not self.json and sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def store_path(self) -> Place:
        return paths.store_path(self.store)

    def secrets(self) -> StoreSecrets:
        from rollbook.adapters.local_files.seeds import SeedKeeper

        return SeedKeeper(paths.seeds_folder())

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

        from rollbook.adapters.local_files.sqlite_faults import is_full
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

    def read_picture(self, path: str) -> Picture:
        from rollbook.adapters.pictures.decoding import picture_in

        return picture_in(Path(path).expanduser())

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

    def asked(self) -> tuple[CampaignId, LogRows]:
        """The campaign that is meant, and the rows of its log and sheets, up to date.

        The campaign is opened only if the read model lacks something of it.
        """
        whole = self._whole()
        if whole:
            return whole, self.book().read_model
        return super().asked()

    def party(self) -> Party | None:
        whole = self._whole()
        return self.book().party(whole) if whole else None

    def people(self) -> Mapping[SeatName, str]:
        whole = self._whole()
        return self.book().read_model.people(whole) if whole else super().people()

    def person(self, seat: SeatName) -> str:
        """The same; before a campaign is found, what is a seat stays, too."""
        with suppress(RollbookError, click.ClickException):
            return super().person(seat)
        return seat

    def _whole(self) -> CampaignId:
        """The campaign that is meant, if it is not open and the read model has all of it; else ""."""
        if self._campaign is not None:
            return ""
        from rollbook.application.history.timeline_marker import meant

        book = self.book()
        name = meant(self._campaign_named(book))
        if not book.is_whole(name):
            return ""
        if not self.named:
            paths.remember(self.store_path, name)
        return name

    def select_campaign(self, campaign: Campaign) -> None:
        """Go on with this campaign, here and next time. A timeline is only ever played by name."""
        self._campaign = campaign
        if campaign.session.timeline is None:
            paths.remember(self.store_path, campaign.id)

    def _last_campaign(self, book: Book) -> CampaignId:
        known, last = book.campaigns(), paths.last_used(self.store_path)
        if not known:
            raise NotFound(f"There is no campaign in this store yet. {HOW_TO_START}")
        if len(known) > 1 and last not in known:
            raise click.UsageError(f"This store holds several campaigns: {', '.join(known)}. Name one with -c.")
        return known[0] if len(known) == 1 else last

    def close(self) -> None:
        """Close the book, and all that was to stay open until now."""
        self.until_closed.close()
        if self._book is not None:
            self._book.close()
            self._book = None
            self._campaign = None

    @contextmanager
    def written(self, file: str) -> Iterator[Path]:
        """Yield the path for a file; that of ``-`` is copied to stdout once it is whole."""
        with written(file) as path:
            yield path

    @contextmanager
    def overriding(self, *, quiet: bool) -> Iterator[None]:
        """Undo, at the end, what a command inside another changes here: --json, campaign, store, quietness."""
        before = (self.json, self.named, self.store, self.out.quiet)
        self.out.quiet = self.out.quiet or quiet
        try:
            yield
        finally:
            self.json, self.named, self.store, self.out.quiet = before

    @contextmanager
    def bar(self, what: str, *, once_told: bool = False) -> Iterator[None]:
        """Show a progress bar on stderr, only when the work takes long; none in a pipe."""
        if self.json or not sys.stderr.isatty():
            yield
            return
        from rollbook.adapters.cli.progress import bar

        with bar(self.err, what, once_told=once_told) as progress, telling(progress):
            yield
