"""Lines that are typed at the prompt of a campaign: verbs by their own declared parameters, corrections and questions.

Whatever is refused changes nothing in the store, and what is taken leaves a history whose chain holds and whose rules come
out the same again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random

import click

from rollbook.adapters.cli.app import command_named
from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.line_commands import CORRECTION_COMMANDS, OTHER_COMMANDS, PROMPT_COMMANDS
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.lines.verb_line import COMMON, split_words
from rollbook.application.verbs import verbs_of
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.history.history import DRAW
from rollbook.domain.rules.action import Action, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed
from rollbook.testing.conformance.random_values import RandomValues
from tests.attacks.attempts import Attempts
from tests.attacks.hostile import NUMBERS, mutated, text
from tests.attacks.tables import PARTS, fresh, homes, lines_of
from tests.support.example_sessions import EXAMPLE_OF

LONGEST_GAME = 120
"""After so many lines that were taken the campaign begins again."""

LONGEST_VISIT = 600
"""After so many lines another game is played."""

WRITERS = ("backup", "export")
"""Commands that are not for this attack: they write files wherever a line says."""


def attack(rounds: int, seed: int, attempts: Attempts) -> None:
    """Type so many lines, in all games in turn."""
    chance = Random(f"lines {seed}")
    with homes() as folder:
        while attempts.rounds < rounds:
            for game in EXAMPLE_OF:
                visit(folder, game, chance, attempts, min(rounds, attempts.rounds + LONGEST_VISIT))


def visit(folder: Path, game: str, chance: Random, attempts: Attempts, until: int) -> None:
    """Type lines in one game, until so many rounds are done."""
    while attempts.rounds < until:
        with open_book(fresh(folder, game, chance.choice(PARTS)), paths.seeds_folder()) as book:
            play(book, game, chance, attempts, until)


def play(book: Book, game: str, chance: Random, attempts: Attempts, until: int) -> None:
    """Type lines in one campaign; then see that its history is whole."""
    campaign = book.campaign(book.campaigns()[0])
    lines = Lines(campaign, chance, lines_of(game)[1:])
    taken = 0
    while attempts.rounds < until and taken < LONGEST_GAME:
        line, seat = lines.line(), chance.choice((None, None, None, *campaign.state.seats))
        before = book.store.last_position()
        done = attempts.attempt(line, partial(said, campaign, line, seat, lines.short))
        changed = book.store.last_position() != before
        taken += changed
        if changed and not done and not _only_drew(campaign):
            attempts.note("a refused line was stored", line)
    check(campaign, attempts)


def said(campaign: Campaign, line: str, seat: str | None, short: ShortForms) -> None:
    """What the prompt does with a line."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        if len(line) % 3 == 0:
            short.expand(campaign, split_words(line))
        campaign.say(line, seat=seat)


def _only_drew(campaign: Campaign) -> bool:
    """Whether the last entry is a die that a correction drew: it has been seen, so it stays."""
    campaign.refresh()
    last = campaign.history.entries[-1]
    return last.intent.verb == DRAW


def check(campaign: Campaign, attempts: Attempts) -> None:
    """See that what was stored holds."""

    def audited() -> None:
        chain, _, rules = campaign.audit()
        assert chain.verdict is Verdict.VERIFIED, chain.findings
        assert rules.verdict is not Verdict.FAILED, rules.findings
        campaign.session.project()

    attempts.attempt(f"the audit of {campaign.id}", audited)
    attempts.rounds -= 1


