"""Initiative is rolled once; turns follow it round after round, and bring and end what lasts for a turn."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter, SetCondition
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import condition, end_turn, fight, fighter, monster, post, rolled, swing, table

ORDER, TURN = events.TurnOrderSet, events.TurnBegan


def begin(*names: str, **more) -> BeginEncounter:
    return BeginEncounter(participants=names, **more)


@rule("R5.41", "R5.42", "R5.44")
def test_the_highest_initiative_acts_first_and_the_order_stays() -> None:
    scene = table().when(begin("kara", "post")).rolling(5, 12)
    scene.then(like(ORDER, order=("post", "kara"), scores=(12, 7)), like(TURN, character="post"))
    scene = end_turn(scene.go_on())
    assert scene.after.encounter.current == "kara"
    next_round = scene.when(EndTurn())
    next_round.then(like(events.TimePassed, seconds=6), events.RoundBegan, like(TURN, character="post")).never(
        events.DiceRolled
    )


@rule("R5.42", "Q5.4")
def test_monsters_of_one_stat_block_share_a_roll_unless_the_table_plays_otherwise() -> None:
    people = (fighter(), monster("Goblin Warrior", id="g1"), monster("Goblin Warrior", id="g2"))
    shared = table(*people).when(begin("kara", "g1", "g2")).rolling(5, 12)
    shared.then(like(ORDER, scores=(14, 14, 7)))
    table(*people, group_initiative=False).when(begin("kara", "g1", "g2")).rolling(5, 12, 3).then(
        like(ORDER, scores=(14, 7, 5))
    )


@rule("R5.43")
def test_the_surprised_roll_initiative_with_disadvantage_and_in_2014_lose_the_first_turn() -> None:
    surprised = begin("kara", "post", surprised=("post",))
    assert rolled(table().when(surprised).rolling(5, 12, 3))[1].startswith("2d20kl1[surprised]")
    old = table(fighter(), post(), edition="2014").when(surprised).rolling(5, 19)
    old.then(like(ORDER, order=("post", "kara")), like(TURN, character="post"), like(TURN, character="kara"))
    after = end_turn(old.go_on())
    assert after.after.encounter.current == "post"


@rule("R5.45", "Q5.11")
def test_who_goes_first_where_initiative_is_level_can_be_said() -> None:
    level = table().when(begin("kara", "post", ties=("post",))).rolling(10, 12)
    level.then(like(ORDER, order=("post", "kara"), scores=(12, 12)))
    table().when(begin("post", "kara")).rolling(12, 10).then(like(ORDER, order=("kara", "post")))


@rule("R5.163", "Q5.3")
def test_initiative_scores_may_stand_in_for_rolls() -> None:
    scene = table(fighter(), monster("Ogre"), initiative="fixed").when(begin("kara", "ogre", surprised=("kara",)))
    scene.then(like(ORDER, order=("ogre", "kara"), scores=(9, 7))).never(events.DiceRolled)


@rule("R5.163", "R5.135", "Q5.3")
def test_initiative_scores_take_what_a_roll_would_add_and_lose() -> None:
    tired = SetCondition(who="kara", condition="exhaustion")
    scene = table(fighter(), monster("Ogre"), initiative="fixed").given(tired).when(begin("kara", "ogre"))
    scene.then(like(ORDER, order=("kara", "ogre"), scores=(10, 9)))


@rule("R5.48", "R5.49", "Q5.12")
def test_a_turn_may_pass_and_a_fight_ends() -> None:
    scene = end_turn(fight(table()))
    over = scene.given(condition("kara", "reaction used")).when(EndEncounter())
    over.then(like(events.ConditionEnded, condition="reaction used"), events.EncounterEnded)


def test_a_latecomer_rolls_and_takes_a_place_in_the_order() -> None:
    scene = fight(table(fighter(), post(), monster("Ogre"))).when(JoinEncounter(who="ogre")).rolling(19)
    assert scene.after.encounter.order == ("kara", "ogre", "post")


@rule("R5.190", "Q5.6")
@pytest.mark.parametrize(
    ("lasts", "until"),
    [
        ("end of the source's next turn", 3),
        ("start of the source's next turn", 2),
        ("end of the target's next turn", 2),
    ],
)
def test_a_condition_ends_with_the_turn_that_it_says(lasts, until) -> None:
    scene = fight(table()).given(SetCondition(who="post", condition="poisoned", source="kara", lasts=lasts))
    for _ in range(until - 1):
        scene = end_turn(scene)
        assert scene.character("post").has("poisoned")
    assert not end_turn(scene).character("post").has("poisoned")


def test_a_span_ends_with_the_round_in_which_it_is_over() -> None:
    scene = fight(table()).given(SetCondition(who="post", condition="poisoned", lasts="2 rounds"))
    for _ in range(3):
        scene = end_turn(scene)
    assert scene.character("post").has("poisoned")
    assert not end_turn(scene).character("post").has("poisoned")


@rule("R5.7")
def test_a_save_at_the_end_of_the_turn_ends_what_it_may_end() -> None:
    poisoned = condition("kara", "poisoned", save="con", dc=15, when=("target's turn end",))
    scene = fight(table()).given(poisoned).when(EndTurn()).rolling(10)
    scene.never(like(events.ConditionEnded, condition="poisoned"))
    fight(table()).given(poisoned).when(EndTurn()).rolling(11).then(
        like(events.CheckResolved, check="Constitution save", target=15),
        like(events.ConditionEnded, condition="poisoned"),
    )


@rule("R5.94", "R5.44")
def test_the_dead_have_no_turn() -> None:
    scene = fight(table(fighter(), post(), post(name="Third")), "kara", "post", "third")
    scene = scene.given(SetCondition(who="post", condition="dead"))
    assert end_turn(scene).after.encounter.current == "third"


@rule("R5.46", "R5.30")
def test_nobody_acts_out_of_turn_and_a_reaction_is_used_once() -> None:
    scene = fight(table())
    scene.when(swing("kara", "post", weapon="unarmed")).refused("It is Kara's turn")
    react = swing("kara", "post", weapon="unarmed", cost="reaction")
    scene = scene.when(react).rolling(2).go_on()
    scene.when(react).refused("used the reaction already")
    scene.when(swing("kara", "post", weapon="unarmed", out_of_turn=True)).rolling(2).then(events.CheckResolved)


def test_the_board_says_what_is_left_of_the_turn() -> None:
    scene: Scenario = fight(table(fighter(level=5), post()))
    board = scene.ruleset.board(scene.after)
    assert board.left == ("an action", "a bonus action", "30 ft", "a reaction")
    attacked = scene.given(with_dice(swing(), 2))
    assert attacked.ruleset.board(attacked.after).left == ("1 attack", "a bonus action", "30 ft", "a reaction")
    assert board.next == ("post",)


def test_the_board_says_how_high_somebody_is() -> None:
    scene = fight(table(fighter(at=("0", "0", "4")), post(at=("1", "0"))))
    pieces = scene.ruleset.board(scene.after).pieces
    assert (pieces["kara"].where, pieces["post"].where) == ("0,0,4", "1,0")
