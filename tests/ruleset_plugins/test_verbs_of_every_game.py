"""A game that has its own form of a verb of every game takes what every game takes, so that nobody misses it there."""

from __future__ import annotations

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.actions import SHARED_VERBS
from rollbook.domain.rules.action import Action, parameters

OWN = [
    pytest.param(verb, id=f"{key} {verb.verb}")
    for key, ruleset in discover().rulesets.items()
    for verb in ruleset.actions
    if verb.verb in SHARED_VERBS
]


def test_some_games_have_their_own() -> None:
    assert {"storytoken join", "srd5 drop"} <= {each.id for each in OWN}


@pytest.mark.parametrize("verb", OWN)
def test_it_takes_all_that_the_verb_of_every_game_takes(verb: type[Action]) -> None:
    own, shared = parameters(verb), parameters(SHARED_VERBS[verb.verb])
    assert {each.name: each.want for each in shared}.items() <= {each.name: each.want for each in own}.items()
