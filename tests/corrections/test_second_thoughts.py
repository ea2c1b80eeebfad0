"""A second thought is one more roll and its price, for the last action only, and is stored at once."""

from __future__ import annotations

import pytest

from adapters.book import Book
from adapters.campaign import Campaign
from domain.audit.answers import Verdict
from domain.corrections.changes import ThinkAgain
from domain.entries import SecondThought
from domain.errors import Refused
from domain.events import DamageTaken, PoolSpent
from tests.support.campaigns import begin_campaign, tokens
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable, lost


def test_a_second_thought_is_one_more_roll_and_its_price() -> None:
    table = ToyTable()
    table.do("gain-token", who="robin")
    attack = table.do("attack", attacker="robin", target="guard").action
    first = rolls(table.history.entries[-1])[0]
    table.second_thought()
    outcome = table.history.latest_outcome(attack)
    assert rolls(outcome)[0] == first
    assert rolls(outcome)[1].purpose == "to hit again"
    assert [event.amount for event in outcome.events if isinstance(event, PoolSpent)] == [1]
    damage = sum(event.amount for event in outcome.events if isinstance(event, DamageTaken))
    assert lost(table.state, "guard") == damage


def test_a_second_thought_comes_before_the_consequences_and_must_change_something() -> None:
    table = ToyTable()
    attack = table.do("attack", attacker="robin", target="guard").action
    table.do("worry", who="robin")
    with pytest.raises(Refused, match="for the last action only"):
        table.preview({attack: ThinkAgain(SecondThought(kind="reroll"))})
    with pytest.raises(Refused, match="has none that this one could change"):
        table.second_thought()


def test_a_second_thought_without_a_token_is_refused() -> None:
    table = ToyTable()
    table.do("adjust", who="guard", what="pool:tokens", by=-2, reason="so")
    table.do("attack", attacker="guard", target="robin")
    with pytest.raises(Refused, match="holds no token"):
        table.second_thought()


def test_a_second_thought_is_stored_at_once_and_its_die_is_proven(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    (entry, *_) = campaign.corrections.record_second_thought(SecondThought(kind="reroll"), seat="mira")
    assert entry.reason == "a token for another to-hit roll"
    assert tokens(campaign) == 1
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_a_second_thought_says_that_it_is_recorded(campaign: Campaign) -> None:
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    before = campaign.head.entry
    entries = campaign.corrections.record_second_thought(SecondThought(kind="reroll"), seat="mira", dice=[19, 4])
    assert campaign.head.entry == before + len(entries)
