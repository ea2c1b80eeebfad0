"""Tab at the prompt: verbs, commands and their words, what may be said there and nothing else."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module

import click
from click.shell_completion import ShellComplete

from rollbook.adapters.cli.app import rollbook
from rollbook.adapters.cli.context import CliContext
from rollbook.application.lines import completion
from rollbook.application.lines.line_commands import PROMPT_COMMANDS
from rollbook.application.lines.short_forms import ShortForms, may_be_said, without_program
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.letters import caseless

HELP = "help"


@contextmanager
def tab_completion(cli: CliContext, short: ShortForms) -> Iterator[None]:
    """Tab completes while the prompt is open, where the terminal can."""
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
    """What may stand in the place of what follows the position ``begins`` in the line; words with blanks are quoted."""
    return completion.completed(line, begins, partial(complete, cli, short))


def complete(cli: CliContext, short: ShortForms, before: Sequence[str], incomplete: str) -> list[str]:
    """Words that go on from ``incomplete`` after the words ``before``."""
    with suppress(RollbookError, click.ClickException):
        if without_program(before)[:1] == [HELP]:
            known = (*may_be_said(cli.campaign()), *PROMPT_COMMANDS)
            return [word for word in dict.fromkeys(known) if caseless(word).startswith(caseless(incomplete))]
        return completion.next_words(
            cli.campaign(), short, before, incomplete, of_command=partial(_of_command, cli), also=(HELP, "quit")
        )
    return []


def _of_command(cli: CliContext, said: Sequence[str], incomplete: str) -> list[str]:
    with cli.overriding(quiet=False):
        found = ShellComplete(rollbook, {"obj": cli}, "rollbook", "").get_completions(list(said), incomplete)
    return [item.value for item in found]
