"""The words of a command mean the same in a line as at the command line, and their faults are said in the same sentences."""

from __future__ import annotations

import random
from collections.abc import Iterator

import click
import pytest

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.declared_commands import clicked
from rollbook.adapters.line_commands.declared import MODULES, Command, UsageError, declared_command
from rollbook.adapters.line_commands.options import JSON, SHARED
from rollbook.adapters.line_commands.parsing import values_of
from rollbook.domain.base.errors import RollbookError

VALUES = (
    "12",
    "last",
    "3-6",
    "#4",
    "robin",
    "0",
    "-1",
    "x",
    "14,4",
    "a=b",
    "gm",
    "seat",
    "best",
    "keep",
    "undo",
    "s2",
    "@7",
)
LINES = 60


def lines_of(command: Command) -> Iterator[list[str]]:
    """Lines of a command, some of them as they should be: the same in every run."""
    chance = random.Random(command.name)
    options = [each for each in (*command.parameters, JSON) if each.words]
    pieces = [[word] if each.is_flag else [word, ""] for each in options for word in (*each.words, *each.off)]
    pieces += [[f"{word}=", ""] for each in options for word in each.words] + [["--nonsense"], ["-q"], ["--"], ["-nx"]]
    yield []
    for _ in range(LINES):
        words: list[str] = []
        for _ in range(chance.randrange(4)):
            option, *value = chance.choice(pieces) if chance.random() < 0.7 else ["", ""]
            said = chance.choice(VALUES)
            words += [f"{option}{said}"] if option.endswith("=") else [*filter(None, [option]), *(said for _ in value)]
        yield words[: chance.choice((len(words), len(words), len(words) - 1))]


def by_click(command: Command, words: list[str]) -> object:
    """What click makes of the words, or says against them."""
    cli = CliContext()
    try:
        with clicked(command).make_context(command.name, list(words), obj=cli) as ctx:
            return {**ctx.params, "json": cli.json}
    except click.ClickException as fault:
        return fault.format_message()
    except RollbookError as fault:
        return str(fault)


def by_us(command: Command, words: list[str]) -> object:
    """What the parser of lines makes of them, or says against them."""
    try:
        found = values_of(command, SHARED, words)
    except (UsageError, RollbookError) as fault:
        return str(fault)
    return {name: value for name, value in found.items() if name not in ("store", "named", "no_pager")}


@pytest.mark.parametrize("name", sorted(set(MODULES) - {"odds"}))
def test_words_mean_what_they_mean_at_the_command_line(name: str) -> None:
    command = declared_command(name)
    lines = list(lines_of(command))
    ours = [by_us(command, words) for words in lines]
    assert list(zip(lines, ours, strict=True)) == [(words, by_click(command, words)) for words in lines]
    assert any(isinstance(each, dict) for each in ours) or any(each.required for each in command.parameters)


def test_a_verb_and_its_words_follow_the_options_of_odds() -> None:
    odds = declared_command("odds")
    found = values_of(odds, SHARED, ["--at", "12", "attack", "robin", "--distance", "40", "--", "x"])
    assert (found["at"], found["said"]) == ("12", ("attack", "robin", "--distance", "40", "--", "x"))
    with pytest.raises(UsageError, match=r"^Missing argument 'VERB \.\.\.'\.$"):
        values_of(odds, SHARED, [])
