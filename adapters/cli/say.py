"""Carries out one line for a program that is not the command line: a bot, a script, a web page."""

from collections.abc import Sequence
from functools import cached_property, partial
from io import StringIO

import click
from rich.console import Console

from rollbook.adapters.cli.console import CleanConsole
from rollbook.adapters.cli.context import PIPE_WIDTH, CliContext
from rollbook.adapters.cli.errors import ReportedFailure
from rollbook.adapters.cli.json import dumps
from rollbook.adapters.cli.perform import show_entry
from rollbook.adapters.cli.script import ScriptRunner, seat_in
from rollbook.adapters.cli.terminal import escaped
from rollbook.application.aftermath import after_commit, one_act
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.command_ids import Command
from rollbook.application.lines.line_commands import COMMANDS_WITH_ID, GM_COMMANDS, QUERY_COMMANDS
from rollbook.application.lines.said import Said
from rollbook.application.lines.verb_line import LineError, find_seat
from rollbook.application.ports.read_model import ReadModel
from rollbook.application.verbs import verbs_of
from rollbook.application.visibility.seen import (
    SeenCampaign,
    as_seen,
    correctable_as_seen,
    from_whom_to_hide,
    without_hidden_names,
)
from rollbook.domain.base.errors import Refused, RollbookError

NOT_HERE = ("-h", "--help", "-c", "--campaign", "--store")
"""Options that only the command line has."""


class SayContext(CliContext):
    """A run whose output is collected, and in which nobody can be asked."""

    def __init__(self, campaign: Campaign, reader: str | None = None) -> None:
        super().__init__()
        self.reader = reader
        self.named = campaign.id
        self._book = campaign.book
        self._campaign = campaign
        self._text = StringIO()

    @cached_property
    def out(self) -> Console:
        """Where answers go, as plain text in lines as long as they are."""
        return CleanConsole(
            file=self._text, width=PIPE_WIDTH, color_system=None, highlight=False, markup=False, emoji=False
        )

    @property
    def is_terminal(self) -> bool:
        """Nobody is at one."""
        return False

    @property
    def _is_plain(self) -> bool:
        """Answers are collected in the console."""
        return False

    @cached_property
    def err(self) -> Console:
        """Remarks are part of the answer."""
        return self.out

    def data(self, *values: object) -> None:
        """JSON objects, each on a line of its own."""
        self._text.writelines(f"{escaped(dumps(value))}\n" for value in values)

    @property
    def read_model(self) -> ReadModel:
        """The book's; what a seat may see, and an edition, have one of their own."""
        campaign = self.campaign()
        return campaign.read_model if self._book is None or isinstance(campaign, SeenCampaign) else super().read_model

    def book(self, *, create: bool = False) -> Book:
        """The campaign's own book, and never the user's. Raises Refused for a campaign without one, as editions are."""
        if self._book is None:
            raise Refused("That is a question about more than this campaign, so it has no answer here.")
        return super().book(create=create)

    def project(self) -> None:
        """Bring the read model up to date; what has no book has one that is."""
        if self._book is not None:
            super().project()
        elif self.campaign().damage:
            self.warn(self.campaign().damage)

    @property
    def is_interactive(self) -> bool:
        return False

    def reader_of(self, _: str | None) -> str | None:
        """Who says the line, and not who acts in it."""
        return self.reader

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._text.getvalue().splitlines())


def _whole_line(campaign: Campaign, words: Sequence[str], seat: str | None, id_: str) -> Command | None:
    """The command that a line is as it is typed, None if it has no id or cannot have one."""
    if not id_ or words[0] not in COMMANDS_WITH_ID:
        return None
    named = seat_in(words)
    return campaign.command(seat if named is None else named, id_, {"line": words})


def _seen_by(campaign: Campaign, name: str, reader: str | None) -> Campaign:
    """The campaign that a command is carried out on: for a question, as its reader may see it. Raises Refused."""
    if reader is None or name not in (*QUERY_COMMANDS, *GM_COMMANDS):
        return campaign
    if name in GM_COMMANDS:
        raise Refused(f"{name} is about hidden things too, so it is for the GM. Leave out the seat, or ask the GM.")
    return as_seen(campaign, reader)


def _ask_as_seen(campaign: Campaign, words: Sequence[str], reader: str | None) -> None:
    """Carry out the words of a line where there is nothing but what its seat may see, and nothing is recorded."""
    assert reader is not None
    ScriptRunner(SayContext(correctable_as_seen(campaign, reader), reader), seat=reader).carry_out(words)


def say(campaign: Campaign, line: str, *, seat: str | None = None, command: str = "") -> Said:
    """What a line does that is typed as at the prompt. Raises what the engine raises, and LineError for a faulty line."""
    campaign.refresh()
    words = ScriptRunner(SayContext(campaign)).parse_line(line)
    if not words:
        raise LineError("There is nothing in this line: type a verb, a correction or a question.")
    for word in words:
        if word.partition("=")[0] in NOT_HERE:
            raise LineError(f"{word} is for the command line; a line that is said to a campaign has no place for it.")
    is_verb = words[0] in verbs_of(campaign)
    reader = None if seat is None else from_whom_to_hide(campaign, find_seat(campaign.state, seat))
    seen = campaign if is_verb else _seen_by(campaign, words[0], reader)
    cli = SayContext(seen, reader)
    whole = None if is_verb else _whole_line(campaign, words, seat, command)
    if made := campaign.made_by(whole):
        for entry in made:
            show_entry(cli, entry)
        return Said(line=line, text=cli.text, entries=made)
    runner = ScriptRunner(cli, seat=seat, command="" if whole else command)
    with one_act() as act, campaign.noting(whole) as noted:
        try:
            with after_commit():
                runner.carry_out(words)
        except ReportedFailure:
            pass  # the report is in the text
        except click.ClickException as fault:
            raise LineError(fault.format_message()) from fault
        except RollbookError as fault:
            raise without_hidden_names(seen, fault, reader, partial(_ask_as_seen, campaign, words, reader)) from None
    said = tuple(str(without_hidden_names(seen, RollbookError(fault), reader)) for fault in act.faults)
    return Said(line=line, text=cli.text, entries=tuple(noted.entries), preview=noted.preview, warnings=said)
