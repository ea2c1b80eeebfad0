"""The interactive prompt: reads lines, completes words and reports errors."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import click
from click.shell_completion import ShellComplete
from rich.cells import cell_len
from rich.text import Text

from adapters.cli.app import command_named, rollbook
from adapters.cli.context import CliContext
from adapters.cli.errors import report
from adapters.cli.script import PROMPT_COMMANDS, X_CARD, X_CARD_ANSWERS, ScriptRunner, run_command
from adapters.cli.short_forms import ShortForms, without_program, written
from adapters.cli.verb_commands import verbs_of
from adapters.cli.views.board import prompt_text
from adapters.cli.views.verbs import show_verbs
from domain.errors import RollbookError

QUIT_WORDS = ("quit", "exit", "bye")
SHORT_FORMS = """
Lines may be short: at gu = attack GUARD by the one whose turn it is, with the only weapon or the last;
ch str = check, h gu 5 = harm, n = end the turn, n gu = the guard is next, u = undo the last.
Other verbs, commands and names by any beginning that is clear; lists with blanks or commas."""
JOIN = "join"
"""The command that asks, where no words are typed after it."""
STATUS = "status"
"""The command that Enter on an empty line gives, whatever verbs the game has."""


def run_prompt(cli: CliContext) -> None:
    """Play what is typed until it ends."""
    campaign = cli.campaign()
    runner, short = ScriptRunner(cli, asks=True), ShortForms()
    with _tab_completion(cli):
        cli.print(
            Text(
                f"{campaign.state.name}. Type a verb, help or quit; Tab completes, Enter shows how things stand.",
                style="dim",
            )
        )
        while True:
            prompt = prompt_text(campaign.id, campaign.state)
            try:
                typed = input(prompt)
            except EOFError:
                cli.print("")
                return
            except KeyboardInterrupt:
                cli.print("")
                continue
            if typed.strip() in QUIT_WORDS:
                return
            if without_program(typed.split())[:1] == [X_CARD] and X_CARD_ANSWERS.isdisjoint(typed.split()):
                _erase_line(cli, prompt, typed)
            try:
                _run_line(runner, short, typed)
            except (click.Abort, KeyboardInterrupt):
                cli.print("Stopped. Nothing was recorded.")
            except Exception as fault:  # noqa: BLE001 - the session goes on
                report(fault, as_json=cli.json)


def _erase_line(cli: CliContext, prompt: str, typed: str) -> None:
    """Remove what was typed beside the card, such as a seat, from the screen and from the lines that a key brings back."""
    with suppress(ImportError, ValueError):
        import readline

        readline.remove_history_item(readline.get_current_history_length() - 1)
    if cli.out.is_terminal and not cli.out.is_dumb_terminal:
        rows = 1 + cell_len(prompt + typed) // cli.out.width
        sys.stdout.write("\x1b[A\x1b[2K" * rows + f"\r{prompt}{X_CARD}\n")
        sys.stdout.flush()


def _run_line(runner: ScriptRunner, short: ShortForms, typed: str) -> None:
    said, cli = without_program(runner.parse_line(typed)), runner.cli
    if said and said[0] in ("help", "?"):
        _show_help(cli, said[1:])
    elif said == [JOIN]:
        run_command(cli, JOIN, ())
    elif said:
        cli.campaign().refresh()
        full = short.expand(cli.campaign(), said)
        if _plain(full) != _plain(said):
            cli.print(Text(written(full), style="dim"))
        runner.play(full)
        cli.project()
    elif not typed.strip():
        cli.campaign().refresh()
        run_command(cli, STATUS, ())


def _plain(said: Sequence[str]) -> str:
    """A line without what makes no difference to what is meant."""
    return " ".join(said).casefold()


def _show_help(cli: CliContext, said: Sequence[str]) -> None:
    if said and said[0] in (X_CARD, *PROMPT_COMMANDS):
        with click.Context(command_named(said[0]), info_name=said[0], max_content_width=110) as ctx:
            cli.print(ctx.get_help())
        return
    show_verbs(cli, said[0] if said else "")
    if not said:
        cli.print(Text(f"Also: {', '.join((X_CARD, *PROMPT_COMMANDS))}, help VERB, quit", style="dim"))
        cli.print(Text(SHORT_FORMS, style="dim"))


@contextmanager
def _tab_completion(cli: CliContext) -> Iterator[None]:
    """Tab completes verbs, commands and their words while the prompt is open."""
    try:
        import readline
    except ImportError:
        yield
        return
    found: list[str] = []

    def complete_word(incomplete: str, state: int) -> str | None:
        if state == 0:
            before = readline.get_line_buffer()[: readline.get_begidx()].split()
            found[:] = sorted(complete(cli, before, incomplete))
        return f"{found[state]} " if state < len(found) else None

    readline.set_completer_delims(" \t")
    readline.set_completer(complete_word)
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)


def complete(cli: CliContext, before: Sequence[str], incomplete: str) -> list[str]:
    """Words that go on from ``incomplete`` after the words ``before`` at the prompt."""
    try:
        verbs = verbs_of(cli.campaign())
    except (RollbookError, click.ClickException):
        return []
    if before and before[0] != "help":
        line = ["do", *before] if before[0] in verbs else list(before)
        with cli.overriding(quiet=False):
            found = ShellComplete(rollbook, {"obj": cli}, "rollbook", "").get_completions(line, incomplete)
        return [item.value for item in found]
    known = dict.fromkeys((*verbs, *PROMPT_COMMANDS, *(() if before else ("help", "quit"))))
    return [word for word in known if word.casefold().startswith(incomplete.casefold())]
