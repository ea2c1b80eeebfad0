"""A second thought is one more roll and its price, for the last action only, and is stored at once."""

from __future__ import annotations

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import ThinkAgain
from rollbook.domain.entries import SecondThought
from rollbook.domain.events import DamageTaken, PoolSpent
from rollbook.domain.history.rulings import ruled, ruler_of
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


REROLL = SecondThought(kind="reroll")


def think(campaign: Campaign, seat: str, character: str = "", dice: tuple[int, ...] = (19, 4)) -> None:
    thought = SecondThought(kind="reroll", character=character)
    campaign.corrections.record_second_thought(thought, seat=seat, dice=dice)


def test_a_player_spends_what_is_theirs_and_nobody_elses(campaign: Campaign) -> None:
    campaign.do("take-seat", {"seat": "jo"})
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    with pytest.raises(
        Refused, match="Robin is played by mira, and jo spends only what is theirs; jo plays nobody yet"
    ):
        think(campaign, "jo", "robin")
    with pytest.raises(Refused, match="Guard is the GM's, and mira spends only what is theirs; mira plays robin"):
        think(campaign, "mira", "guard")
    with pytest.raises(Refused, match="Only the GM spends what is the GM's. Say with --by who does it"):
        think(campaign, "jo")
    with pytest.raises(NotFound, match="no character called 'nobody'"):
        think(campaign, "mira", "nobody")
    assert tokens(campaign) == 2
    think(campaign, "mira")
    assert tokens(campaign) == 1


def test_the_gm_spends_for_anybody(campaign: Campaign) -> None:
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    campaign.corrections.record_second_thought(REROLL, dice=(19, 4))
    assert tokens(campaign) == 1


def test_a_spectator_has_no_second_thoughts(campaign: Campaign) -> None:
    campaign.do("take-seat", {"seat": "wat", "role": "spectator"})
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    with pytest.raises(Refused, match="wat watches, and a spectator has no second thoughts"):
        think(campaign, "wat", "robin")


def test_nobody_learns_of_a_hidden_character_by_naming_it(campaign: Campaign) -> None:
    campaign.do("join", {"name": "Spy", "stats": {"max_hp": 5}}, secret=True)
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    with pytest.raises(NotFound) as unknown:
        think(campaign, "mira", "spy")
    assert "guard" in str(unknown.value)
    assert "spy," not in str(unknown.value).casefold()


def test_a_players_second_thought_never_reaches_a_secret_roll(campaign: Campaign) -> None:
    struck = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3]).action
    secret = campaign.do("attack", {"attacker": "guard", "target": "robin"}, secret=True).action
    before = campaign.history.latest_outcome(secret).events
    think(campaign, "mira")
    history = campaign.history
    assert [thought.kind for thought in history.intent_of(struck).second_thoughts] == ["reroll"]
    assert not history.intent_of(secret).second_thoughts
    assert history.latest_outcome(secret).events[0] == before[0]
    assert campaign.audit()[2].verdict == Verdict.VERIFIED


def test_somebody_elses_second_thought_is_no_ruling_on_the_action(campaign: Campaign) -> None:
    campaign.do("take-seat", {"seat": "jo"})
    campaign.do("lend", who="guard", to="jo")
    struck = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3]).action
    think(campaign, "jo", "guard")
    history = campaign.history
    assert ruled(history, struck, history.intent_of(struck)) == frozenset()
    assert ruler_of(history, struck) == "mira"
