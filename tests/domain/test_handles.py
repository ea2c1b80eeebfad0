"""Handles: each game says which of its verbs act on a target, hit points, a turn, and by which of their parameters."""

from __future__ import annotations

from importlib import import_module

import attrs
import pytest

from rollbook.domain.rules.action import handle_of
from rollbook.domain.rules.handles import Handle, HandleKind
from rollbook.domain.rules.ruleset import fault_of
from rollbook.domain.rules.table import Table
from rollbook.plugin import Action, character
from tests.support.games import INSTALLED_RULESETS
from tests.support.toy import TOY

EVERYWHERE = (
    *(HandleKind.ATTACK, HandleKind.HARM, HandleKind.HEAL),
    *(HandleKind.END_TURN, HandleKind.BEGIN_FIGHT, HandleKind.BRING_IN),
)


@pytest.mark.parametrize("key", INSTALLED_RULESETS)
def test_every_game_has_one_verb_for_each_thing_that_every_fight_has(key: str) -> None:
    ruleset = import_module(f"rollbook.rulesets.{key}").RULESET
    for kind in HandleKind:
        verbs = [verb.verb for verb in ruleset.actions if handle_of(verb, kind) is not None]
        assert len(verbs) <= 1, kind
        assert verbs or kind not in EVERYWHERE, kind


def test_a_handle_that_names_no_parameter_is_a_fault_of_the_game() -> None:
    class Poke(Action, verb="poke"):
        """Poke somebody."""

        handles = (Handle(kind=HandleKind.ATTACK, who="whom", what="stick"),)
        whom: str = character("who is poked")

        def resolve(self, table: Table) -> None:
            table.refuse("No.")

    assert fault_of(TOY.key, attrs.evolve(TOY, actions=(Poke,))) == (
        "a handle of the verb 'poke' names 'stick', which is no parameter of it"
    )
    assert handle_of(Poke, HandleKind.HEAL) is None
