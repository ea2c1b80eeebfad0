"""The interactive prompt: reads lines, completes words and reports errors."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

import click
from rich.text import Text

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.errors import report
from adapters.cli.script import PROMPT_COMMANDS, X_CARD, X_CARD_ANSWERS, ScriptRunner, root_command
from adapters.cli.verb_commands import candidates, verb_of, verbs_of
from adapters.cli.views.verbs import show_verbs
from domain.errors import RollbookError

QUIT_WORDS = ("quit", "exit", "bye")


def run_prompt(cli: CliContext) -> None:
    """Play what is typed until it ends."""
    campaign = cli.campaign()
    player = ScriptRunner(cli, asks=True)
    with _Completion(cli):
        cli.print(Text(f"{campaign.state.name}. Type a verb, help or quit; Tab completes.", style="dim"))
        while True:
            try:
                typed = input(f"{campaign.id}> ")
            except EOFError:
                cli.print("")
                return
            except KeyboardInterrupt:
                cli.print("")
                continue
            if typed.strip() in QUIT_WORDS:
                return
            if typed.split()[:1] == [X_CARD] and X_CARD_ANSWERS.isdisjoint(typed.split()):
                _erase_line(cli, f"{campaign.id}> ", typed)
            try:
                _run_line(player, typed)
            except (click.Abort, KeyboardInterrupt):
                cli.print("Stopped. Nothing was recorded.")
            except Exception as fault:  # noqa: BLE001 - the session goes on
                report(fault, as_json=cli.json)


def _erase_line(cli: CliContext, prompt: str, typed: str) -> None:
    """What stood on the line besides the card, a seat say, is neither left on the screen nor within reach of a key."""
    with suppress(ImportError, ValueError):
        import readline

        readline.remove_history_item(readline.get_current_history_length() - 1)
    if cli.out.is_terminal and not cli.out.is_dumb_terminal:
        rows = 1 + len(prompt + typed) // cli.out.width
        sys.stdout.write("\x1b[A\x1b[2K" * rows + f"\r{prompt}{X_CARD}\n")
        sys.stdout.flush()


def _run_line(player: ScriptRunner, typed: str) -> None:
    said = player.parse_line(typed)
    if not said:
        return
    cli = player.cli
    if said[0] in ("help", "?"):
        _show_help(cli, said[1:])
        return
    player.play(said)
    cli.project()


def _show_help(cli: CliContext, said: Sequence[str]) -> None:
    if said and said[0] in (X_CARD, *PROMPT_COMMANDS):
        with click.Context(root_command(said[0]), info_name=said[0], max_content_width=110) as ctx:
            cli.print(ctx.get_help())
        return
    show_verbs(cli, said[0] if said else "")
    if not said:
        cli.print(Text(f"Also: {', '.join((X_CARD, *PROMPT_COMMANDS))}, help VERB, quit", style="dim"))


class _Completion:
    """Tab completes verbs, characters, choices and options while the prompt is open."""

    def __init__(self, cli: CliContext) -> None:
        self._cli = cli
        self._found: list[str] = []

    def __enter__(self) -> None:
        try:
            import readline
        except ImportError:
            return
        readline.set_completer_delims(" \t")
        readline.set_completer(self._complete)
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")

    def __exit__(self, *_: object) -> None:
        try:
            import readline
        except ImportError:
            return
        readline.set_completer(None)

    def _complete(self, incomplete: str, state: int) -> str | None:
        import readline

        if state == 0:
            before = readline.get_line_buffer()[: readline.get_begidx()].split()
            self._found = sorted(complete(self._cli, before, incomplete))
        return f"{self._found[state]} " if state < len(self._found) else None


def complete(cli: CliContext, before: Sequence[str], incomplete: str) -> Iterator[str]:
    """Words that go on from ``incomplete`` after the words ``before`` at the prompt."""
    try:
        campaign = cli.campaign()
        if not before:
            known: Sequence[str] = (*dict.fromkeys((*verbs_of(campaign), *PROMPT_COMMANDS)), "help", "quit")
        elif before[0] in ("sheet", "xp"):
            known = tuple(campaign.state.characters)
        elif before[0] == "help":
            known = tuple(dict.fromkeys((*verbs_of(campaign), *PROMPT_COMMANDS)))
        elif before[0] == "odds":
            known = tuple(verbs_of(campaign)) if len(before) == 1 else _next_words(campaign, before[1:], incomplete)
        else:
            known = _next_words(campaign, before, incomplete)
    except (RollbookError, click.ClickException):
        return
    yield from (word for word in known if word.casefold().startswith(incomplete.casefold()))


def _next_words(campaign: Campaign, before: Sequence[str], incomplete: str) -> tuple[str, ...]:
    return tuple(candidates(campaign, verb_of(campaign, before[0]), before[1:], incomplete))
