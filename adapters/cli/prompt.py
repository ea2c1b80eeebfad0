"""The interactive prompt: reads lines, completes words at Tab, and reports errors."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import IO, cast

import click
from click.shell_completion import ShellComplete
from rich.cells import cell_len, set_cell_size

from rollbook.adapters.cli.app import command_named, rollbook
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import report
from rollbook.adapters.cli.line_history import LineHistory
from rollbook.adapters.cli.paged_help import show_help_of
from rollbook.adapters.cli.paging import OneScreen
from rollbook.adapters.cli.script import ScriptRunner, run_command
from rollbook.adapters.cli.topics import TOPICS, show_page
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.verbs import show_now, show_verbs
from rollbook.adapters.local_files import paths
from rollbook.adapters.presentation.plain_text import as_written, printable
from rollbook.application.after_commit import RecordedBut, one_act
from rollbook.application.campaign import Campaign
from rollbook.application.lines import completion
from rollbook.application.lines.line_commands import PROMPT_COMMANDS, X_CARD, X_CARD_ANSWERS
from rollbook.application.lines.seat_view import view_of
from rollbook.application.lines.short_forms import ShortForms, without_program, written
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.secrecy import hidden_names, names_hidden_character
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import shown_names

HELP, EVERYTHING = "help", "all"
LONGEST_IN_PROMPT = 24
QUIT_WORDS = ("quit", "exit", "bye")
SHORT_FORMS = """
Lines may be short: at gu = attack GUARD by the one whose turn it is, with the only weapon or the last;
ch str = check, h gu 5 = harm, n = end the turn, n gu = the guard is next, u = undo the last.
Other verbs, commands and names by any beginning that is clear; lists with blanks or commas."""
IN_A_FIGHT = "One in full: help VERB. Questions: status, sheet, log. A mistake: undo, amend. All: help all"
REDACT = "redact"
SECRET_VERBS = ("conceal", "reveal-screen")
SECRET_OPTIONS = ("--secret", "--secre", "--secr", "--sec", "--to")
"""Options of lines that may be secret; such lines are not brought back, even if nothing was recorded."""
JOIN = "join"
"""The command that asks questions if no words are typed after it."""
STATUS, RECAP = "status", "recap"
"""The commands that Enter on an empty line gives, whatever verbs the game has, and that a prompt begins with."""
REST_OF_STATUS = "… and {} lines more: status"


@contextmanager
def tab_completion(cli: CliContext, short: ShortForms) -> Iterator[None]:
    """Complete words at Tab while the prompt is open, where the terminal can."""
    try:
        readline = import_module("readline")
    except ImportError:
        yield
        return
    found: list[str] = []

    def complete_word(_: str, state: int) -> str | None:
        if state == 0:
            line, begins = readline.get_line_buffer()[: readline.get_endidx()], readline.get_begidx()
            found[:] = completed(cli, short, line, begins)
        return f"{found[state]} " if state < len(found) else None

    readline.set_completer_delims(" \t")
    readline.set_completer(complete_word)
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)


def completed(cli: CliContext, short: ShortForms, line: str, begins: int) -> list[str]:
    """Completions of the text from position ``begins`` of the line on; words with blanks are quoted."""
    return completion.completed(line, begins, partial(complete, cli, short))


def complete(cli: CliContext, short: ShortForms, before: Sequence[str], incomplete: str) -> list[str]:
    """Words that go on from ``incomplete`` after the words ``before``."""
    with suppress(RollbookError, click.ClickException):
        campaign, of_command = cli.campaign(), partial(_of_command, cli)
        if without_program(before)[:1] == [HELP]:
            return completion.next_words(campaign, short, (), incomplete)
        return completion.next_words(campaign, short, before, incomplete, of_command=of_command, also=(HELP, "quit"))
    return []


def _of_command(cli: CliContext, said: Sequence[str], incomplete: str) -> list[str]:
    with cli.overriding(quiet=False):
        found = ShellComplete(rollbook, {"obj": cli}, "rollbook", "").get_completions(list(said), incomplete)
    return [item.value for item in found]


def run_prompt(cli: CliContext) -> None:
    """Play the lines that are typed, until they end."""
    campaign = cli.campaign()
    prompt = _Prompt(cli)
    with tab_completion(cli, prompt.short), prompt.lines.open():
        if campaign.state.session is not None:
            run_command(cli, RECAP, ())
            cli.print("")
        cli.print(Text(f"{campaign.state.name}. Type a verb, help or quit; Tab completes, Enter: status.", "dim"))
        while True:
            prompt.lines.follow()
            asked = prompt_text(campaign.id, campaign.state)
            try:
                typed = input(asked)
            except EOFError:
                cli.print("")
                return
            except KeyboardInterrupt:
                cli.print("")
                continue
            if typed.strip() in QUIT_WORDS:
                return
            if without_program(typed.split())[:1] == [X_CARD] and X_CARD_ANSWERS.isdisjoint(typed.split()):
                _erase_line(cli, asked, typed)
            prompt.carry_out(typed)


class _Prompt:
    """An open prompt, with what was used last, and the lines that a key brings back."""

    def __init__(self, cli: CliContext) -> None:
        self._cli = cli
        self._runner = ScriptRunner(cli, asks=True)
        self.short = ShortForms()
        self.lines = LineHistory(paths.prompt_lines(cli.store_path, cli.campaign().id))

    def carry_out(self, typed: str) -> None:
        """Carry out one line. Errors are reported, and the session goes on."""
        campaign = self._cli.campaign()
        was_done = False
        with campaign.session.recording() as noted:
            try:
                with one_act() as act:
                    self._run(typed)
                    for said in act.take_faults():
                        self._cli.warn(said)
                was_done = True
            except (click.Abort, KeyboardInterrupt):
                what = "What the log shows is" if noted.entries else "Nothing was"
                self._cli.print(f"Stopped. {what} recorded.")
            except RecordedBut as fault:
                self._cli.warn(str(fault))
                was_done = True
            except Exception as fault:  # noqa: BLE001 - the session goes on
                report(fault, as_json=self._cli.json, by_name=self._cli.by_name)
        self._cli.say_faults()
        self._remember(campaign, typed, noted.entries, was_done=was_done)

    def _run(self, typed: str) -> None:
        said, cli = without_program(self._runner.parse_line(typed)), self._cli
        if said and said[0] in ("help", "?"):
            with cli.paged():
                self._help(self._in_full(said[1:]))
        elif said == [JOIN]:
            run_command(cli, JOIN, ())
        elif said:
            cli.campaign().refresh()
            full = self.short.expand(cli.campaign(), said)
            if " ".join(full).casefold() != " ".join(said).casefold():
                cli.print(Text(written(full), "dim"))
            self._runner.play(full)
            cli.project()
        elif not typed.strip():
            cli.campaign().refresh()
            with _within_a_screen(cli, REST_OF_STATUS):
                run_command(cli, STATUS, ())

    def _help(self, asked: Sequence[str]) -> None:
        """Show help: of what is asked about; else in a fight what may be said now, and outside one everything."""
        cli = self._cli
        if asked or cli.campaign().state.encounter is None:
            _show_help(cli, [] if tuple(asked) == (EVERYTHING,) else asked)
            return
        show_now(cli, self.short.last(cli.campaign()).verbs)
        cli.print(Text(IN_A_FIGHT, "dim"))

    def _in_full(self, asked: Sequence[str]) -> list[str]:
        """The words that help is asked about, in full for a short form. Raises LineError if it is not clear."""
        if not asked or asked[0] in (EVERYTHING, X_CARD, *PROMPT_COMMANDS, *TOPICS):
            return list(asked)
        meant = self.short.meant(self._cli.campaign(), asked[:1])
        if meant != asked[0]:
            self._cli.print(Text(f"{asked[0]} = {meant}", "dim"))
        return [meant]

    def _remember(self, campaign: Campaign, typed: str, entries: Sequence[RecordedEntry], *, was_done: bool) -> None:
        words = without_program(typed.split())
        if words[:1] == [REDACT]:
            self.lines.read_again()
        elif words and not _is_secret(campaign, words, entries):
            if was_done:
                self.lines.keep(typed, (entry.action for entry in entries))
            else:
                self.lines.remember(typed)


def _is_secret(campaign: Campaign, words: Sequence[str], entries: Sequence[RecordedEntry]) -> bool:
    """True if a line is not to be brought back: an X-card, or anything hidden from a part of the table."""
    if words[0] in (X_CARD, *SECRET_VERBS) or any(entry.visibility or entry.hidden_events for entry in entries):
        return True
    if not entries and any(word.partition("=")[0] in SECRET_OPTIONS for word in words):
        return True
    is_gms = not view_of(campaign, words).seat
    return is_gms and names_hidden_character(hidden_names(campaign.state), " ".join(words))


def _erase_line(cli: CliContext, prompt: str, typed: str) -> None:
    """Remove what was typed beside the card, such as a seat, from the screen."""
    if cli.is_terminal and not cli.out.is_dumb_terminal:
        rows = 1 + cell_len(prompt + typed) // cli.out.width
        sys.stdout.write("\x1b[A\x1b[2K" * rows + f"\r{prompt}{X_CARD}\n")
        sys.stdout.flush()


def _show_help(cli: CliContext, said: Sequence[str]) -> None:
    if said and said[0] in (X_CARD, *PROMPT_COMMANDS):
        show_help_of(cli, command_named(said[0]), said[0])
        return
    if said and said[0] in TOPICS and said[0] not in verbs_of(cli.campaign()):
        show_page(cli, said[0])
        return
    show_verbs(cli, said[0] if said else "")
    if not said:
        cli.print(Text(f"Also: {', '.join((X_CARD, *PROMPT_COMMANDS))}, help VERB, quit", "dim"))
        cli.print(Text(f"Pages: help {', '.join(TOPICS)}", "dim"))
        cli.print(Text(SHORT_FORMS, "dim"))


@contextmanager
def _within_a_screen(cli: CliContext, more: str) -> Iterator[None]:
    """Keep what is printed inside to one screen, without a pager: ``more`` counts the lines left out in its ``{}``."""
    if not cli.is_terminal:
        yield
        return
    out, no_pager = cli.out.file, cli.no_pager
    screen = OneScreen(out, cli.out.height, more)
    cli.out.file, cli.no_pager = cast("IO[str]", screen), True
    try:
        yield
    finally:
        cli.out.file, cli.no_pager = out, no_pager
        screen.finish()


def prompt_text(campaign: str, state: CampaignState) -> str:
    """The prompt: the campaign and, in a fight, the round and whose turn it is; the scene, too, while another waits."""
    encounter, campaign = state.encounter, as_written(campaign).replace("\n", " ")
    scene = (
        [_cut_name(as_written(state.scene).replace("\n", " ") or f"scene {state.scene_number}")]
        if state.elsewhere
        else []
    )
    if encounter is None:
        return f"{' · '.join((campaign, *scene))}> "
    names = shown_names(who for who in state.characters.values() if who.present)
    whose = printable(names.get(encounter.current, "")).replace("\n", " ") or "nobody's turn"
    parts = [_cut_name(campaign), *scene, f"round {encounter.round}", _cut_name(whose)]
    return f"{' · '.join(parts)}> "


def _cut_name(text: str) -> str:
    return text if cell_len(text) <= LONGEST_IN_PROMPT else set_cell_size(text, LONGEST_IN_PROMPT - 1).rstrip() + "…"
