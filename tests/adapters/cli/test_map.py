"""``map`` draws the squares in letters, as each seat may see them; games without squares have none."""

from __future__ import annotations

import json

import pytest

from rollbook.domain.base.errors import Refused
from rollbook.projections.status import status_of
from tests.support.boards import GAMES, played

GRID = """\
  6 ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
  5 ·  ·  ·  ·  ·  ·  M2 ·  ·  ·  ·
  4 ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
  3 ·  ·  ·  ·  ·  ·  M  ·  ·  ·  ·
  2 ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
  1 ·  ·  ·  ·  ·  ·  ·  ·  ·  Y  ·
  0 ·  ·  ·  ·  ·  B  ·  ·  ·  ·  ·
 −1 ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
 −2 ·  Me ·  ·  ·  ·  ·  ·  ·  ·  ·
 −3 ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
    −1 0  1  2  3  4  5  6  7  8  9
north is up · a square is 5 feet
B   Brannoc              4,0
Y   Ysolde Ash           8,1   on turn
M   Mastiff (mastiff)    5,3   down
M2  Mastiff (mastiff-2)  5,5
Me  Merrin               0,−2"""


def test_the_fight_on_the_grid_in_letters() -> None:
    for name, campaign in played("grid"):
        assert name != "fight" or campaign.say("map").text == GRID


@pytest.mark.parametrize("game", GAMES)
def test_games_on_squares_have_a_map_and_others_say_that_there_is_none(game: str) -> None:
    for _, campaign in played(game):
        if not campaign.session.rulebook.has_squares(campaign.state):
            with pytest.raises(Refused, match="not played on squares"):
                campaign.say("map")
            continue
        shown = campaign.say("map").text
        status = status_of(campaign.state, campaign.session.rulebook)
        for who in status.fight.fighters if status.fight else status.characters:
            assert who.label in shown
        assert json.loads(campaign.say("map --json").text)["stands"]


def test_a_seat_sees_nobody_who_is_hidden() -> None:
    for name, campaign in played("grid"):
        if name == "fight":
            campaign.say("join Lurker --kind monster --hp 9 --ac 12 --speed 30 --at 2,2 --secret")
            campaign.say("join-encounter hidden-lurker ! 1")
            assert "Lurker" in campaign.say("map").text
            assert campaign.say("map", seat="Ida").text == GRID
