"""The map shows who has a square, whom they threaten and who may move; a plan is a move of the game."""

from __future__ import annotations

from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build
from rollbook.plugin import PlannedMove, Side, Square, SquareMap
from rollbook.rulesets.srd5 import RULESET
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.testing.scenarios import Scenario, rule
from tests.support.srd5 import condition, fight, fighter, post, table

RULES = Rulebook({RULESET.key: RULESET})


def at(*squares: tuple[str, str]) -> Scenario:
    """Kara and the post on these squares, in a fight; it is Kara's turn."""
    here, there = squares
    return fight(table(fighter(at=here), post(at=there)), "kara", "post")


def shown(scene: Scenario) -> SquareMap:
    found = RULES.square_map(scene.before)
    assert found is not None, RULES.take_faults()
    return found


def plan(scene: Scenario, *way: Square) -> PlannedMove:
    found = RULES.planned_move(scene.before, "kara", way)
    assert found is not None, RULES.take_faults()
    return found


def test_a_table_without_squares_has_no_map_until_somebody_has_a_square() -> None:
    assert not RULES.has_squares(table().before)
    assert RULES.square_map(table().before) is None
    assert RULES.has_squares(at(("0", "0"), ("1", "0")).before)


@rule("R5.67")
def test_the_map_says_who_stands_where_who_threatens_and_who_may_move() -> None:
    found = shown(at(("0", "0"), ("4", "0")))
    assert {name: (each.square, each.side) for name, each in found.stands.items()} == {
        "kara": ((0, 0, 0), Side.PARTY),
        "post": ((4, 0, 0), Side.FOES),
    }
    assert found.movers == ("kara",)
    assert len(found.stands["post"].reach) == 8


@rule("R5.52", "R5.51")
def test_a_plan_costs_what_the_move_does_and_goes_as_far() -> None:
    scene = at(("0", "0"), ("9", "9"))
    found = plan(scene, (3, 2, 0))
    assert (found.cost, found.most, found.refused) == (3, 6, "")
    assert len(plan(scene).onward) == 13 * 13 - 1
    moved = scene.given(build(Move, found.params))
    assert moved.character("kara").position == (3, 2, 0)
    assert plan(moved).most == 3


@rule("R5.57")
def test_a_way_goes_round_an_enemy_and_ends_on_no_square_that_is_taken() -> None:
    found = plan(at(("0", "0"), ("1", "0")), (2, 0, 0))
    assert (1, 0, 0) not in found.way
    assert found.cost == 2
    assert (1, 0, 0) not in found.onward
    assert "on that square already" in plan(at(("0", "0"), ("1", "0")), (1, 0, 0)).refused


@rule("R5.68")
def test_a_plan_shows_who_may_strike_on_the_way() -> None:
    found = plan(at(("0", "0"), ("1", "0")), (-2, 0, 0))
    assert [(each.who, each.steps, each.said) for each in found.openings] == [("post", 0, "as Kara leaves 0,0")]


@rule("R5.52")
def test_a_way_that_is_too_long_and_one_of_who_cannot_move_are_refused() -> None:
    scene = at(("0", "0"), ("9", "9"))
    assert "30 feet left" in plan(scene, (7, 0, 0)).refused
    held = scene.given(condition("kara", "stunned"))
    assert "stunned" in plan(held).refused
    assert not shown(held).movers
