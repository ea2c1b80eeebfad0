"""The board of a scene and of a fight in all our games, at 80 columns: golden screens, drawn by ``tests.support.boards``."""

from __future__ import annotations

import pytest

from rollbook.projections.in_words import is_foe, sheet_in_words
from rollbook.projections.status import status_of
from tests.support import boards
from tests.support.boards import GAMES, WIDTH, golden, played, screen
from tests.support.games import INSTALLED_RULESETS
from tests.support.terminal import ROOT

NARROW = 50


def test_every_game_has_its_screens() -> None:
    assert list(GAMES) == INSTALLED_RULESETS
    kept = {path.name for path in boards.FOLDER.glob("*.txt")}
    assert kept == {golden(game, name).name for game in GAMES for name in ("scene", "fight")}


@pytest.mark.parametrize("game", GAMES)
def test_a_scene_and_a_fight_look_as_they_did(game: str) -> None:
    drawn = {name: screen(campaign) for name, campaign in played(game)}
    assert list(drawn) == ["scene", "fight"]
    for name, text in drawn.items():
        assert text == golden(game, name).read_text(encoding="utf-8")


def test_the_page_shows_what_a_fight_looks_like() -> None:
    page = (ROOT / "docs" / "asking.md").read_text(encoding="utf-8")
    assert golden("storytoken", "fight").read_text(encoding="utf-8") in page


@pytest.mark.parametrize("game", GAMES)
def test_no_line_is_wider_than_the_terminal(game: str) -> None:
    for _, campaign in played(game):
        for width in (WIDTH, NARROW):
            assert max(map(len, screen(campaign, width).splitlines())) <= width


@pytest.mark.parametrize(("game", "name"), [("storytoken", "Guard"), ("grid", "Mastiff")])
def test_two_of_one_name_are_told_apart_wherever_they_are_named(game: str, name: str) -> None:
    (fight,) = (screen(campaign, 200) for called, campaign in played(game) if called == "fight")
    assert fight.count(name) == fight.count(f"{name} (") > 1


def test_a_range_says_which_of_two_of_one_name_is_meant() -> None:
    (fight,) = (status_of(at.state, at.session.rulebook).fight for called, at in played("russell") if called == "fight")
    assert fight is not None
    where = {each.character: each.where for each in fight.fighters}
    assert (where["jory"], where["wenna"]) == ("engaged with Eel-man (eel-man)", "close to Eel-man (eel-man)")


@pytest.mark.parametrize("game", GAMES)
def test_armour_class_and_initiative_are_told_to_whoever_may_know(game: str) -> None:
    for name, campaign in played(game):
        rulebook = campaign.session.rulebook
        for told in (rulebook, rulebook.telling(sheet_in_words)):
            status = status_of(campaign.state, told)
            people = status.fight.fighters if status.fight else status.characters
            assert people
            for each in people:
                who = campaign.state.characters[each.character]
                is_told = told is rulebook or not is_foe(who, campaign.state)
                shown = rulebook.sheet(who, campaign.state).amount("ac")
                assert each.armour_class == (shown if is_told else None), each.label
        assert any(each.initiative for each in people) == (name == "fight")