class Lines:
    """The lines that somebody types into a campaign."""

    def __init__(self, campaign: Campaign, chance: Random, example: list[str]) -> None:
        self.campaign = campaign
        self.chance = chance
        self.example = example
        self.short = ShortForms()

    def line(self) -> str:
        """A line that may be right, nearly right, or nonsense."""
        how = self.chance.random()
        if how < 0.55:
            found = " ".join(self.verb_line())
        elif how < 0.8:
            found = " ".join(self.command_line())
        elif how < 0.95:
            found = self.chance.choice(self.example)
        else:
            found = text(self.chance)
        return found if self.chance.random() < 0.65 else mutated(self.chance, found)

    def verb_line(self) -> Iterator[str]:
        """A verb with its parameters, most of them by the grammar."""
        verb = self.chance.choice(list(verbs_of(self.campaign).values()))
        yield verb.verb
        for parameter in user_parameters(verb):
            if parameter.required and self.chance.random() < 0.97:
                yield self.value(parameter)
            elif not parameter.required and self.chance.random() < 0.15:
                yield f"--{parameter.option} {self.value(parameter)}"
        yield from self.common(verb)

    def common(self, verb: type[Action]) -> Iterator[str]:
        """What goes with every verb."""
        if self.chance.random() < 0.1:
            option = self.chance.choice(list(COMMON))
            yield f"--{option}" if option == "secret" else f"--{option} {quoted(text(self.chance))}"
        if self.chance.random() < 0.15:
            yield f"--seat {quoted(self.chance.choice(list(self.campaign.state.seats)))}"
        if self.chance.random() < 0.25:
            faces = (
                str(self.chance.randint(1, self.chance.choice((4, 6, 20)))) for _ in range(self.chance.randint(0, 5))
            )
            yield f"! {' '.join(faces)}"
        if self.chance.random() < 0.03:
            yield f"! {self.chance.choice(NUMBERS)}"

    def value(self, parameter: Parameter) -> str:
        """A value of a parameter's type, or a hostile one."""
        if self.chance.random() < 0.12:
            return quoted(text(self.chance))
        if parameter.want is ParameterType.NUMBER and self.chance.random() < 0.15:
            return self.chance.choice(NUMBERS)
        if parameter.want in (ParameterType.AMOUNTS, ParameterType.SETTINGS) and self.chance.random() < 0.2:
            return quoted(f"{text(self.chance)}={self.chance.choice(NUMBERS)}")
        return quoted(typed(RandomValues(self.chance, self.campaign.state).of(parameter)))

    def command_line(self) -> Iterator[str]:
        """A correction or a question, about numbers that may be there."""
        name = self.chance.choice([name for name in PROMPT_COMMANDS if name not in WRITERS])
        yield name
        for _ in range(self.chance.choice((0, 1, 1, 1, 2, 3))):
            yield self.chance.choice((self.number, self.number, self.name, self.filter, self.change))()
        known = [
            option for option in command_named(name).params if isinstance(option, click.Option) and option.expose_value
        ]
        for option in self.chance.sample(known, min(len(known), self.chance.choice((0, 0, 1, 2)))):
            yield option.opts[-1] if option.is_flag else f"{option.opts[-1]} {self.anything()}"
        if name in (*CORRECTION_COMMANDS, *OTHER_COMMANDS) and self.chance.random() < 0.8:
            yield "--why so"

    def number(self) -> str:
        if self.chance.random() < 0.2:
            return self.chance.choice(NUMBERS)
        many = self.campaign.head.entry
        one, other = self.chance.randint(1, many), self.chance.randint(1, many)
        return self.chance.choice((str(one), f"#{one}", f"@{one}", f"{one}-{other}", "last", f"s{one}", str(many)))

    def name(self) -> str:
        known = (*self.campaign.state.characters, *self.campaign.state.seats, *verbs_of(self.campaign))
        return quoted(text(self.chance) if self.chance.random() < 0.3 else self.chance.choice(known))

    def filter(self) -> str:
        field = self.chance.choice(
            ("who", "verb", "scene", "session", "kind", "target", "status", "time", "after", "seat")
        )
        return quoted(
            f"{field}{self.chance.choice(('=', '!=', '~', '!~'))}{self.chance.choice((self.number, self.name))()}"
        )

    def anything(self) -> str:
        return self.chance.choice((self.number, self.name, self.filter, self.change))()

    def change(self) -> str:
        verb = self.chance.choice(list(verbs_of(self.campaign).values()))
        known = user_parameters(verb)
        if not known:
            return self.name()
        parameter = self.chance.choice(known)
        return f"{parameter.name}={self.value(parameter)}"


def quoted(words: str) -> str:
    """Words as one word of a line."""
    return (
        words
        if words and not set(words) & set(" \t\n\"'\\")
        else '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )
