"""A rule that asks who is in any condition looks at nobody else, and is asked again as soon as the answer differs."""

import pytest

from rollbook.domain import events
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import Event
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import Draft, fold
from rollbook.domain.state.reads import differs
from tests.support.toy import TOY
from tests.support.toy_verbs import Worry

CAMPAIGN = fold(
    EMPTY,
    [
        *(events.CharacterJoined(character=who, name=who.title()) for who in ("robin", "marian")),
        events.ConditionBegan(character="robin", condition="prone"),
    ],
)


def test_who_is_in_a_condition_is_asked_again_after_each_that_begins_or_ends() -> None:
    at = Table(CAMPAIGN, action=Worry(who="robin"), intent=Intent(verb="worry"), dice=NoDice(), ruleset=TOY)
    assert [who.id for who in at.with_conditions()] == ["robin"]
    at.record(events.ConditionBegan(character="marian", condition="prone"))
    assert [who.id for who in at.with_conditions()] == ["robin", "marian"]
    at.record(events.CharacterLeft(character="robin"), events.ConditionEnded(character="marian", condition="prone"))
    assert at.with_conditions() == ()


@pytest.mark.parametrize(
    ("event", "matters"),
    [
        (events.CharacterLeft(character="robin"), True),
        (events.ConditionEnded(character="robin", condition="prone"), True),
        (events.ConditionBegan(character="marian", condition="prone"), True),
        (events.SheetSetAside(character="robin", ruleset="toy"), True),
        (events.ConditionBegan(character="robin", condition="blinded"), False),
        (events.CharacterJoined(character="will", name="Will"), False),
    ],
)
def test_only_what_changes_who_is_in_a_condition_makes_a_difference(event: Event, *, matters: bool) -> None:
    draft = Draft(CAMPAIGN)
    draft.apply([event])
    assert differs(("with_conditions",), draft.touched, CAMPAIGN, draft.publish()) == matters
