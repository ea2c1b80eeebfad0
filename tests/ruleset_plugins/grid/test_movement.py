"""A move goes square by square, as far as one's speed, through allies and round enemies."""

from __future__ import annotations

import pytest

from rollbook.kit.squares import SQUARE
from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.attack import Attack, Hamstring
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.encounter import BeginEncounter, JoinEncounter
from rollbook.rulesets.grid.hit_points import SetCondition
from rollbook.rulesets.grid.movement import Move, Place
from rollbook.testing.scenarios import like, rule, scenario

MOVED = events.Moved


@rule("R4.1", "R4.2")
def test_a_turn_has_one_move_and_one_standard_action_in_any_order_and_not_two_of_either(fight) -> None:
    scene = fight({"steve": (0, 0), "boar": (3, 0)})
    move, attack = Move(who="steve", to=("2", "0"), spare=("boar",)), Attack(attacker="steve", target="boar")
    moved = scene.when(move).go_on()
    moved.when(Move(who="steve", path=("n",))).refused("Steve has used the move action", "standard action is left")
    both = moved.when(attack).rolling(2).go_on()
    both.when(attack).refused("Steve has used the standard action", "Nothing is left")
    near = fight({"steve": (2, 0), "boar": (3, 0)})
    struck = near.when(attack).rolling(2).go_on()
    struck.when(Move(who="steve", path=("s",), spare=("boar",))).then(like(MOVED, north=-1))


@rule("R4.2")
def test_a_move_changes_nothing_but_the_square(fight) -> None:
    played = fight({"steve": (0, 0), "jeff": (9, 0)}).when(Move(who="steve", path=("n", "e", "up")))
    played.then(
        events.TurnSpent(character="steve", what="move action"),
        MOVED(character="steve", north=1, cost=1),
        MOVED(character="steve", east=1, cost=1),
        MOVED(character="steve", up=1, cost=1),
        only=True,
    )
    assert played.character("steve").position == (1, 1, 1)


@rule("R4.29")
def test_six_squares_a_move_or_four_in_heavy_armour(fight) -> None:
    scene = fight({"jeff": (0, 0), "steve": (0, 20)})
    scene.when(Move(who="jeff", path=("e",) * 6)).then(like(MOVED, east=1))
    scene.when(Move(who="jeff", path=("e",) * 7)).refused("up to 6 squares", "costs 7")
    slow = fight({"steve": (0, 20), "jeff": (0, 0)})
    slow.when(Move(who="steve", to=("4", "24"))).then(like(MOVED, east=1, north=1))
    slow.when(Move(who="steve", to=("5", "24"))).refused("up to 4 squares", "costs 5")


@rule("Q4.16")
def test_where_diagonals_cost_one_and_two_by_turns_the_same_way_is_longer(fight) -> None:
    people = {"steve": (0, 20), "jeff": (0, 0)}
    fight(people, diagonal="1").when(Move(who="steve", path=("ne", "ne", "ne"))).then(like(MOVED, east=1, north=1))
    turns = fight(people, diagonal="1-2-1")
    turns.when(Move(who="steve", path=("ne", "ne", "ne"))).then(like(MOVED, east=1))
    turns.when(Move(who="steve", path=("ne", "ne", "ne", "n"))).refused("costs 5")


@rule("R4.47", "Q4.36", "R4.31")
def test_on_the_ground_one_moves_a_single_square_and_provokes_as_usual(fight) -> None:
    scene = fight({"steve": (0, 0), "boar": (1, 0)}).given(SetCondition(who="steve", condition="prone"))
    assert str(scene.sheet("steve").value("speed")) == "5 feet, 1 square"
    scene.when(Move(who="steve", path=("w", "w"))).refused("up to 1 square on the ground")
    scene.when(Move(who="steve", path=("w",))).rolling(3).then(
        like(events.CheckResolved, character="boar", check="attack of opportunity"), like(MOVED, east=-1)
    )


@rule("Q4.47")
def test_one_moves_through_allies_and_not_through_enemies_and_ends_alone(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (1, 0), "wolf": (0, 3)})
    scene.when(Move(who="steve", path=("e", "e"))).then(like(MOVED, east=1), like(MOVED, east=1))
    scene.when(Move(who="steve", path=("e",))).refused("Odo is on 1,0", "cannot share")
    scene.when(Move(who="steve", path=("n", "n", "n"))).refused("Wolf is in the way on 0,3")
    down = scene.given(events.ConditionBegan(character="wolf", condition="incapacitated"))
    down.when(Move(who="steve", path=("n", "n", "n", "n"))).then(like(MOVED, north=1))
    down.when(Move(who="steve", path=("n", "n", "n"))).refused("Wolf is on 0,3")


@rule("R4.36")
def test_a_cut_tendon_halves_the_speed_until_the_fight_is_over(fight) -> None:
    scene = fight({"steve": (0, 0), "jeff": (1, 0)})
    cut = scene.when(Hamstring(attacker="steve", target="jeff", spare=("jeff",))).rolling(9, 1)
    assert cut.sheet("jeff").amount("speed") == 15


