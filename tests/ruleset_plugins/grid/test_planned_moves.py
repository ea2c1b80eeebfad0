"""A planned move says what the move itself would come to: the steps, what they cost, and every opening at its moment."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.board import PlannedMove, SquareMap
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.plugin import Side, events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.encounter import EndEncounter
from rollbook.rulesets.grid.hit_points import SetCondition
from rollbook.rulesets.grid.movement import Move
from rollbook.testing.scenarios import rule

RULEBOOK = Rulebook({RULESET.key: RULESET})
OPENING = "attack of opportunity"


def plan(campaign: CampaignState, who: str, *way: tuple[int, ...]) -> PlannedMove:
    planned = RULEBOOK.planned_move(campaign, who, tuple((east, north, *up, 0)[:3] for east, north, *up in way))
    assert planned is not None, RULEBOOK.take_faults()
    return planned


def laid(campaign: CampaignState) -> SquareMap:
    found = RULEBOOK.square_map(campaign)
    assert found is not None, RULEBOOK.take_faults()
    return found


def openings(planned: PlannedMove) -> list[tuple[str, int, str]]:
    return [(each.who, each.steps, each.said) for each in planned.openings]


@rule("R4.29")
def test_a_way_costs_its_squares_and_is_refused_beyond_what_a_move_takes(fight) -> None:
    campaign = fight({"jeff": (0, 0), "steve": (0, 20)}).before
    six = plan(campaign, "jeff", (6, 0))
    assert (six.way[-1], six.costs, six.most, six.refused) == ((6, 0, 0), (1, 2, 3, 4, 5, 6), 6, "")
    seven = plan(campaign, "jeff", (7, 0))
    assert seven.cost == 7
    assert "up to 6 squares, and this way costs 7" in seven.refused


@rule("Q4.16")
def test_where_diagonals_cost_one_and_two_by_turns_the_plan_counts_them_so(fight) -> None:
    people = {"steve": (0, 20), "jeff": (0, 0)}
    assert plan(fight(people, diagonal="1").before, "steve", (3, 23)).costs == (1, 2, 3)
    turns = plan(fight(people, diagonal="1-2-1").before, "steve", (1, 21), (2, 22), (3, 23))
    assert turns.costs == (1, 3, 4)
    assert turns.onward == ()
    assert max(east for east, *_ in plan(fight(people, diagonal="1-2-1").before, "steve").onward) == 4


@rule("R4.31", "Q4.17")
def test_an_enemy_who_is_free_gets_an_opening_when_somebody_comes_and_when_they_go(fight) -> None:
    near = fight({"steve": (0, 0), "jeff": (1, 0)}).before
    assert openings(plan(near, "steve", (-1, 0))) == [("jeff", 0, "as Steve leaves 0,0")]
    far = fight({"steve": (0, 0), "jeff": (3, 0)}).before
    assert openings(plan(far, "steve", (2, 0))) == [("jeff", 2, "as Steve comes to 2,0")]
    assert openings(plan(near, "steve", (0, 1))) == []


@rule("R4.39", "Q4.17")
def test_an_enemy_whom_an_ally_keeps_busy_gets_none(fight) -> None:
    campaign = fight({"steve": (0, 0), "jeff": (4, 0), "odo": (5, 0)}).before
    assert openings(plan(campaign, "steve", (3, 0))) == []


@rule("Q4.9")
def test_a_bow_without_an_arrow_takes_no_opening(fight) -> None:
    scene = fight({"steve": (0, 0), "jeff": (1, 0)})
    gone = [events.GearLost(character="jeff", item=item) for item in scene.before.characters["jeff"].gear]
    bow = events.GearGained(character="jeff", item="bow", count=1, use=("weapon", "shortbow", "both"))
    arrow = events.GearGained(character="jeff", item="arrow", count=1, use=("ammunition", "arrow"))
    shooting = scene.given(*gone, bow)
    assert openings(plan(shooting.before, "steve", (-1, 0))) == []
    assert openings(plan(shooting.given(arrow).before, "steve", (-1, 0)))


@rule("R4.47", "Q4.36")
def test_on_the_ground_one_plans_a_single_square(fight) -> None:
    campaign = fight({"steve": (0, 0), "jeff": (9, 0)}).given(SetCondition(who="steve", condition="prone")).before
    assert plan(campaign, "steve").most == 1
    assert len(plan(campaign, "steve").onward) == 8


@rule("Q4.47")
def test_a_way_goes_round_enemies_through_allies_and_ends_alone(fight) -> None:
    campaign = fight({"steve": (0, 0), "odo": (0, 1), "wolf": (0, 2), "boar": (1, 2)}).before
    round_them = plan(campaign, "steve", (0, 3))
    assert round_them.refused == ""
    assert not {(0, 2, 0), (1, 2, 0)} & set(round_them.way)
    assert not {(0, 1, 0), (0, 2, 0)} & set(plan(campaign, "steve").onward)
    assert "Odo is on 0,1" in plan(campaign, "steve", (0, 1)).refused


@rule("R4.31", "Q4.17")
def test_another_way_with_fewer_openings_is_offered_if_the_move_reaches_as_far(fight) -> None:
    campaign = fight({"odo": (0, 0), "wolf": (2, 1)}).before
    straight = plan(campaign, "odo", (1, 0), (2, 0), (3, 0), (4, 0))
    assert [who for who, *_ in openings(straight)] == ["wolf", "wolf"]
    assert straight.safer[-1] == (4, 0, 0)
    assert openings(plan(campaign, "odo", *straight.safer)) == []
    assert plan(campaign, "odo", *straight.safer).safer == ()


@rule("R4.1", "R4.42")
def test_only_who_has_the_turn_and_a_move_left_moves(fight) -> None:
    scene = fight({"jeff": (0, 0), "steve": (9, 0)})
    assert laid(scene.before).movers == ("jeff",)
    assert "It is Jeff's turn" in plan(scene.before, "steve", (9, 1)).refused
    moved = scene.when(Move(who="jeff", path=("s",))).go_on()
    assert laid(moved.before).movers == ()
    assert "has used the move action" in plan(moved.before, "jeff").refused
    after = moved.given(EndEncounter()).before
    assert laid(after).movers == ("jeff", "steve")
    assert (plan(after, "jeff", (30, -1)).refused, plan(after, "jeff").most) == ("", None)


@rule("R4.30", "R4.37", "Q4.21")
def test_the_map_says_who_stands_where_what_is_in_reach_and_who_is_flanked(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (2, 0), "jeff": (1, 0)})
    stands = laid(scene.before).stands
    assert stands["jeff"].flanked_by == (("steve", "odo"),)
    assert (stands["jeff"].side, stands["odo"].side) == (Side.FOES, Side.PARTY)
    assert set(stands["steve"].reach) == {(e, n, 0) for e in (-1, 0, 1) for n in (-1, 0, 1)} - {(0, 0, 0)}
    fallen = laid(scene.given(events.ConditionBegan(character="odo", condition="incapacitated")).before).stands
    assert (fallen["odo"].is_down, fallen["odo"].reach, fallen["jeff"].flanked_by) == (True, (), ())
    beside = {"steve": (0, 0), "odo": (2, 1), "jeff": (1, 0)}
    assert not laid(fight(beside).before).stands["jeff"].flanked_by
    assert laid(fight(beside, flank_geometry="square").before).stands["jeff"].flanked_by


@rule("Q4.28")
def test_who_was_never_placed_is_on_no_map(table) -> None:
    scene = table({"jeff": (3, 0)})
    unplaced = scene.given(events.CharacterJoined(character="ann", name="Ann", kind=events.CharacterKind.NPC))
    assert list(laid(unplaced.before).stands) == ["jeff"]


@pytest.mark.slow
def test_the_move_itself_comes_out_as_planned_if_every_opening_misses(fight) -> None:
    """On 120 random maps; there are enough plans of each sort among them."""
    sorts = Counter(compared(fight, Random(seed)) for seed in range(120))
    assert min(sorts[sort] for sort in ("refused", "without openings", "with openings")) > 10


def compared(fight, chance: Random) -> str:
    free = [(east, north) for east in range(-3, 4) for north in range(-3, 4)]
    people = dict(zip(("steve", "odo", "jeff", "wolf"), chance.sample(free, 4), strict=True))
    settings = {"diagonal": chance.choice(("1", "1-2-1")), "mover_engages": chance.random() < 0.3}
    scene = fight(people, **settings)
    reachable = plan(scene.before, "steve").onward
    goal = chance.choice(reachable) if chance.random() < 0.7 else (*chance.choice(free), 0)
    planned = plan(scene.before, "steve", goal)
    move = Move(who="steve", path=planned.params.get("path", ()))
    if planned.refused:
        assert planned.refused in scene.when(move).refused() or goal == scene.character("steve").position
        return "refused"
    assert goal not in reachable or planned.cost <= 4
    played = scene.when(move).rolling(*[1] * len(planned.openings))
    taken = [(each.character, each.check) for each in played.events(events.CheckResolved)]
    assert taken == [(each.who, OPENING) for each in planned.openings]
    assert played.character("steve").position == planned.way[-1]
    return "with openings" if taken else "without openings"
