"""Runs a script line by line: a verb, a correction or a query."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

import click

from rollbook.adapters.cli.app import command_named
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import ScriptError
from rollbook.adapters.cli.paged_help import show_help_of
from rollbook.adapters.cli.perform import perform, show_performed
from rollbook.adapters.cli.styled import Text
from rollbook.adapters.cli.verb_commands import VerbCommand
from rollbook.adapters.imports.bounded import MIB, Bounds, opened
from rollbook.application.aftermath import RecordedBut, one_act
from rollbook.application.lines.line_commands import (
    ADOPT,
    COMMAND_FIRST,
    CORRECTION_COMMANDS,
    PROMPT_COMMANDS,
    REVEAL,
    SEATED_COMMANDS,
    SHOWN_FIRST,
    X_CARD,
    X_CARD_ANSWERS,
)
from rollbook.application.lines.verb_line import LineError, pairs, split_dice, split_words
from rollbook.application.ports.deadline import one_command
from rollbook.application.verbs import verbs_of
from rollbook.domain.actions import slug
from rollbook.domain.base.errors import RollbookError, not_found

CAMPAIGN_LINE, NARRATION, QUIET = "campaign", "#:", "#."
"""The first line of a script; the mark of lines that are read out; the line after which actions are not shown in brief."""

HELP = "--help"

LONGEST_SCRIPT = Bounds(size=8 * MIB, line=MIB, lines=200_000)
NOT_PLAYED = "Nothing was played."


def read_script(file: str | None) -> list[str]:
    """The lines of a script. Raises NotFound, RollbookError; also for one that is far too long."""
    try:
        text = _typed_in() if file in (None, "-") else _written_in(Path(str(file)))
    except UnicodeDecodeError:
        raise RollbookError(f"{file or 'What was piped in'} is not text in UTF-8, so it is not a script.") from None
    return text.removeprefix("\ufeff").splitlines()


def _typed_in() -> str:
    text = sys.stdin.read(LONGEST_SCRIPT.size + 1)
    if len(text) > LONGEST_SCRIPT.size:
        raise RollbookError(f"No script is longer than {LONGEST_SCRIPT.size // MIB} MiB. {NOT_PLAYED}")
    return text


def _written_in(path: Path) -> str:
    with opened(path, NOT_PLAYED, LONGEST_SCRIPT) as source:
        return source.text()


def play_script(cli: CliContext, lines: Sequence[str], name: str = "") -> None:
    """Play every line. An error names its line; everything before it stays recorded."""
    runner = ScriptRunner(cli)
    begun = False
    try:
        for number, text in enumerate(lines, 1):
            try:
                said = runner.parse_line(text)
                if said and not begun:
                    _open_campaign(cli, said, name)
                    begun = True
                    said = [] if said[0] == CAMPAIGN_LINE else said
                if said:
                    runner.play(said)
            except RecordedBut as fault:
                cli.warn(str(fault))
            except (RollbookError, click.ClickException) as fault:
                raise ScriptError(number, fault) from fault
    finally:
        if begun:
            cli.project()
    if not begun:
        raise RollbookError("There is nothing to play in this script.")


def _open_campaign(cli: CliContext, said: Sequence[str], name: str) -> None:
    """The first line: a campaign of its own, or the one that is being played anyway."""
    if said[0] != CAMPAIGN_LINE:
        if name:
            raise LineError(f'--as is for scripts that begin with a line: {CAMPAIGN_LINE} "NAME" RULESET')
        cli.campaign()
        return
    if len(said) < 3:
        raise LineError(f'The first line is written: {CAMPAIGN_LINE} "NAME" RULESET [key=value ...]')
    book = cli.book(create=True)
    called = name or said[1]
    if slug(called) in book.campaigns():
        raise RollbookError(
            f"There is already a campaign {slug(called)!r} in this store, so the script was not played. "
            f"Give it another name with: --as NAME"
        )
    cli.select_campaign(book.new(called, said[2], pairs(said[3:])))


class ScriptRunner:
    """Plays line after line; ``seat`` acts where a line does not say who, ``command`` is the id of the next verb."""

    def __init__(self, cli: CliContext, *, asks: bool = False, seat: str | None = None, command: str = "") -> None:
        self.cli = cli
        self._seat = seat
        self._command_id = command
        self._asks = asks
        self._echo = True

    def parse_line(self, text: str) -> list[str]:
        """The words of a line; none if it is a comment. Narration is read out."""
        text = text.strip()
        if text.startswith(NARRATION):
            self._echo = True
            narrated = text.removeprefix(NARRATION).strip()
            if narrated and not self.cli.json:
                self.cli.print(Text(narrated, style="italic"))
            return []
        if text.startswith(QUIET):
            self._echo = not self.cli.brief
            return []
        return [] if text.startswith("#") and not text[1:2].isdecimal() else split_words(text)

    @one_command()
    def play(self, said: Sequence[str]) -> None:
        with one_act() as act:
            self.cli.campaign().refresh()
            self.carry_out(said)
            for fault in act.take_faults():
                self.cli.warn(fault)

    def carry_out(self, said: Sequence[str]) -> None:
        """Carry out a line of a campaign that has just been read."""
        first, rest = said[0], said[1:]
        if first == CAMPAIGN_LINE:
            raise LineError("A script has one campaign, and its first line names it.")
        campaign = self.cli.campaign()
        verbs = verbs_of(campaign)
        is_help = HELP in rest or rest[:1] == ["-h"]
        is_answer = first == X_CARD and not X_CARD_ANSWERS.isdisjoint(rest)
        if is_help and not is_answer and first in verbs and first not in COMMAND_FIRST:
            show_help_of(self.cli, VerbCommand(verbs[first]), first)
            return
        is_shown_first = first == ADOPT and (self._asks or is_help or not SHOWN_FIRST.isdisjoint(rest))
        if is_answer or is_shown_first or first == REVEAL or (first in PROMPT_COMMANDS and first not in verbs):
            self._command(first, rest)
            return
        if first not in verbs:
            campaign.rulebook.require(campaign.state)
            raise not_found("verb", first, (*verbs, *PROMPT_COMMANDS))
        taken = perform(self.cli, verbs[first], rest, seat=self._seat, command=self._command_id)
        if self._echo:
            show_performed(self.cli, taken)

    def _command(self, name: str, rest: Sequence[str]) -> None:
        args = _dice_as_option(name, rest)
        asks = (name in (*CORRECTION_COMMANDS, "take-over") and name != "reroll") or "--rewind" in args
        if asks and not self._asks and not {"--yes", "--preview"} & set(args):
            args.append("--yes")
        if self._command_id:
            raise LineError(
                f"Only what is recorded in one go can have a command id: a verb, a correction or redact, not {name}."
            )
        if self._seat is not None and name in SEATED_COMMANDS and seat_in(args) is None:
            args += ("--seat", self._seat)
        with self.cli.overriding(quiet=not self._echo):
            run_command(self.cli, name, args)


def run_command(cli: CliContext, name: str, args: Sequence[str]) -> None:
    """One command of the program, inside another."""
    with suppress(click.exceptions.Exit):
        command = command_named(name)
        command.invoke(command.make_context(name, list(args), obj=cli))


def seat_in(words: Sequence[str]) -> str | None:
    """The seat that a line names, None if it names none."""
    named = None
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        option, equals, value = word.partition("=")
        if option == "--seat":
            named = value if equals else following
    return named


def _dice_as_option(name: str, rest: Sequence[str]) -> list[str]:
    """Dice after a ``!`` as the option that they are for the command."""
    before, dice = split_dice(rest)
    if dice is None:
        if before and before[-1] == "--dice":
            raise LineError("--dice needs the faces after it, as in --dice 14,4.")
        return before
    return [*before, "--faces" if name == "amend" else "--dice", ",".join(map(str, dice))]
