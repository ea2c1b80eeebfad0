"""What was foreseen of an action, and what rules said of it, is given again only while it would come out the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from rollbook.application.playing.foresight import Foresight
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.rules.action import Action, build
from rollbook.testing.conformance.playthrough import Move
from tests.support.games import INSTALLED_RULESETS, GameTable, random_actions, try_action

CAMPAIGNS = 3
ASKED = 6
"""Actions that are asked about again after every other one: those that were tried last."""
FEW_STEPS = 20_000


def answer(ask: Callable[[], object]) -> object:
    """The answer, or the sentence of the refusal in its place."""
    try:
        return ask()
    except RollbookError as refusal:
        return type(refusal), str(refusal)


def built(table: GameTable, deed: Move) -> Action:
    return build(table.rulebook.verb(table.state, deed.intent.verb), deed.intent.params)


def foreseen(foresight: Foresight, table: GameTable, action: Action, seat: str) -> tuple[object, ...]:
    how = {"seat": seat, "secret": False}
    return (
        answer(partial(foresight.dice, table.state, action, (), **how)),
        answer(partial(foresight.forecast, table.state, action, most_steps=FEW_STEPS, **how)),
    )


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_what_is_foreseen_again_is_what_would_be_foreseen_now(game: str) -> None:
    kept = 0
    for seed in range(CAMPAIGNS):
        player, deeds = random_actions(game, seed)
        playthrough = player.playthrough
        table = GameTable(playthrough.ruleset, playthrough.history.intent_of(1).params["settings"])
        foresight, tried = Foresight(table.rulebook), list[tuple[Action, str]]()
        for deed in deeds:
            before = table.state
            try_action(table, deed)
            action = answer(partial(built, table, deed))
            if isinstance(action, Action):
                tried = [*tried[1 - ASKED :], (action, deed.seat)]
            for again, seat in tried:
                kept += table.state is not before
                assert foreseen(foresight, table, again, seat) == foreseen(
                    Foresight(table.rulebook), table, again, seat
                )
    assert kept
