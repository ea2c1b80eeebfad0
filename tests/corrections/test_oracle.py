"""Whatever was played and however it was corrected, the engine gives what playing everything again from nothing gives.

Random campaigns of the toy and of every game, with random corrections. Each answer is compared with ``tests.oracle.correcting``:
what is appended, what became of every later action, the state down to the order of things, the sheets before and after, and
what was known at every moment of the past. ``ROLLBOOK_CAMPAIGNS`` says how many campaigns of the games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

import pytest

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Change, Orphans, Proposal
from rollbook.testing.conformance.random_play import RandomPlayer
from tests.oracle.correcting_check import OracleCheck
from tests.support.games import (
    CAMPAIGN_COUNT,
    INSTALLED_RULESETS,
    GameTable,
    orphans_of,
    other_orphan_choice,
    random_campaign,
    random_change,
)
from tests.support.random_steps import ActionStep, RandomSteps, SecondThoughtStep
from tests.support.toy_table import ToyTable

TOY_CAMPAIGNS = 240
TOY_BATCH = 12


def toy_step(oracle: OracleCheck, table: ToyTable, chance: RandomSteps) -> None:
    """Somebody acts, thinks again or corrects; what is refused leaves no trace."""
    what = chance.step(table.history, corrections=0.35)
    with suppress(Refused, NotFound):
        if isinstance(what, ActionStep):
            table.take(what)
        elif isinstance(what, SecondThoughtStep):
            table.second_thought(what.thought.kind)
        elif what.changes:
            oracle.apply(oracle.previewed(what.changes, stand=what.stand, orphans=what.orphans))
    oracle.take_in_entries()


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(TOY_BATCH, TOY_CAMPAIGNS, TOY_BATCH))]
)
def test_corrections_of_the_toy_give_what_playing_everything_again_gives(first: int) -> None:
    corrected = 0
    for seed in range(first, first + TOY_BATCH):
        table, chance = ToyTable(), RandomSteps(seed)
        oracle = OracleCheck(table)
        for _ in range(30):
            toy_step(oracle, table, chance)
        oracle.check_past_states()
        corrected += oracle.corrected
    assert corrected > TOY_BATCH


GAME_BATCH = 10
OF_EACH = -(-CAMPAIGN_COUNT // len(INSTALLED_RULESETS))


def correct(oracle: OracleCheck, table: GameTable, player: RandomPlayer, seen: Counter[str]) -> None:
    """One random correction, orphans and all."""
    chance = player.chance
    actions = range(2, table.history.actions + 1)
    wanted = sorted(chance.sample(actions, min(len(actions), chance.choice((1, 1, 1, 2, 3)))))
    changes = {action: random_change(table, player, action) for action in wanted}
    stand, orphans = chance.random() < 0.12, chance.choice(tuple(Orphans))
    with suppress(Refused, NotFound):
        made = oracle.previewed(changes, stand=stand, orphans=orphans)
        if not stand and chance.random() < 0.7:
            made = decided(oracle, player, changes, orphans, made, seen)
        oracle.apply(made)
        seen["orphans"] += len(orphans_of(made))
        seen["same"] += len(made.same)
        seen["changed"] += len(made.consequences)
    oracle.take_in_entries()


def decided(
    oracle: OracleCheck,
    player: RandomPlayer,
    changes: Mapping[int, Change],
    orphans: Orphans,
    made: Proposal,
    seen: Counter[str],
) -> Proposal:
    """Some orphans are decided the other way, one after the other, as a GM decides them."""
    effects: dict[int, Orphans] = {}
    for _ in range(3):
        open_ones = [action for action in orphans_of(made) if action > max(effects, default=0)]
        if not open_ones:
            break
        effects[player.chance.choice(open_ones)] = other_orphan_choice(orphans)
        made = oracle.previewed(changes, orphans=orphans, effects=effects)
        assert {one.action for one in made.consequences if one.is_kept} == {
            action for action in orphans_of(made) if effects.get(action, orphans) is Orphans.KEEP
        }
        seen["mixed"] += 1
    return made


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, OF_EACH, GAME_BATCH))
@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_corrections_of_a_game_give_what_playing_everything_again_gives(key: str, first: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(first, min(first + GAME_BATCH, OF_EACH)):
        player, table = random_campaign(key, seed)
        oracle = OracleCheck(table)
        for _ in range(5):
            correct(oracle, table, player, seen)
        if seed % 3 == 0:
            oracle.check_past_states()
        seen["corrected"] += oracle.corrected
    if OF_EACH - first >= GAME_BATCH:
        assert seen["corrected"] > 2 * GAME_BATCH
        assert min(seen["orphans"], seen["same"], seen["changed"]) > 0
