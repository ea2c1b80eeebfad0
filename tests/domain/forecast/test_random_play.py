"""Whatever happens in random play of any game was in the forecast made just before it, with a chance."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import Event
from rollbook.domain.forecast import search
from rollbook.domain.forecast.chances import Forecast
from rollbook.domain.forecast.outcome import amounts_of, checks_of, first_turn, rolls_of, turned_by
from rollbook.domain.forecast.roll_outcomes import TooMany
from rollbook.domain.forecast.search import forecast
from rollbook.domain.rulebook import Rulebook
from rollbook.testing.conformance.playthrough import MoveResult
from rollbook.testing.conformance.random_play import fixed_playthrough
from tests.support.enumeration import check_forecast, every_result
from tests.support.games import INSTALLED_RULESETS, random_play_of

pytestmark = pytest.mark.slow

CAMPAIGN_COUNT, ACTIONS = 6, 24
MOST_WAYS = 400
"""With no more sequences of faces than these, all are played."""


def check_in_forecast(found: Forecast, events: tuple[Event, ...]) -> None:
    """Everything in the events has its chance."""
    assert checks_of(events) in [story.checks for story in found.stories]
    for of, ((amount, _),) in ((of, spread.items()) for of, spread in amounts_of(events).items()):
        assert found.amount(of.character, of.kind, of.name).get(amount, 0) > 0
    for turned in turned_by(events):
        assert found.chance_of(turned.character, turned.condition, began=turned.began) > 0
    assert not first_turn(events) or found.first[first_turn(events)] > 0
    rolls = {each.roll: each.totals for each in found.rolls}
    for roll, ((total, _),) in ((roll, spread.items()) for roll, spread in rolls_of(events).items()):
        assert rolls[roll].get(total, 0) > 0


def compare_with_forecast(rulebook: Rulebook, outcome: MoveResult) -> str:
    """Whether it was forecast, in a word."""
    deed = outcome.move
    try:
        found = forecast(rulebook, outcome.before, deed.intent, seat=deed.seat, secret=deed.secret)
    except TooMany:
        return "too many"
    except RollbookError as refusal:
        assert str(refusal) == outcome.refusal or deed.typed is not None
        return "refused"
    assert sum(each.chance for each in (*found.stories, *found.refusals)) == 1
    if outcome.played:
        check_in_forecast(found, outcome.events)
        every = every_result(rulebook, outcome.before, deed.intent, seat=deed.seat, secret=deed.secret)
        ways = list(islice(every, MOST_WAYS + 1)) if found.paths > 1 and not found.not_followed else []
        if 0 < len(ways) <= MOST_WAYS:
            check_forecast(found, ways)
            return "counted out"
    elif deed.typed is None:
        assert outcome.refusal in [refusal.sentence for refusal in found.refusals]
    return "forecast"


@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_what_happens_was_forecast(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_STEPS", 200_000)
    seen: Counter[str] = Counter()
    of_this_game = random_play_of(key)
    opening = [outcome.move for outcome in of_this_game.opening]
    for number in range(CAMPAIGN_COUNT):
        for playthrough, outcome in fixed_playthrough(of_this_game.game, opening, number, ACTIONS):
            seen[compare_with_forecast(playthrough.rulebook, outcome)] += 1
    assert seen["forecast"] > 5 * seen["too many"]
    assert seen["counted out"] >= CAMPAIGN_COUNT / 2
