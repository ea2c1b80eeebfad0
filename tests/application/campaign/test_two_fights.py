"""A second fight that the table does not know of leaves what players see of the first as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.visibility.editions.live import Editions
from rollbook.domain.base.errors import Refused
from rollbook.domain.rules.action import build
from tests.support.campaigns import begin_campaign, memory_book


def test_a_secret_fight_in_another_scene_changes_nothing_in_the_fight_that_players_see(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("scene", {"title": "the road"})
    campaign.do("fight", {"who": ("robin", "guard")})
    before = Editions(campaign).of("mira").state.encounter
    campaign.do("meanwhile", {"title": "the roof"})
    campaign.do("fight", {"who": ("marian",)}, secret=True)
    for _ in range(3):
        campaign.do("next-turn")
    seen = Editions(campaign).of("mira").state
    assert campaign.state.encounter is not None
    assert seen.encounter is None
    assert [scene.encounter for scene in seen.elsewhere] == [before]
    campaign.do("cut-to", {"scene": "the road"})
    seen = Editions(campaign).of("mira").state
    assert seen.encounter == before == campaign.state.encounter
    assert [(scene.title, scene.encounter) for scene in seen.elsewhere] == [("the roof", None)]


@pytest.mark.parametrize(("verb", "params"), [("meanwhile", {"title": "the roof"}), ("cut-to", {"scene": "the road"})])
def test_to_leave_a_scene_and_to_go_on_with_it_is_for_the_whole_table(
    tmp_path: Path, verb: str, params: dict[str, str]
) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("scene", {"title": "the road"})
    if verb == "cut-to":
        campaign.do("meanwhile", {"title": "the roof"})
    with pytest.raises(Refused, match="is for the whole table"):
        campaign.do(verb, params, secret=True)
    with pytest.raises(Refused, match="Only the GM"):
        campaign.do(verb, params, seat="mira")


def test_a_title_that_names_somebody_hidden_since_is_not_told_again(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("scene", {"title": "where the guard sleeps"})
    campaign.do("meanwhile", {"title": "the roof"})
    campaign.do("conceal", {"who": "guard"})
    with pytest.raises(Refused, match="names somebody who is hidden"):
        campaign.do("cut-to", {"scene": "1"})
    campaign.do("reveal", {"who": "guard"})
    campaign.do("cut-to", {"scene": "1"})
    assert campaign.state.scene == "where the guard sleeps"


def test_what_can_be_done_is_asked_again_once_a_fight_waits(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("fight", {"who": ("robin", "guard")})
    rules = campaign.session.rulebook
    assert not any("waits" in why for why in rules.available(campaign.state, "robin").values())
    campaign.do("meanwhile", {"title": "the roof"})
    said = rules.available(campaign.state, "robin")
    assert said == rules.apart().available(campaign.state, "robin")
    assert any("waits" in why for why in said.values())


def test_a_scene_that_waits_by_a_correction_is_met_by_the_actions_after_it(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("scene", {"title": "the road"})
    campaign.do("note", {"text": "they part"})
    parting = campaign.history.actions
    campaign.do("scene", {"title": "home"})
    meanwhile = build(campaign.session.rulebook.verb(campaign.state, "meanwhile"), {"title": "the roof"})
    campaign.corrections.insert(parting, meanwhile, reason="they split").apply()
    assert campaign.state.elsewhere == ()
    assert campaign.state.scene == "home"
