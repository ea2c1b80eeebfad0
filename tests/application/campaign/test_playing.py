"""Actions as values and by name: one way in, and the head is read once."""

from __future__ import annotations

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import DiceRolled
from rollbook.rulesets.storytoken.fight.attack import Attack as AnotherAttack
from tests.support.comparison import comparable
from tests.support.toy_verbs import Attack, GainToken, SpendToken


def test_the_same_action_as_a_value_by_name_and_as_a_line(campaign: Campaign) -> None:
    value = campaign.play(Attack(attacker="robin", target="guard"), seat="mira", dice=[19, 3], reason="now")
    named = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[19, 3], reason="now")
    said = campaign.say("attack robin guard --why now ! 19,3", seat="mira").entry
    assert said is not None
    assert value.intent == named.intent == said.intent
    for entry in (value, named, said):
        assert (entry.seat, entry.reason, entry.kind) == ("mira", "now", EntryKind.TAKEN)
        assert [die.face for event in entry.events if isinstance(event, DiceRolled) for die in event.dice] == [19, 3]
    assert [value.action + 1, named.action + 1] == [named.action, said.action]


def test_a_value_is_checked_like_any_other_action(campaign: Campaign) -> None:
    before = campaign.head
    with pytest.raises(Refused, match="attacker is a word, not 5"):
        campaign.play(Attack(attacker=5, target="guard"))  # type: ignore[arg-type]
    with pytest.raises(Refused, match="is not the verb 'attack' of this campaign, which is"):
        campaign.play(AnotherAttack(attacker="robin", target="guard", weapon="longbow"))
    assert campaign.refresh() == before


def test_an_option_is_always_the_option_and_the_mapping_has_every_parameter(campaign: Campaign) -> None:
    entry = campaign.do("adjust", {"who": "robin", "what": "hp", "by": -1, "reason": "fell"}, reason="forgotten")
    assert (entry.reason, entry.intent.params["reason"]) == ("forgotten", "fell")
    with pytest.raises(Refused, match="adjust also needs: reason"):
        campaign.do("adjust", who="robin", what="hp", by=-1, reason="fell")
    with pytest.raises(Refused, match="who is given twice"):
        campaign.do("gain-token", {"who": "robin"}, who="marian")


def test_a_command_reads_the_head_once_and_builds_and_folds_once(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    state = campaign.session.log.state
    monkeypatch.setattr(campaign.session.log, "state", lambda number: calls.append("head") or state(number))
    monkeypatch.setattr("rollbook.application.history.head.fold", lambda *_: calls.append("fold"))
    made = Attack.__init__
    monkeypatch.setattr(Attack, "__init__", lambda self, **given: calls.append("build") or made(self, **given))
    campaign.do("attack", attacker="robin", target="guard", dice=[19, 3])
    assert calls == ["head", "build"]
    _ = campaign.state, campaign.head, campaign.session.damage
    assert calls == ["head", "build"], "properties read nothing"


def test_the_state_after_a_command_is_that_of_the_whole_history(campaign: Campaign) -> None:
    campaign.play(GainToken(who="robin"))
    campaign.do("attack", attacker="robin", target="guard", dice=[19, 3])
    assert comparable(campaign.state) == comparable(campaign.session.log.scan().state)
    campaign.session.history.load()
    campaign.play(SpendToken(who="robin"))
    assert comparable(campaign.state) == comparable(campaign.session.log.scan().state)
    assert campaign.head == campaign.session.log.scan()
