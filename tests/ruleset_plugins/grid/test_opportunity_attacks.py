"""Attacks of opportunity come at their moment, from those who are free to strike, and do what the rules say to the action."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.plugin import events
from rollbook.rulesets.grid.attack import Attack, Disarm, Hamstring, Trip
from rollbook.rulesets.grid.casting import Cast
from rollbook.rulesets.grid.checks import Act, Check, Stand
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.hit_points import SetCondition
from rollbook.rulesets.grid.movement import Move
from rollbook.rulesets.grid.weapons import weapons_of
from rollbook.testing.scenarios import like, rule, with_dice

CHECK, MOVED, HURT = events.CheckResolved, events.Moved, events.DamageTaken
OPENING = "attack of opportunity"


def by(who: str, **more):
    return like(CHECK, character=who, check=OPENING, **more)


def openings(scene) -> list[str]:
    return [event.character for event in scene.events(CHECK) if event.check == OPENING]


@rule("R4.31", "Q4.17")
def test_coming_into_reach_is_answered_on_arrival_and_before_the_next_square(fight) -> None:
    played = fight({"steve": (0, 0), "boar": (3, 1)}).when(Move(who="steve", path=("e", "e", "e"))).rolling(3)
    played.then(
        MOVED(character="steve", east=1, cost=1),
        MOVED(character="steve", east=1, cost=1),
        by("boar", outcome="miss"),
        MOVED(character="steve", east=1, cost=1),
    )
    assert openings(played) == ["boar"]


@rule("R4.31", "Q4.17")
def test_going_out_of_reach_is_answered_before_the_step_and_shifting_around_is_not(fight) -> None:
    scene = fight({"steve": (0, 0), "boar": (1, 0)})
    scene.when(Move(who="steve", path=("n", "e", "e", "s"))).then(MOVED(character="steve", north=1, cost=1)).never(
        CHECK
    )
    away = scene.when(Move(who="steve", path=("n", "w"))).rolling(3)
    away.then(MOVED(character="steve", north=1, cost=1), by("boar"), MOVED(character="steve", east=-1, cost=1))


@rule("R4.31", "Q4.17")
def test_an_enemy_who_is_kept_busy_by_somebody_else_gets_no_opening_from_a_move(fight) -> None:
    busy = fight({"steve": (0, 0), "odo": (4, 0), "boar": (3, 0)})
    busy.when(Move(who="steve", path=("e", "e"))).then(MOVED).never(CHECK)
    beside = fight({"steve": (2, 0), "odo": (4, 0), "boar": (3, 0)})
    beside.when(Move(who="steve", path=("w",))).then(MOVED).never(CHECK)
    down = fight({"steve": (2, 0), "odo": (4, 0), "boar": (3, 0)}).given(
        events.ConditionBegan(character="odo", condition="incapacitated")
    )
    down.when(Move(who="steve", path=("w",))).rolling(3).then(by("boar"), MOVED)


@rule("Q4.17")
def test_where_the_mover_counts_as_an_opponent_nobody_is_punished_for_leaving(fight) -> None:
    people = {"steve": (2, 0), "boar": (3, 0)}
    fight(people, mover_engages=True).when(Move(who="steve", path=("w",))).then(MOVED).never(CHECK)
    fight(people, mover_engages=False).when(Move(who="steve", path=("w",))).rolling(3).then(by("boar"), MOVED)
    enters = fight({"steve": (1, 0), "boar": (3, 0)}, mover_engages=True)
    enters.when(Move(who="steve", path=("e",))).rolling(3).then(MOVED, by("boar"))


@rule("R4.33", "R4.36", "Q4.17")
def test_there_is_no_limit_to_openings_and_each_is_an_ordinary_attack_that_costs_nothing(fight) -> None:
    scene = fight({"steve": (0, 0), "wolf": (2, 0), "boar": (2, 2)})
    played = scene.when(Move(who="steve", path=("e", "n", "n"))).rolling(3, 4, 5)
    played.then(by("wolf"), by("boar"))
    assert openings(played)[0] == "wolf"
    then = played.go_on().when(Act(who="steve", what="shouts")).rolling(*(2,) * len(_near(played, "steve")))
    assert openings(then) == _near(played, "steve")
    assert not [event for event in then.events(events.TurnSpent) if event.character != "steve"]


def _near(scene, who: str) -> list[str]:
    """The enemies beside a character, in the order of the turns."""
    east, north, _ = scene.character(who).position
    order = scene.after.encounter.order
    people = [scene.character(name) for name in order if name != who]
    return [each.id for each in people if max(abs(each.position[0] - east), abs(each.position[1] - north)) == 1]


@rule("R4.33", "Q4.22")
def test_several_answer_in_the_order_of_their_turns_and_flank_while_they_do(fight) -> None:
    scene = fight({"steve": (1, 0), "wolf": (2, 0), "boar": (0, 0)})
    played = scene.when(Act(who="steve", what="pulls the lever")).rolling(4, 5)
    played.then(by("wolf", total=4 + 3 + 2, target=20), by("boar", total=5 + 5 + 2, target=20))


@rule("Q4.19", "R4.41")
def test_who_falls_on_the_way_stops_there_and_gives_no_more_openings(fight) -> None:
    scene = fight({"jeff": (0, 0), "steve": (2, 0), "odo": (4, 1)})
    played = scene.when(Move(who="jeff", path=("n", "e", "e", "e"))).rolling(15, 8)
    played.then(
        MOVED,
        MOVED,
        by("steve", outcome="hit"),
        like(events.ConditionBegan, character="jeff", condition="incapacitated"),
    )
    assert played.character("jeff").position == (1, 1, 0)
    assert played.character("jeff").has("prone")
    assert openings(played) == ["steve"]


@rule("Q4.19")
def test_who_falls_before_the_first_step_does_not_leave(fight) -> None:
    played = fight({"jeff": (1, 0), "steve": (0, 0)}).when(Move(who="jeff", path=("e", "e"))).rolling(15, 8)
    played.then(by("steve", outcome="hit")).never(MOVED)


@rule("R4.31")
def test_enemies_may_hold_back_and_only_enemies_can(fight) -> None:
    scene = fight({"steve": (0, 0), "boar": (1, 0), "odo": (5, 5)})
    scene.when(Move(who="steve", path=("w",), spare=("boar",))).then(MOVED).never(CHECK)
    scene.when(Move(who="steve", path=("w",), spare=("odo",))).refused("Odo is not a conscious enemy of Steve")


@rule("R4.32", "Q4.18")
@pytest.mark.parametrize(
    "action",
    [
        Act(who="steve", what="drinks"),
        Check(who="steve", skill="intimidate"),
        Stand(who="steve"),
        Attack(attacker="steve", target="boar", weapon="axe", thrown=True),
    ],
)
def test_whatever_is_no_melee_attack_gives_every_enemy_in_reach_an_opening(fight, action) -> None:
    scene = fight({"steve": (1, 0), "wolf": (2, 0), "boar": (0, 0)}).given(
        events.GearGained(character="steve", item="axe", use=("weapon", "axe", "off")),
        events.GearLost(character="steve", item="shield"),
        *([SetCondition(who="steve", condition="prone")] if isinstance(action, Stand) else []),
    )
    rest = {Check: (9,), Attack: (2,)}.get(type(action), ())
    played = scene.when(action).rolling(2, 2, *rest)
    assert openings(played) == ["wolf", "boar"]


@rule("R4.32", "R4.30")
def test_a_melee_attack_gives_none_and_neither_does_anything_while_nobody_is_near(fight) -> None:
    beside = fight({"steve": (0, 0), "boar": (1, 0)})
    beside.when(Attack(attacker="steve", target="boar")).rolling(2).then(CHECK).never(by("boar"))
    apart = fight({"steve": (0, 0), "boar": (2, 0)})
    apart.when(Act(who="steve", what="drinks")).then(events.TurnSpent).never(CHECK)


@rule("R4.30")
def test_allies_and_those_on_no_side_and_the_incapacitated_bring_nobody_into_combat(fight) -> None:
    friends = fight({"steve": (0, 0), "odo": (1, 0), "page": (0, 1)})
    friends.when(Act(who="steve", what="sings")).then(events.TurnSpent).never(CHECK)
    down = fight({"steve": (0, 0), "boar": (1, 0)}).given(
        events.ConditionBegan(character="boar", condition="incapacitated")
    )
    down.when(Act(who="steve", what="sings")).then(events.TurnSpent).never(CHECK)


@rule("R4.31", "R4.32")
def test_outside_a_fight_nobody_waits_for_an_opening(table) -> None:
    scene = table({"steve": (0, 0), "boar": (1, 0)})
    scene.when(Act(who="steve", what="sings")).never(CHECK)
    scene.when(Move(who="steve", path=("w", "w"))).then(MOVED, MOVED).never(CHECK)


@rule("R4.34", "Q4.20")
@pytest.mark.parametrize("manoeuvre", [Trip, Hamstring, Disarm])
def test_a_manoeuvre_fails_if_the_opening_hits_and_else_goes_on(fight, manoeuvre) -> None:
    scene = fight({"steve": (0, 0), "odo": (1, 0)}).given(_turncoat("odo"))
    action = manoeuvre(attacker="steve", target="odo")
    hit = scene.when(action).rolling(17, 3)
    hit.then(by("odo", outcome="hit"), HURT).never(like(CHECK, check=manoeuvre.verb))
    missed = scene.when(action).rolling(2, 1)
    missed.then(by("odo", outcome="miss"), like(CHECK, check=manoeuvre.verb, outcome="fumble"))


def _turncoat(who: str):
    return events.TraitGained(character=who, trait="foes", kind="side")


@rule("R4.34", "Q4.20", "R4.32")
def test_standing_up_and_shooting_go_on_whatever_hits(fight) -> None:
    prone = fight({"steve": (0, 0), "boar": (1, 0)}).given(SetCondition(who="steve", condition="prone"))
    up = prone.when(Stand(who="steve")).rolling(15, 3)
    up.then(by("boar", target=16, outcome="hit"), events.ConditionEnded(character="steve", condition="prone"))
    shot = fight({"steve": (0, 0), "boar": (1, 0)}).given(
        events.GearGained(character="steve", item="axe", use=("weapon", "axe", "both"))
    )
    thrown = shot.when(Attack(attacker="steve", target="boar", weapon="axe", thrown=True)).rolling(20, 3, 3, 2)
    thrown.then(by("boar", outcome="critical hit"), like(CHECK, check="attack"))


@rule("Q4.20")
def test_a_table_may_let_every_hit_spoil_everything_or_nothing(fight) -> None:
    people = {"steve": (0, 0), "boar": (1, 0)}
    prone = SetCondition(who="steve", condition="prone")
    spoils = fight(people, aoo_effect="hit-spoils").given(prone).when(Stand(who="steve")).rolling(15, 3)
    spoils.then(by("boar", outcome="hit")).never(events.ConditionEnded)
    lenient = (
        fight(people, aoo_effect="nothing-spoils").when(Trip(attacker="steve", target="boar")).rolling(20, 3, 3, 9, 1)
    )
    lenient.then(by("boar", outcome="critical hit"), like(CHECK, check="trip"), events.ConditionBegan)
    casters = {"jeff": (0, 0), "odo": (1, 0)}
    cast = Cast(who="jeff", spell="blur")
    fight(casters, aoo_effect="nothing-spoils").when(cast).rolling(12, 1).then(events.ConditionBegan).never(
        like(CHECK, check="Concentration save")
    )
    fight(casters, aoo_effect="hit-spoils").when(cast).rolling(12, 1).then(by("odo")).never(events.ConditionBegan)


@rule("R4.35", "Q4.29")
def test_a_caster_saves_against_the_damage_of_each_opening_that_hits(fight) -> None:
    scene = fight({"jeff": (1, 0), "steve": (0, 0), "odo": (2, 0)}).given(
        events.StatChanged(character="jeff", stat="max_hp", amount=40)
    )
    played = scene.when(Cast(who="jeff", spell="blur")).rolling(5, 2, 5, 6, 3, 5)
    played.then(
        by("steve", outcome="hit"),
        by("odo", outcome="hit"),
        like(CHECK, check="Concentration save", target=5, total=10, success=True),
        like(CHECK, check="Concentration save", target=7, total=12, success=True),
        like(events.ConditionBegan, condition="blurred"),
    )
    lost = scene.when(Cast(who="jeff", spell="blur")).rolling(5, 8, 1, 3)
    lost.then(
        by("odo", outcome="fumble"), like(CHECK, check="Concentration save", target=11, total=10, success=False)
    ).never(like(events.ConditionBegan, condition="blurred"))


@rule("R4.33", "Q4.9")
def test_the_opening_is_taken_with_the_main_hand_alone(fight) -> None:
    scene = fight({"jeff": (1, 0), "steve": (0, 0)}).given(
        events.GearLost(character="steve", item="shield"),
        events.GearGained(character="steve", item="dagger", use=("weapon", "dagger", "off")),
    )
    played = scene.when(Act(who="jeff", what="trembles")).rolling(9, 1)
    played.then(by("steve", total=9 + 8 - 2), like(events.DiceRolled, expression="1d8[sword] + 3[Strength]"))
    assert openings(played) == ["steve"]


@rule("R4.33", "R4.51")
def test_an_archer_answers_with_an_arrow_and_without_one_not_at_all(fight) -> None:
    archer = Join(name="Archer", kind="npc", side="foes", class_name="fighter", weapon="longbow", at=("1", "0"))
    scene = fight({"steve": (0, 0)}).given(archer, events.TurnOrderSet(order=("steve", "archer"), scores=(2, 1)))
    played = scene.when(Act(who="steve", what="waits")).rolling(2)
    played.then(events.GearLost(character="archer", item="arrows"), by("archer"))
    empty = scene.given(events.GearLost(character="archer", item="arrows", count=5))
    empty.when(Act(who="steve", what="waits")).then(events.TurnSpent).never(CHECK)


@rule("R4.28", "Q4.40")
def test_who_is_tripped_lies_there_and_who_is_disarmed_has_the_weapon_at_their_feet(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (1, 0)}).given(_turncoat("odo"))
    tripped = scene.when(Trip(attacker="steve", target="odo", spare=("odo",))).rolling(2, 11)
    tripped.then(
        like(CHECK, check="trip", total=10, target=10, success=True),
        like(CHECK, check="Strength save", target=13, total=12, success=False),
        events.ConditionBegan(character="odo", condition="prone", source="steve"),
    )
    disarmed = scene.when(Disarm(attacker="steve", target="odo", spare=("odo",))).rolling(2, 1)
    disarmed.then(like(events.GearGained, character="odo", item="club", use=("weapon", "club", "down", "1", "0", "0")))
    assert [weapon.place for weapon in weapons_of(disarmed.character("odo"))] == ["down"]
    disarmed.go_on().given(events.TurnSpent(character="steve", what="standard action", amount=-1)).when(
        Disarm(attacker="steve", target="odo", out_of_turn=True)
    ).refused("Odo holds no weapon")
    scene.when(Trip(attacker="steve", target="odo", spare=("odo",))).rolling(2, 12).then(
        like(CHECK, target=13, total=13, success=True)
    ).never(events.ConditionBegan)


@rule("R4.33", "R4.21")
def test_an_opening_can_be_a_critical_hit_like_any_attack(fight) -> None:
    scene = fight({"steve": (0, 0), "boar": (2, 0)})
    hit = with_dice(Move(who="steve", path=("e",)), 20, 6, 6)
    assert scene.given(hit).sheet("steve").amount("hp") == 30


@rule("Q4.20", "QG.8")
def test_nobody_says_of_somebody_elses_enemy_that_it_holds_back(fight) -> None:
    seats = (TakeSeat(seat="Tom"), TakeSeat(seat="Ida"))
    scene = fight({"steve": (0, 0), "boar": (1, 0)}).given(
        *seats, events.ControlPassed(character="steve", seat="Tom"), events.ControlPassed(character="boar", seat="Ida")
    )
    away = Move(who="steve", path=("w",), spare=("boar",))
    scene.when(away, seat="Tom").refused("Whether Boar holds back is not for Tom to say", "--spare")
    scene.when(away).then(MOVED).never(CHECK)
    scene.given(events.ControlPassed(character="boar", seat="Tom")).when(away, seat="Tom").then(MOVED).never(CHECK)


@rule("R4.51", "R4.32")
def test_shooting_with_nothing_is_refused_before_anybody_gets_an_opening(fight) -> None:
    bow = events.GearGained(character="odo", item="bow", use=("weapon", "shortbow", "both"))
    club_away = events.GearGained(character="odo", item="club", count=0, use=("weapon", "club", "down"))
    scene = fight({"odo": (0, 0), "boar": (1, 0)}).given(club_away, bow)
    scene.when(Attack(attacker="odo", target="boar")).refused("Odo has no arrows left")
