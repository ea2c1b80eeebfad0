"""The base of every law: campaigns of one ruleset, opened as its author says and played at random."""

import importlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import ClassVar, TypeVar

import attrs
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from rollbook.application.lines.verb_line import parse, read_parameters, split_words
from rollbook.domain.base.identifiers import GROUP
from rollbook.domain.rules.action import Action, build, intent_of
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.testing.conformance.playthrough import Move, MoveResult, Playthrough
from rollbook.testing.conformance.random_play import RandomPlayer, begun, filled_in, steps

_ENDS = re.compile(r"[.!?…][)'\"”]?(\s|$)|: ")
_NOISE = re.compile(
    r"object at 0x|<class |<function |Traceback|mappingproxy\(|frozenset\(|NoneType|\b[A-Z]\w*(Error|Exception)\b|"
    r"\b[A-Z]\w+\(\w+=|[(\[{]['\"]\w*['\"],|\bNone\b(?! of)"
)


def fault_in(text: str, names: Iterable[str] = ()) -> str:
    """The reason why a text is not a sentence of two words or more; "" if it is one.

    It may begin with one of the ``names`` in lower case.
    """
    if len(text.split()) < 2:
        return "it is too short to say anything"
    if not (text[0].isupper() or not text[0].isalpha() or text.startswith(tuple(name for name in names if name))):
        return "it begins with neither a capital letter nor a name"
    if not _ENDS.search(text):
        return "it never comes to the end of a sentence"
    noise = _NOISE.search(text)
    return f"{noise[0]!r} is for programmers" if noise else ""


MORE = "ROLLBOOK_PLAYTHROUGHS"
"""The environment variable for the number of playthroughs that every law is tried out on."""

LEFT_OUT = 9
"""Steps of a playthrough of which one is left out."""

Example = Action | str


class KeptSteps:
    """The steps of a playthrough that are played; in logs a short text instead of a list of numbers."""

    def __init__(self, drawn: list[int]) -> None:
        self.steps = [bool(step) for step in drawn]

    def __repr__(self) -> str:
        return f"{sum(self.steps)} of {len(self.steps)} steps"


_Suite = TypeVar("_Suite", bound="RandomPlaySuite")


def after_each_action(law: Callable[[_Suite, Playthrough, MoveResult], None]) -> Callable[[_Suite], None]:
    """A test of a law after every action, played or refused."""

    def test(suite: _Suite) -> None:
        def check(player: RandomPlayer, kept: Sequence[bool]) -> None:
            for outcome in player.play(kept):
                law(suite, player.playthrough, outcome)

        suite.try_out(law.__name__, check)

    return test


def after_each_playthrough(law: Callable[[_Suite, Playthrough, RandomPlayer], None]) -> Callable[[_Suite], None]:
    """A test of a law of whole histories."""

    def test(suite: _Suite) -> None:
        def check(player: RandomPlayer, kept: Sequence[bool]) -> None:
            list(player.play(kept))
            law(suite, player.playthrough, player)

        suite.try_out(law.__name__, check)

    return test


class RandomPlaySuite:
    """Base of a law: the ruleset, the beginning of its playthroughs, and their number."""

    ruleset: ClassVar[str | Ruleset] = ""
    """The name of its entry point; until it has one, ``module:NAME`` or the ruleset itself."""

    examples: ClassVar[tuple[Example, ...]] = ()
    """Moves that make sense at the beginning, as typed lines or actions: they bring characters, and random play varies them."""

    playthroughs: ClassVar[int] = 20
    actions: ClassVar[int] = 16
    shrink: ClassVar[bool] = True

    @property
    def game(self) -> Ruleset:
        return self.ruleset if isinstance(self.ruleset, Ruleset) else _loaded(self.ruleset)

    @property
    def opening(self) -> tuple[MoveResult, ...]:
        """The examples, played one after the other under the usual house rules."""
        return _opening(self.game, self.examples)

    def try_out(self, law: str, check: Callable[[RandomPlayer, Sequence[bool]], None]) -> None:
        """Playthroughs of this law's own: no two laws are tried out on the same ones."""
        opening = [outcome.move for outcome in self.opening]
        many = steps(opening, self.actions)
        kept = st.lists(st.integers(0, LEFT_OUT), min_size=many, max_size=many).map(KeptSteps)
        phases = (Phase.generate, Phase.shrink) if self.shrink else (Phase.generate,)

        @settings(
            max_examples=int(os.environ.get(MORE, self.playthroughs)),
            deadline=None,
            database=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        )
        @given(at_home=st.integers(0, LEFT_OUT), seed=st.integers(0, 2**32), kept=kept)
        def one_playthrough(at_home: int, seed: int, kept: KeptSteps) -> None:
            player = begun(self.game, f"{law} {seed}", opening, at_home=not at_home)
            try:
                check(player, kept.steps)
            except HypothesisException:
                raise
            except Exception as fault:
                what = str(fault) if isinstance(fault, AssertionError) else f"{type(fault).__name__}: {fault}"
                raise AssertionError(
                    f"{what}\n\nThe playthrough, up to there:\n{player.playthrough.story()}"
                ) from fault

        one_playthrough()


_Made = TypeVar("_Made")


def made(what: str, kind: type[_Made], make: Callable[[], object]) -> _Made:
    """An object that a ruleset makes, of this kind. Raises AssertionError for another kind, or if making it fails."""
    try:
        found = make()
    except Exception as error:
        raise AssertionError(f"{what} ends in {type(error).__name__}: {error}") from error
    assert isinstance(found, kind), f"{what} is a {type(found).__name__}."
    return found


def points(name: str) -> list[EntryPoint]:
    """The entry points of that name; an installation that is found twice counts once."""
    found = entry_points(group=GROUP, name=name)
    return list({point.value: point for point in found}.values())


@cache
def _loaded(name: str) -> Ruleset:
    if ":" in name:
        module, _, attribute = name.partition(":")
        found = getattr(importlib.import_module(module), attribute)
    else:
        known = points(name)
        if not known:
            pytest.fail(f"There is no entry point {name!r} in the group {GROUP}. Is the package installed?")
        found = known[0].load()
    assert isinstance(found, Ruleset), f"{name} is a {type(found).__name__}, not a Ruleset"
    return found


@cache
def _opening(game: Ruleset, examples: tuple[Example, ...]) -> tuple[MoveResult, ...]:
    playthrough = Playthrough(game)
    return tuple(playthrough.take(_move(playthrough, example)) for example in examples)


def _move(playthrough: Playthrough, example: Example) -> Move:
    if isinstance(example, Action):
        return Move(intent=intent_of(example), seed=len(example.verb))
    verb_name, *rest = split_words(example)
    verb = playthrough.rulebook.verb(playthrough.state, verb_name)
    spoken = parse(verb, rest)
    intent = intent_of(build(verb, filled_in(verb) | read_parameters(verb, spoken.given, playthrough.state)))
    move = Move(intent=intent, typed=spoken.dice, secret=spoken.secret, seed=len(example))
    return move if spoken.seat is None else attrs.evolve(move, seat=spoken.seat)
