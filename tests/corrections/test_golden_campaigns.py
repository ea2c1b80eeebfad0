"""Every action of the recorded campaign of every game can be undone and amended: with a preview, or a sentence why not.

Each preview is the oracle's answer: what would be appended, and what becomes of every later action (of amendments, every third).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend, Change, Effect, Proposal, Undo
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.events import Scalar
from rollbook.domain.rules.action import parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.state.campaign_state import CampaignState
from tests.oracle.correcting_check import OracleCheck
from tests.support.games import INSTALLED_RULESETS, GameTable
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, OLDER_RULES, golden_table

AMENDMENTS = 2
"""So many parameters of an action are changed, each by itself."""


def other(parameter: Parameter, value: Scalar, state: CampaignState) -> Scalar | None:
    """Another value that the parameter might have had; None if there is none to think of."""
    if parameter.want is ParameterType.FLAG:
        return not value
    if parameter.want is ParameterType.NUMBER and isinstance(value, int):
        return value - 1 if parameter.maximum is not None and value >= parameter.maximum else value + 1
    choices: tuple[str, ...] = ()
    if parameter.want is ParameterType.CHOICE:
        choices = parameter.choices
    elif parameter.want is ParameterType.CHARACTER:
        choices = tuple(state.characters)
    if value in choices and len(choices) > 1:
        return choices[(choices.index(str(value)) + 1) % len(choices)]
    return None


def amendments(table: GameTable, action: int) -> Iterator[Change]:
    """An action with other numbers, choices or targets, one at a time."""
    intent, before = table.history.intent_of(action), table.history.state_before(action)
    verb = table.rulebook.verb(before, intent.verb)
    found = 0
    for parameter in parameters(verb):
        value = intent.params.get(parameter.name)
        if value is None or parameter.hidden or found == AMENDMENTS:
            continue
        changed = other(parameter, value, before)
        if changed is not None:
            found += 1
            yield Amend({parameter.name: changed})


def changes(table: GameTable, action: int) -> Iterator[Change]:
    """What is asked of every action."""
    yield Undo()
    yield from amendments(table, action)
    after = table.history.as_corrected_to(action)
    for who in list(after.characters)[:1]:
        yield Amend(adjustments=(Adjustment(who=who, what="hp", by=-2),))


def previewed(oracle: OracleCheck, action: int, change: Change) -> Proposal:
    """The preview; every undo, and every third amendment, is compared with the oracle."""
    if isinstance(change, Undo) or action % 3 == 0:
        return oracle.previewed({action: change})
    while True:
        try:
            return oracle.table.preview({action: change})
        except DiceNeeded as needed:
            oracle.table.draw(needed)
            oracle.take_in_entries()


@pytest.mark.slow
@pytest.mark.parametrize("path", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_every_action_of_a_campaign_can_be_corrected_or_says_why_not(path: Path, tmp_path: Path) -> None:
    table = golden_table(path, tmp_path)
    oracle = OracleCheck(table)
    seen: Counter[str] = Counter()
    for action in range(1, table.history.actions + 1):
        for change in list(changes(table, action)):
            kind = type(change).__name__
            try:
                made = previewed(oracle, action, change)
            except (Refused, NotFound) as refusal:
                assert str(refusal).endswith((".", "?", "'")) or len(str(refusal)) > 20
                assert kind == "Amend" or "cannot be undone" in str(refusal) or "already undone" in str(refusal)
                seen["refused"] += 1
                continue
            assert made.of(Effect.UNDONE if kind == "Undo" else Effect.AMENDED)
            assert not made.of(Effect.DRIFTED) or path.stem in OLDER_RULES
            seen[kind] += 1
    counting = [entry for _, entry in table.history.outcomes() if entry is not None]
    assert seen["Undo"] > len([e for e in counting if e.is_outcome]) / 3
    assert seen["Amend"] > seen["Undo"]


def test_the_campaigns_are_of_every_game() -> None:
    assert len(GOLDEN_CAMPAIGNS) >= len(INSTALLED_RULESETS)
