"""Runner of scripts, line by line: verbs, corrections and queries; also of ``rollbook demo`` and its results."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from rollbook.adapters.cli.app import command_named
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import ScriptError
from rollbook.adapters.imports.bounded import MIB, Bounds, opened
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.verb_help import verb_help
from rollbook.adapters.line_commands.views import log, sheet
from rollbook.adapters.line_commands.views.audit import show_audit
from rollbook.adapters.line_commands.views.log import show_xp
from rollbook.adapters.line_commands.views.performed import show_performed
from rollbook.adapters.plugins.installed_files import installed_file
from rollbook.application.after_commit import RecordedBut, one_act
from rollbook.application.campaign import Campaign
from rollbook.application.lines.line_commands import COMMAND_FIRST, X_CARD, X_CARD_ANSWERS
from rollbook.application.lines.line_runner import LineRunner, words_of
from rollbook.application.lines.verb_line import LineError, pairs
from rollbook.application.ports.deadline import command_deadline
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.letters import id_of
from rollbook.domain.events import CharacterKind
from rollbook.domain.rules.action import Action
from rollbook.domain.state.lookup import slug
from rollbook.projections.database import UNDONE

CAMPAIGN_LINE, NARRATION, QUIET = "campaign", "#:", "#."
"""The first line of a script; the mark of lines that are read out; the line after which actions are not shown in brief."""

HELP = "--help"

LONGEST_SCRIPT = Bounds(size=8 * MIB, line=MIB, lines=200_000)
NOT_PLAYED = "Nothing was played."
DEMO_NAME = "Sherwood"
SCRIPT_FILE = "sherwood.session"


def read_script(file: str | None) -> list[str]:
    """The lines of a script. Raises NotFound, RollbookError; also for one that is far too long."""
    try:
        if file is None or file == "-":
            text = _typed_in()
        else:
            with opened(Path(file), NOT_PLAYED, LONGEST_SCRIPT) as source:
                text = source.text()
    except UnicodeDecodeError:
        raise RollbookError(f"{file or 'What was piped in'} is not text in UTF-8, so it is not a script.") from None
    return text.removeprefix("\ufeff").splitlines()


def _typed_in() -> str:
    text = sys.stdin.read(LONGEST_SCRIPT.size + 1)
    if len(text) > LONGEST_SCRIPT.size:
        raise RollbookError(f"No script is longer than {LONGEST_SCRIPT.size // MIB} MiB. {NOT_PLAYED}")
    return text


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
    """Open the campaign of the first line: one of its own, or the one that is being played anyway."""
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
    """Runner of line after line, which shows what came of each; with ``asks`` it may ask questions."""

    def __init__(self, cli: CliContext, *, asks: bool = False) -> None:
        self.cli = cli
        self._runner = LineRunner(cli, self._run, asks=asks)
        self._echo = True

    def parse_line(self, text: str) -> list[str]:
        """The words of a line; none if it is a comment. Narration is read out."""
        text = text.strip()
        if text.startswith(NARRATION):
            self._echo = True
            narrated = text.removeprefix(NARRATION).strip()
            if narrated and not self.cli.json:
                self.cli.print(Text(narrated, "italic"))
            return []
        if text.startswith(QUIET):
            self._echo = not self.cli.brief
            return []
        return words_of(text)

    @command_deadline()
    def play(self, said: Sequence[str]) -> None:
        with one_act() as act:
            campaign = self.cli.campaign()
            campaign.refresh()
            if said[0] == CAMPAIGN_LINE:
                raise LineError("A script has one campaign, and its first line names it.")
            if verb := self._explained(campaign, said):
                self.cli.print(verb_help(campaign, verb, ""))
            elif (done := self._runner.carry_out(said)) and self._echo:
                show_performed(self.cli, done)
            for fault in act.take_faults():
                self.cli.warn(fault)

    def _explained(self, campaign: Campaign, said: Sequence[str]) -> type[Action] | None:
        """The verb whose help is asked for; an answer to an X-card has none of its own."""
        is_asked = HELP in said[1:] or list(said[1:2]) == ["-h"]
        is_command = said[0] in COMMAND_FIRST or (said[0] == X_CARD and not X_CARD_ANSWERS.isdisjoint(said[1:]))
        return verbs_of(campaign).get(said[0]) if is_asked and not is_command else None

    def _run(self, name: str, args: Sequence[str]) -> None:
        with self.cli.overriding(quiet=not self._echo):
            run_command(self.cli, name, args)


def run_command(cli: CliContext, name: str, args: Sequence[str]) -> None:
    """Run a command of the program inside another."""
    with suppress(click.exceptions.Exit):
        command = command_named(name)
        command.invoke(command.make_context(name, list(args), obj=cli))


def script_lines() -> list[str]:
    """The lines of the demo's script. Raises NotFound."""
    return installed_file("examples", SCRIPT_FILE).read_text(encoding="utf-8").splitlines()


def play_demo(cli: CliContext) -> None:
    """Play the demo's session and show its results."""
    lines = script_lines()
    known = cli.book(create=True).campaigns()
    names = (DEMO_NAME, *(f"{DEMO_NAME} {count}" for count in range(2, len(known) + 3)))
    name = next(name for name in names if id_of(name) not in known)
    cli.brief = True
    with cli.overriding(quiet=cli.json):
        cli.json = False
        _heading(cli, f"{name}: a session in {cli.store_path}")
        play_script(cli, lines, name)
        campaign = cli.campaign()
        _show_results(cli, campaign)
    if cli.json:
        head = campaign.head
        answers = {answer.question: str(answer.verdict) for answer in campaign.audit()}
        cli.data({"campaign": campaign.id, "actions": head.actions, "entries": head.entry, "audit": answers})
    campaign.do("open-session")  # so that dice can be tried at once


def _show_results(cli: CliContext, campaign: Campaign) -> None:
    state = campaign.state
    _heading(cli, "rollbook audit")
    show_audit(cli, campaign.audit())
    _heading(cli, "rollbook sheet")
    players = [who for who in state.characters.values() if who.kind is CharacterKind.PLAYER_CHARACTER]
    sheets = [campaign.session.rulebook.sheet(who, state) for who in players]
    sheet.show_party(cli, sheets, campaign.session.rulebook.overview(state))
    _heading(cli, "rollbook log")
    undone = next(line for line in cli.book().read_model.log(campaign.id) if line.status == UNDONE)
    log.show_log(cli, [undone], {undone.corrected_by: campaign.seat(None)})
    _heading(cli, "rollbook xp")
    show_xp(cli, cli.book().read_model.xp(campaign.id), awards=False)
    _heading(cli, "The next session is open.")
    _heading(cli, f'Now you: rollbook play · rollbook log · rollbook why {players[0].id} "to hit"')


def _heading(cli: CliContext, text: str) -> None:
    cli.print(Text(text, "bold cyan"))
