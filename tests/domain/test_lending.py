"""Who is lent goes back: an NPC at the end of the scene or the session, and older histories as they were (R0.2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from tests.support.campaigns import memory_book


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    made = memory_book(tmp_path).new("Woods", "toy")
    for line in ("take-seat Ana --role gm", "take-seat mira", "take-seat jo", "open-session One", "scene The inn"):
        made.say(line)
    for line in ("join Wolf --kind npc --stats max_hp=7", "join Robin --seat mira --stats max_hp=9"):
        made.say(line)
    return made


def player_of(campaign: Campaign, who: str) -> str:
    return campaign.state.characters[who].seat


def test_an_npc_is_lent_for_the_scene(campaign: Campaign) -> None:
    campaign.say("lend wolf --to mira")
    assert player_of(campaign, "wolf") == "mira"
    assert campaign.state.characters["wolf"].has("lent")
    campaign.say("scene The road")
    assert player_of(campaign, "wolf") == ""
    assert not campaign.state.characters["wolf"].conditions


def test_an_npc_may_be_lent_for_the_session_or_for_good(campaign: Campaign) -> None:
    campaign.say("lend wolf --to mira --until session")
    campaign.say("scene The road")
    assert player_of(campaign, "wolf") == "mira"
    campaign.say("close-session")
    assert player_of(campaign, "wolf") == ""
    campaign.say("lend wolf --to mira --until good")
    campaign.say("scene The hill")
    assert player_of(campaign, "wolf") == "mira"


def test_the_end_of_the_session_ends_the_scene(campaign: Campaign) -> None:
    campaign.say("lend wolf --to jo")
    campaign.say("close-session")
    assert player_of(campaign, "wolf") == ""


def test_a_player_character_goes_back_to_its_player_however_often_it_is_passed_on(campaign: Campaign) -> None:
    campaign.say("lend robin --to jo --until scene")
    campaign.say("lend robin --to Ana --until scene")
    campaign.say("scene The road")
    assert player_of(campaign, "robin") == "mira"
    campaign.say("lend robin --to jo")
    campaign.say("scene The hill")
    assert player_of(campaign, "robin") == "jo"


def test_the_gm_may_take_it_back_before(campaign: Campaign) -> None:
    campaign.say("lend wolf --to mira")
    campaign.say("lend wolf")
    assert player_of(campaign, "wolf") == ""
    assert not campaign.state.characters["wolf"].conditions


def test_what_is_on_record_without_a_time_was_lent_for_good(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before_there_was_a_time:
        before_there_was_a_time.setattr("rollbook.domain.actions.characters.Lend.settled", lambda *_, **__: {})
        campaign.say("lend wolf --to mira")
    campaign.say("scene The road")
    assert player_of(campaign, "wolf") == "mira"
    assert campaign.audit()[2].verdict is Verdict.VERIFIED
