"""Tab at the prompt: verbs, commands and their words, what may be said there and nothing else."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module

import click
from click.shell_completion import ShellComplete

from adapters.cli.app import rollbook
from adapters.cli.context import CliContext
from adapters.cli.script import PROMPT_COMMANDS, X_CARD
from adapters.cli.short_forms import ShortForms, may_be_said, without_program, written
from adapters.cli.terminal import offered
from adapters.cli.verb_commands import verbs_of
from adapters.verb_line import LineError, split_words
from domain.errors import RollbookError

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
    start = word_start(line)
    begun = line[start:]
    try:
        before = split_words(line[:start])
    except LineError:
        return []
    quoted = begun[:1] == '"'
    words = offered(complete(cli, short, before, begun.removeprefix('"')))
    return sorted((f'"{word}"' if quoted else written([word]))[begins - start :] for word in words)


def word_start(line: str) -> int:
    """Where the last word of a line begins, which may be open: ``attack robin guard "silver da``."""
    start, is_open = 0, False
    for place, letter in enumerate(line):
        if letter == '"' and (is_open or place == start):
            is_open = not is_open
        elif letter.isspace() and not is_open:
            start = place + 1
    return start


def complete(cli: CliContext, short: ShortForms, before: Sequence[str], incomplete: str) -> list[str]:
    """Words that go on from ``incomplete`` after the words ``before``."""
    with suppress(RollbookError, click.ClickException):
        said = without_program(before)
        if not said or said[0] == HELP:
            known = (*may_be_said(cli.campaign()), *PROMPT_COMMANDS, *(() if said else (HELP, "quit")))
            return [word for word in dict.fromkeys(known) if word.casefold().startswith(incomplete.casefold())]
        first = short.first(cli.campaign(), said)
        verb = verbs_of(cli.campaign()).get(first)
        if verb is not None:
            return short.offers(cli.campaign(), verb, said, incomplete)
        if first in (X_CARD, *PROMPT_COMMANDS):
            return _of_command(cli, [first, *said[1:]], incomplete)
    return []


def _of_command(cli: CliContext, said: Sequence[str], incomplete: str) -> list[str]:
    with cli.overriding(quiet=False):
        found = ShellComplete(rollbook, {"obj": cli}, "rollbook", "").get_completions(list(said), incomplete)
    return [item.value for item in found]
