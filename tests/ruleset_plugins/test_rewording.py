"""Sentences are only shown: a campaign in which every one of them reads differently comes out the same.

The same moves are played at two tables. At one of them every ``detail``, ``reason`` and label of an option is replaced by
other words after each action, so that whatever the rules read back from them would change what follows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.events import Event, Option
from rollbook.domain.history.history import History
from rollbook.domain.rules.playing import Played
from rollbook.testing.conformance.playthrough import Move
from rollbook.testing.conformance.random_play import RandomPlayer
from tests.support.games import CAMPAIGN_COUNT, INSTALLED_RULESETS, GameTable, HashedDice, random_actions, try_action
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, imported_book

SENTENCES = ("detail", "reason", "label")
OTHER_WORDS = "quite another way to put it, for 99 rounds; +9, because lit|dim: 3"
"""Full of what a careless reading would take for numbers, names and separators."""

SEEDS = tuple(range(max(2, CAMPAIGN_COUNT // 50)))


def reworded(event: Event, words: str = OTHER_WORDS) -> Event:
    """The event with other words in every sentence; what is data stays."""
    names = {field.name for field in attrs.fields(type(event))}
    changes: dict[str, Any] = {name: words for name in SENTENCES if name in names and getattr(event, name)}
    if "options" in names:
        changes["options"] = tuple(_option(option, words) for option in event.options)  # type: ignore[attr-defined]
    return attrs.evolve(event, **changes)


def _option(option: Option, words: str) -> Option:
    return attrs.evolve(option, label=words if option.label else "")


class RewordedTable(GameTable):
    """A table that remembers every event in other words."""

    def _add(self, action: int, intent: Any, played: Played, *more: Any) -> Any:
        return super()._add(action, intent, attrs.evolve(played, events=tuple(map(reworded, played.events))), *more)


def table_of(kind: type[GameTable], player: RandomPlayer) -> GameTable:
    """A table for the same game under the same house rules."""
    recorded = player.playthrough
    return kind(recorded.ruleset, recorded.history.intent_of(1).params["settings"])


def outcomes(table: GameTable) -> list[list[Event]]:
    """What every action left behind, without its words."""
    return [[reworded(event, "") for event in entry.events] for entry in table.history.entries]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_a_campaign_in_other_words_comes_out_the_same(key: str, seed: int) -> None:
    player, moves = random_actions(key, seed)
    plain, other = table_of(GameTable, player), table_of(RewordedTable, player)
    for number, move in enumerate(moves, 2):
        assert try_action(plain, move, number) == try_action(other, move, number), move
        assert outcomes(plain)[-1] == outcomes(other)[-1], move
    assert outcomes(plain) == outcomes(other)


class RecordedTable(GameTable):
    """A table at which a recorded campaign is played by today's rules, with the dice that fell then."""

    def play(self, recorded: History, action: int) -> list[Event] | None:
        """What an action leaves behind, without its words; None if the rules of today refuse it."""
        entry = recorded.effective(action)
        if entry is None:
            return None
        dice = RecordedDice((entry.events,), HashedDice(self, action))
        intent, seat = entry.full_intent, entry.seat
        try:
            played = self.rulebook.play(self.state, intent, dice, seat=seat, secret=recorded.is_secret(action))
        except RollbookError:
            return None
        self._add(self.history.actions + 1, intent, played, Move(intent=intent, seat=seat))
        return [reworded(event, "") for event in played.events]


class RewordedRecordedTable(RewordedTable, RecordedTable):
    """The same, where every event is remembered in other words."""


@pytest.mark.parametrize("path", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_a_golden_campaign_in_other_words_comes_out_the_same(path: Path, tmp_path: Path) -> None:
    book = imported_book(path, tmp_path)
    campaign = book.campaign(book.campaigns()[0])
    recorded, ruleset = campaign.history, campaign.session.rulebook.ruleset_of(campaign.state)
    house = recorded.intent_of(1).params["settings"]
    plain, other = RecordedTable(ruleset, house), RewordedRecordedTable(ruleset, house)
    expected = [plain.play(recorded, action) for action in range(2, recorded.actions + 1)]
    for action, events in enumerate(expected, 2):
        assert other.play(recorded, action) == events, action
    assert sum(events is not None for events in expected) > 20


def test_sentences_of_every_kind_are_reworded() -> None:
    seen = set()
    for key in INSTALLED_RULESETS:
        player, moves = random_actions(key, 0)
        table = table_of(RewordedTable, player)
        for number, move in enumerate(moves, 2):
            try_action(table, move, number)
        events = [event for entry in table.history.entries for event in entry.events]
        seen |= {name for event in events for name in SENTENCES if getattr(event, name, "") == OTHER_WORDS}
    assert {"detail", "reason"} <= seen
