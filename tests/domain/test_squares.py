"""What a ruleset says of squares is checked as it comes: what fails or cannot be drawn is named, and left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from rollbook.domain.base.errors import NotFound
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.board import Opening, PlannedMove, SquareMap, Squares, Stand
from rollbook.domain.rules.ruleset import fault_of
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.plugin import events
from tests.support.toy import TOY

ROBIN = Character(id="robin", name="Robin", present=True)
CAMPAIGN = CampaignState(ruleset=TOY.key, characters={"robin": ROBIN})


def no_map(_: Any) -> SquareMap:
    return SquareMap()


def no_plan(*_: Any) -> PlannedMove:
    return PlannedMove()


def rules(laid_out: Callable[..., Any] = no_map, planned: Callable[..., Any] = no_plan) -> Rulebook:
    game = attrs.evolve(TOY, squares=Squares(laid_out=laid_out, planned=planned))
    return Rulebook({TOY.key: game})


def test_a_game_without_squares_has_no_map_and_no_plans_and_nothing_failed() -> None:
    plain = Rulebook({TOY.key: TOY})
    assert plain.square_map(CAMPAIGN) is plain.planned_move(CAMPAIGN, "robin", ()) is None
    assert not plain.take_faults()


def test_what_the_hooks_say_is_given_as_it_is() -> None:
    found = SquareMap(stands={"robin": Stand(square=(1, 2, 0))}, movers=("robin",), scale="five feet")
    plan = PlannedMove(way=((1, 1, 0),), costs=(1,), openings=(Opening(who="x", steps=1, at=(1, 1, 0), said="then"),))
    asked = rules(lambda _: found, lambda _, who, way: attrs.evolve(plan, params={"who": who}, onward=way))
    assert asked.square_map(CAMPAIGN) == found
    assert asked.planned_move(CAMPAIGN, "robin", ((5, 5, 0),)) == attrs.evolve(
        plan, params={"who": "robin"}, onward=((5, 5, 0),)
    )


@pytest.mark.parametrize(
    ("laid_out", "named"),
    [
        (lambda _: None, "NoneType is not a SquareMap"),
        (lambda _: 1 / 0, "ZeroDivisionError"),
        (lambda _: SquareMap(stands={"robin": (1, 1)}), "is not a Stand"),  # type: ignore[dict-item]
        (lambda _: SquareMap(stands={"robin": Stand(square=(1, 1))}), "is not a square"),  # type: ignore[arg-type]
        (lambda _: SquareMap(stands={"robin": Stand(square=(1, 10**9, 0))}), "is not a square"),
        (lambda _: SquareMap(stands={"robin": Stand(square=(1, 1, 0), side="ours")}), "not a Side"),  # type: ignore[arg-type]
        (lambda _: SquareMap(movers=(7,)), "7 is not text"),  # type: ignore[arg-type]
        (lambda table: table.roll("1d6", roller="robin", purpose="luck"), "No die falls while a move is planned"),
    ],
)
def test_a_map_that_fails_or_cannot_be_drawn_is_named_and_left_out(laid_out: Callable[[Any], Any], named: str) -> None:
    asked = rules(laid_out)
    assert asked.square_map(CAMPAIGN) is None
    (said,) = asked.take_faults()
    assert f"The ruleset {TOY.key} {TOY.version} failed in its map" in said
    assert named in said
    assert "left out" in said


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (None, "NoneType is not a PlannedMove"),
        (PlannedMove(way=((1, 1, 0),)), "0 costs are given for 1 squares"),
        (PlannedMove(way=((1, 1, 0),), costs=("1",)), "'1' is not a number"),  # type: ignore[arg-type]
        (PlannedMove(openings=(Opening(who="x", steps=1, at=(0, 0, 0), said=""),)), "after 1 steps of 0"),
        (PlannedMove(onward=("here",)), "'here' is not a square"),  # type: ignore[arg-type]
        (PlannedMove(refused=None), "None is not text"),  # type: ignore[arg-type]
    ],
)
def test_a_plan_that_cannot_be_drawn_is_named_and_left_out(plan: Any, named: str) -> None:
    asked = rules(planned=lambda *_: plan)
    assert asked.planned_move(CAMPAIGN, "robin", ()) is None
    (said,) = asked.take_faults()
    assert "failed in its plan of a move" in said
    assert named in said


def test_nothing_that_a_plan_records_is_kept() -> None:
    def walks(table: Any, who: str, _: Any) -> PlannedMove:

        table.record(events.Moved(character=who, east=1))
        return PlannedMove(refused=str(table.character(who).position))

    asked = rules(planned=walks)
    planned = asked.planned_move(CAMPAIGN, "robin", ())
    assert planned is not None
    assert planned.refused == "(1, 0, 0)"
    assert CAMPAIGN.characters["robin"].position == (0, 0, 0)


def test_a_plan_for_nobody_is_an_error_of_who_asks() -> None:
    with pytest.raises(NotFound, match="robbin"):
        rules().planned_move(CAMPAIGN, "robbin", ())


def test_what_is_no_hook_is_turned_away_at_the_door() -> None:
    assert fault_of(TOY.key, attrs.evolve(TOY, squares="a map")) == "its squares are a str, not Squares"
    broken = attrs.evolve(TOY, squares=Squares(laid_out=no_map, planned=None))  # type: ignore[arg-type]
    assert fault_of(TOY.key, broken) == "planned of its squares cannot be called"
    assert fault_of(TOY.key, attrs.evolve(TOY, squares=Squares(laid_out=no_map, planned=no_plan))) == ""
