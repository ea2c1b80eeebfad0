"""Every command with words that nobody should type: paths, names, numbers and options that make no sense."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import click

from rollbook.adapters.cli.app import COMMANDS, command_named
from tests.attacks.attempts import Attempts
from tests.attacks.filter_words import ask
from tests.attacks.hostile import NUMBERS, TEXTS, mutated
from tests.attacks.tables import fresh, homes
from tests.support.example_sessions import EXAMPLE_OF

WAITING = ("watch", "serve", "demo", "join")
"""Commands that go on until somebody ends them, or ask."""

KNOWN = (
    "robin",
    "Mira",
    "jo",
    "last",
    "3",
    "@4",
    "s1",
    "sherwood",
    "storytoken",
    "grid",
    "odd.jsonl",
    "yes",
    "who=robin",
    "hp",
    "note",
)
EACH = 150
"""After so many commands the campaign begins again."""


def attack(rounds: int, seed: int, attempts: Attempts) -> None:
    """Give so many commands, in all games in turn."""
    chance = Random(f"words {seed}")
    before = Path.cwd()
    with homes() as folder:
        try:
            while attempts.rounds < rounds:
                for game in EXAMPLE_OF:
                    visit(folder, game, chance, attempts, min(rounds, attempts.rounds + EACH))
        finally:
            os.chdir(before)


def visit(folder: Path, game: str, chance: Random, attempts: Attempts, until: int) -> None:
    """Give commands in one game, until so many rounds are done; files that they write lie in its home."""
    os.chdir(folder)
    os.chdir(fresh(folder, game).parent.parent)
    while attempts.rounds < until:
        words = list(command(chance))
        attempts.attempt(" ".join(words), partial(ask, words))


def command(chance: Random) -> Iterator[str]:
    """A command, some of its options, and words."""
    name = chance.choice([name for name in COMMANDS if name not in WAITING])
    options = [option for option in command_named(name).params if isinstance(option, click.Option)]
    if chance.random() < 0.06:
        yield from (chance.choice(("--store", "-c")), word(chance))
    yield name
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        yield word(chance)
    for option in chance.sample(options, min(len(options), chance.choice((0, 0, 1, 2)))):
        yield option.opts[-1]
        if not option.is_flag:
            yield word(chance)


def word(chance: Random) -> str:
    """A word that may be known, or is hostile. Nothing outside of the home is named."""
    how = chance.random()
    found = chance.choice(KNOWN) if how < 0.5 else chance.choice((*TEXTS, *NUMBERS))
    found = mutated(chance, found) if how > 0.85 else found
    return found.replace("/dev/zero", "odd").replace("..", "_").lstrip("/~")