def test_a_way_is_a_path_or_a_square_and_can_be_read(table) -> None:
    scene = table()
    scene.when(Move(who="steve")).refused("--path n,n,ne or --to")
    scene.when(Move(who="steve", path=("n",), to=("1", "1"))).refused("only one of the two")
    scene.when(Move(who="steve", path=("north",))).refused("'north'")
    scene.when(Move(who="steve", to=("1",))).refused("east and north")
    scene.when(Move(who="steve", to=("0", "0"))).refused("already is on 0,0")
    scene.when(Move(who="steve", to=("900", "0"))).refused("too far away")


@rule("R4.29")
def test_outside_a_fight_nobody_counts_squares(table) -> None:
    table().when(Move(who="steve", path=("n",) * 30)).then(like(MOVED, north=1))


@rule("Q4.28")
def test_the_gm_places_people_and_no_two_fight_on_one_square(table) -> None:
    scene = table()
    scene.when(Place(who="steve", east=5, north=-2, up=1)).then(
        MOVED(character="steve", east=5, north=-2, up=1), only=True
    )
    scene.when(Place(who="steve", east=3)).refused("Jeff is on 3,0")
    scene.when(Place(who="steve")).refused("already is on 0,0")


@rule("Q4.28")
def test_those_whom_nobody_placed_stand_on_squares_of_their_own_in_a_fight() -> None:
    goblins = Join(name="Goblin", kind="monster", hp=3, count=3)
    known = scenario(RULESET).given(Join(name="Ann", at=("7", "5"), kind="hireling", hp=3), goblins)
    begins = BeginEncounter(participants=("ann", "goblin-1", "goblin-2", "goblin-3"))
    known.when(begins).rolling(9, 8, 7, 6).then(
        MOVED(character="goblin-1", east=7, north=6),
        MOVED(character="goblin-2", east=8, north=6),
        MOVED(character="goblin-3", east=9, north=6),
    )
    late = known.when(BeginEncounter(participants=("ann", "goblin-1"))).rolling(9, 8).go_on()
    late.when(JoinEncounter(who="goblin-2")).rolling(4).then(MOVED(character="goblin-2", east=7, north=6))
    late.never(like(MOVED, character="goblin-1"))


@rule("Q4.28")
def test_one_alone_whom_nobody_placed_stays_where_the_map_begins() -> None:
    two = scenario(RULESET).given(
        Join(name="Ann", at=("1", "0"), kind="hireling", hp=3), Join(name="Bob", kind="monster", hp=3)
    )
    assert not two.when(BeginEncounter(participants=("ann", "bob"))).rolling(9, 8).events(MOVED)


@pytest.mark.parametrize("seat", ["Mira"])
def test_a_player_moves_only_their_own_and_in_their_turn(fight, seat) -> None:
    scene = fight({"steve": (0, 0), "odo": (4, 4), "wolf": (9, 9)}).given(
        events.SeatTaken(seat=seat, role=events.Role.PLAYER, number=1), events.ControlPassed(character="odo", seat=seat)
    )
    scene.when(Move(who="steve", path=("n",)), seat=seat).refused("is the GM's")
    scene.when(Move(who="odo", path=("n",)), seat=seat).refused("It is Steve's turn")
    scene.when(Move(who="odo", path=("n",), out_of_turn=True), seat=seat).refused("--out-of-turn is a ruling")
    scene.when(Place(who="odo", east=1), seat=seat).refused("Only the GM can place")


@rule("R4.36", "Q4.20", "QG.1")
@pytest.mark.parametrize(("speed", "half"), [(30, 15), (25, 12), (35, 17)])
def test_half_the_speed_is_rounded_down(speed: int, half: int) -> None:
    hound = Join(name="Hound", kind="monster", hp=5, speed=speed)
    cut = events.ConditionBegan(character="hound", condition="hamstrung")
    assert scenario(RULESET).given(hound, cut).sheet("hound").amount("speed") == half


def test_anyone_who_was_never_placed_is_nowhere_and_nothing_reaches_them(table) -> None:
    """The square 0,0 is a square like any other once somebody is put on it."""
    scene = table({"steve": (1, 0)}).given(Join(name="Page", kind="npc", hp=4), Join(name="Cook", kind="npc", hp=4))
    assert "Square" not in dict(scene.sheet("page").words)
    scene.when(Attack(attacker="steve", target="page")).refused("Page is on no square", "place page")
    scene.when(Move(who="steve", to=("0", "0"))).then(
        events.Moved(character="steve", east=-1, cost=1), like(events.TraitGained)
    )
    placed = scene.when(Place(who="page")).then(like(events.TraitGained, kind=SQUARE)).go_on()
    assert dict(placed.sheet("page").words)["Square"] == "0,0"
    placed.when(Place(who="cook")).refused("Page is on 0,0")
    placed.when(Place(who="page")).refused("already is on 0,0")
