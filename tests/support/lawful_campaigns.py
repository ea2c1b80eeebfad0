"""Random campaigns of every game on which the laws of correcting are tried, and what must be the same on two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import pytest

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Change, Orphans, Proposal
from rollbook.domain.events import Event
from rollbook.domain.history.history import DRAW
from rollbook.testing.conformance.playthrough import Move
from rollbook.testing.conformance.random_play import RandomPlayer
from tests.oracle.correcting_check import OracleCheck
from tests.support.comparison import without_dice_sources, without_requests
from tests.support.games import CAMPAIGN_COUNT, INSTALLED_RULESETS, GameTable, random_campaign, random_change

OF_EACH = -(-CAMPAIGN_COUNT // 50)
"""Campaigns of each game for each law."""

TRIES = 4
"""Corrections that are tried out on each."""

GAMES = pytest.mark.parametrize("key", [pytest.param(key, marks=pytest.mark.slow) for key in INSTALLED_RULESETS])


def correct(oracle: OracleCheck, changes: Mapping[int, Change], orphans: Orphans = Orphans.UNDO) -> Proposal:
    """A correction, made as the oracle says. Raises Refused, NotFound."""
    made = oracle.previewed(changes, orphans=orphans)
    oracle.apply(made)
    return made


def campaigns(key: str, law: int) -> Iterator[tuple[RandomPlayer, GameTable, OracleCheck]]:
    """Campaigns in which this and that has been corrected already, and nothing was left to stand."""
    for seed in range(OF_EACH):
        player, table = random_campaign(key, 1_000 * law + seed)
        oracle = OracleCheck(table)
        for _ in range(seed % 3):
            action = player.chance.randint(2, table.history.actions)
            with suppress(Refused, NotFound):
                correct(oracle, {action: random_change(table, player, action)}, player.chance.choice(tuple(Orphans)))
            oracle.take_in_entries()
        yield player, table, oracle


def corrections_tried(key: str, law: int) -> Iterator[tuple[RandomPlayer, GameTable, OracleCheck, int]]:
    """The same campaigns, each several times, with an action that can be corrected."""
    for player, table, oracle in campaigns(key, law):
        for _ in range(TRIES):
            yield player, table, oracle, player.chance.choice(table.correctable())


def uncorrected(key: str, law: int) -> Iterator[tuple[RandomPlayer, GameTable, int]]:
    """Campaigns in which nothing has been corrected, each several times, with an action that can be."""
    for seed in range(OF_EACH):
        player, table = random_campaign(key, 1_000 * law + seed)
        for _ in range(TRIES):
            yield player, table, player.chance.choice(table.correctable())


def known(table: GameTable) -> tuple[object, dict[int, tuple[Event, ...] | None]]:
    """The state, and what every action comes to."""
    return without_requests(table.state), table.events()


def done(table: GameTable) -> list[tuple[int, Move]]:
    """Everything that was done after the start, each with its number."""
    found = []
    for number in range(2, table.history.actions + 1):
        intent, seat = table.history.intent_of(number), table.history.seat_of(number)
        found.append((number, Move(intent=intent, seat=seat, secret=table.history.is_secret(number))))
    return found


def played_again(table: GameTable) -> GameTable:
    """Another table that begins as this one began."""
    settings = table.history.intent_of(1).params["settings"]
    assert isinstance(settings, Mapping)
    return GameTable(table.rulebook.rulesets[_began_with(table)], settings)


def _began_with(table: GameTable) -> str:
    return table.history.as_corrected_to(1).ruleset


def finals(table: GameTable) -> list[list[Event]]:
    """The outcomes of the final actions, which are never played again."""
    final = (table.history.effective(action) for action in range(2, table.history.actions + 1))
    return [
        without_dice_sources(entry.events)
        for entry in final
        if entry is not None
        and entry.is_outcome
        and entry.intent.verb != DRAW
        and table.rulebook.is_final(table.history.state_before(entry.action), entry.intent)
    ]


def same_story(late: GameTable, right: GameTable) -> None:
    """The same state, and the same events in the same order; what was refused never happened."""
    assert without_requests(late.state) == without_requests(right.state)
    told_late = [without_dice_sources(events) for events in late.events().values() if events is not None]
    assert told_late == [without_dice_sources(events) for events in right.events().values() if events is not None]
