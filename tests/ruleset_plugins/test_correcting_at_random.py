"""In every game: whatever was played and corrected at random, the engine gives what playing everything again gives.

``ROLLBOOK_CAMPAIGNS`` says on how many campaigns; each is corrected several times, and every answer is held against the
slow oracle of ``tests/domain``: what is appended, what became of every later action, the state down to the order of
things, the sheets before and after, and what was known at every moment of the past.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

import pytest

from domain.corrections import Change, Orphans, Preview
from domain.errors import NotFound, Refused
from ruleset_plugins.testing.conformance.random_play import RandomPlayer
from tests.support.games import (
    CAMPAIGN_COUNT,
    INSTALLED_RULESETS,
    GameTable,
    orphans_of,
    other_orphan_choice,
    random_campaign,
    random_change,
)
from tests.support.oracle_check import OracleCheck

pytestmark = pytest.mark.slow

A_FILE = 10
OF_EACH = -(-CAMPAIGN_COUNT // len(INSTALLED_RULESETS))


def correct(witness: OracleCheck, table: GameTable, player: RandomPlayer, seen: Counter[str]) -> None:
    """One random correction, orphans and all."""
    chance = player.chance
    actions = range(2, table.history.actions + 1)
    wanted = sorted(chance.sample(actions, min(len(actions), chance.choice((1, 1, 1, 2, 3)))))
    changes = {action: random_change(table, player, action) for action in wanted}
    stand, orphans = chance.random() < 0.12, chance.choice(tuple(Orphans))
    with suppress(Refused, NotFound):
        made = witness.previewed(changes, stand=stand, orphans=orphans)
        if not stand and chance.random() < 0.7:
            made = decided(witness, player, changes, orphans, made, seen)
        witness.apply(made)
        seen["orphans"] += len(orphans_of(made))
        seen["same"] += len(made.same)
        seen["changed"] += len(made.consequences)
    witness.take_in_entries()


def decided(
    witness: OracleCheck,
    player: RandomPlayer,
    changes: Mapping[int, Change],
    orphans: Orphans,
    made: Preview,
    seen: Counter[str],
) -> Preview:
    """Some orphans are decided the other way, one after the other, as a GM decides them."""
    effects: dict[int, Orphans] = {}
    for _ in range(3):
        open_ones = [action for action in orphans_of(made) if action > max(effects, default=0)]
        if not open_ones:
            break
        effects[player.chance.choice(open_ones)] = other_orphan_choice(orphans)
        made = witness.previewed(changes, orphans=orphans, effects=effects)
        assert {one.action for one in made.consequences if one.is_kept} == {
            action for action in orphans_of(made) if effects.get(action, orphans) is Orphans.KEEP
        }
        seen["mixed"] += 1
    return made


@pytest.mark.parametrize("first", range(0, OF_EACH, A_FILE))
@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_corrections_of_a_game_give_what_playing_everything_again_gives(key: str, first: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(first, min(first + A_FILE, OF_EACH)):
        player, table = random_campaign(key, seed)
        witness = OracleCheck(table)
        for _ in range(5):
            correct(witness, table, player, seen)
        if seed % 3 == 0:
            witness.check_past_states()
        seen["corrected"] += witness.corrected
    if OF_EACH - first >= A_FILE:
        assert seen["corrected"] > 2 * A_FILE
        assert min(seen["orphans"], seen["same"], seen["changed"]) > 0
