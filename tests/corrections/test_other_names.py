"""An amended name changes the name and nothing else: who came in keeps the id, and everything later comes out the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from domain.action import parameters
from domain.corrections.changes import Amend, Effect
from domain.events import CharacterJoined
from domain.parameters import Parameter
from tests.corrections.test_golden_campaigns import golden_table
from tests.support.games import GameTable
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS

READ_BY_RULES = {
    "adopt": ("ruleset",),
    "start-campaign": ("name", "ruleset"),
}
OTHER = "Another name"


def names_of(table: GameTable, action: int) -> Iterator[Parameter]:
    """The parameters of an action that say what something is called."""
    intent = table.history.intent_of(action)
    verb = table.rulebook.verbs(table.history.state_before(action)).get(intent.verb)
    return (each for each in parameters(verb) if each.is_name and intent.params.get(each.name)) if verb else iter(())

@pytest.mark.parametrize("path", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_probe(path: Path, tmp_path: Path) -> None:
    table = golden_table(path, tmp_path)
    for action in range(1, table.history.actions + 1):
        for p in names_of(table, action):
            verb = table.history.intent_of(action).verb
            try:
                made = table.preview({action: Amend({p.name: OTHER})})
            except Exception as e:
                print(path.stem, action, verb, p.name, type(e).__name__, str(e)[:150])
                continue
            kinds=[(c.action, c.effect.value, table.history.intent_of(c.action).verb) for c in made.consequences[1:]]
            print(path.stem, action, verb, p.name, kinds, [d.name for d in made.consequences[0].differences])
