"""Whatever happens on an evening of any game was foretold: with a chance, in the forecast made just before it."""

from __future__ import annotations

import importlib
from collections import Counter
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path

import pytest

from domain.contract import GROUP
from domain.errors import RollbookError
from domain.events import Event
from domain.forecast import Forecast, TooMany, forecast, walk
from domain.forecast.ending import amounts_of, checks_of, first_turn, rolls_of, turned_by
from domain.rulebook import Rulebook
from ruleset_plugins.conformance.at_random import AtRandom
from ruleset_plugins.conformance.deeds import Outcome
from ruleset_plugins.conformance.random_play import fixed_evening
from ruleset_plugins.testing import RulesetConformance
from tests.domain.every_way import agrees_with, every_way

GAMES = Path(__file__).parents[1] / "ruleset_plugins"
OURS = sorted({point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == "rollbook"})
EVENINGS, ACTIONS = 6, 24
MOST_WAYS = 400
"""With no more sequences of faces than these, all are played."""


def evenings(key: str) -> AtRandom:
    """Evenings of a game that begin as its own tests begin them."""
    file = GAMES / key / "opening.evening"
    if file.exists():
        lines = file.read_text(encoding="utf-8").splitlines()
        examples = tuple(line for line in lines if line.strip() and not line.startswith("#"))
    else:
        told = vars(importlib.import_module(f"tests.ruleset_plugins.{key}.test_conformance")).values()
        suites = [each for each in told if isinstance(each, type) and issubclass(each, RulesetConformance)]
        examples = next(suite.examples for suite in suites if suite.ruleset == key)
    return type("Evenings", (AtRandom,), {"ruleset": key, "examples": examples})()


def was_foretold(found: Forecast, facts: tuple[Event, ...]) -> None:
    """Everything in the facts has its chance."""
    assert checks_of(facts) in [story.checks for story in found.stories]
    for of, ((amount, _),) in ((of, spread.items()) for of, spread in amounts_of(facts).items()):
        assert found.amount(of.character, of.kind, of.name).get(amount, 0) > 0
    for turned in turned_by(facts):
        assert found.chance_of(turned.character, turned.condition, began=turned.began) > 0
    assert not first_turn(facts) or found.first[first_turn(facts)] > 0
    rolls = {each.roll: each.totals for each in found.rolls}
    for roll, ((total, _),) in ((roll, spread.items()) for roll, spread in rolls_of(facts).items()):
        assert rolls[roll].get(total, 0) > 0


def compare(rulebook: Rulebook, outcome: Outcome) -> str:
    """Whether it was foretold, in a word."""
    deed = outcome.deed
    try:
        found = forecast(rulebook, outcome.before, deed.intent, seat=deed.seat, secret=deed.secret)
    except TooMany:
        return "too many"
    except RollbookError as refusal:
        assert str(refusal) == outcome.refusal or deed.typed is not None
        return "refused"
    assert sum(each.chance for each in (*found.stories, *found.refusals)) == 1
    if outcome.played:
        was_foretold(found, outcome.facts)
        every = every_way(rulebook, outcome.before, deed.intent, seat=deed.seat, secret=deed.secret)
        ways = list(islice(every, MOST_WAYS + 1)) if found.paths > 1 and not found.not_followed else []
        if 0 < len(ways) <= MOST_WAYS:
            agrees_with(found, ways)
            return "counted out"
    elif deed.typed is None:
        assert outcome.refusal in [refusal.sentence for refusal in found.refusals]
    return "foretold"


@pytest.mark.parametrize("key", OURS)
def test_what_happens_was_foretold(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MOST_STEPS", 200_000)
    seen: Counter[str] = Counter()
    of_this_game = evenings(key)
    opening = [outcome.deed for outcome in of_this_game.opening]
    for number in range(EVENINGS):
        for evening, outcome in fixed_evening(of_this_game.game, opening, number, ACTIONS):
            seen[compare(evening.rulebook, outcome)] += 1
    assert seen["foretold"] > 5 * seen["too many"]
    assert seen["counted out"] >= EVENINGS / 2
