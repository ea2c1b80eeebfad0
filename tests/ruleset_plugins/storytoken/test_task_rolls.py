"""The d20: advantage, disadvantage, bonuses, and rolling again for a story token."""

from __future__ import annotations

import pytest

from rollbook.kit import d20
from rollbook.plugin import SecondThought, events, second_thought
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.tasks.checks import Check, Oppose
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule

ROLLED = events.DiceRolled
CLIMB = Check(who="robin", ability="str")


def tokens(who: str, amount: int) -> events.PoolBecame:
    return events.PoolBecame(holder=who, pool="token", amount=amount)


def again(roll: int = 0, keep: str = "", who: str = "robin", kind: str = "reroll") -> SecondThought:
    return second_thought(kind, who, roll=roll, keep=keep)


@rule("R0.15", "R0.5")
def test_a_task_roll_is_a_d20_and_the_ability_and_what_else_counts(sherwood) -> None:
    task = Check(who="holmes", ability="int", topic="clues", bonus=("+2 good light", "-1 fog"))
    expression = "1d20 + 3[INT] + 10[Investigation Expert] + 2[good light] - 1[fog]"
    sherwood().when(task).rolling(7).then(like(ROLLED, expression=expression, total=21, natural=7))


@rule("R0.16", "QG.3")
def test_advantage_keeps_the_higher_die(sherwood) -> None:
    task = Check(who="robin", ability="str", advantage=("rope",))
    sherwood().when(task).rolling(4, 17).then(like(ROLLED, total=18, natural=17, expression="2d20kh1[rope] + 1[STR]"))


@rule("R0.17", "QG.3")
def test_disadvantage_keeps_the_lower_die(sherwood) -> None:
    task = Check(who="robin", ability="str", disadvantage=("rain", "night"))
    sherwood().when(task).rolling(4, 17).then(like(ROLLED, total=5, natural=4))


@rule("QG.4", "Q0.5")
def test_any_number_of_each_cancel_to_a_straight_roll(sherwood) -> None:
    task = Check(who="robin", ability="str", advantage=("rope", "help"), disadvantage=("rain",))
    sherwood().when(task).rolling(9).then(like(ROLLED, total=10))
    both = d20.Advantage(("a",), ("b",))
    assert d20.advantage_dice(both, d20.cancelling_advantage(both)) == "1d20[a, against, b]"


@rule("Q0.8")
@pytest.mark.parametrize(("face", "target", "success"), [(20, "extreme", False), (1, "0", True)])
def test_natural_1_and_20_mean_nothing_outside_attacks(sherwood, face: int, target: str, success: bool) -> None:
    task = Check(who="robin", ability="str", target=target)
    sherwood().when(task).rolling(face).then(like(events.CheckResolved, success=success))


def test_a_bonus_needs_a_number(sherwood) -> None:
    sherwood().when(Check(who="robin", ability="str", bonus=("rope",))).refused("'rope'", "+2 high ground")


def test_labels_survive_anything_that_people_type() -> None:
    assert d20.label("a [nasty]\nlabel") == "a nasty label"
    assert len(d20.label("x" * 200)) == 60
    assert d20.notation("1d20", ()) == "1d20"


@rule("R0.95", "Q0.38")
def test_a_token_rolls_the_same_roll_again_and_the_spender_picks(sherwood) -> None:
    task = Check(who="robin", ability="dex", topic="native stealth", advantage=("cloak",))
    same = "2d20kh1[cloak] + 3[DEX] + 10[Wilderness Expert]"
    sherwood().given(tokens("robin", 2)).when(task, again()).rolling(2, 3, 5, 11).then(
        like(ROLLED, expression=same, total=16, purpose="check"),
        events.PoolSpent(holder="robin", pool="token", amount=1, reason="rolls Robin Hood's check again"),
        like(ROLLED, expression=same, total=24, purpose="check rerolled"),
        like(events.CheckResolved, total=24),
    )


@rule("Q0.38")
@pytest.mark.parametrize(("keep", "total"), [("", 15), ("best", 15), ("new", 6), ("old", 15), ("worst", 6)])
def test_either_roll_may_be_kept(sherwood, keep: str, total: int) -> None:
    played = sherwood().given(tokens("robin", 1)).when(CLIMB, again(keep=keep)).rolling(14, 5)
    played.then(like(events.CheckResolved, total=total))
    assert played.character("robin").pools["token"] == 0


@rule("Q0.38")
def test_several_may_spend_on_the_same_roll(sherwood) -> None:
    twice = (again(keep="new"), again(who="holmes", keep="new"))
    played = sherwood().given(tokens("robin", 1), tokens("holmes", 1)).when(CLIMB, *twice).rolling(2, 3, 4)
    played.then(like(events.CheckResolved, total=5))
    assert [event.holder for event in played.events(events.PoolSpent)] == ["robin", "holmes"]


@rule("R0.95", "Q0.38")
def test_the_roll_of_somebody_else_can_be_rolled_again(sherwood) -> None:
    blow = Attack(attacker="guard", target="robin", weapon="light")
    thought = again(keep="worst")
    sherwood().given(tokens("robin", 1)).when(blow, thought).rolling(20, 3).then(
        like(events.CheckResolved, success=False, outcome="miss")
    )


@rule("Q0.38")
def test_a_natural_20_is_judged_on_the_roll_that_is_kept(sherwood) -> None:
    shot = Attack(attacker="robin", target="guard", weapon="longbow")
    played = sherwood().given(tokens("robin", 1)).when(shot, again()).rolling(1, 20)
    played.then(like(events.CheckResolved, outcome="natural 20"), like(events.DamageTaken, dealt=17))


@rule("Q0.38")
def test_only_d20s_are_rolled_again(sherwood) -> None:
    shot = Attack(attacker="robin", target="guard", weapon="longbow")
    game = sherwood().given(tokens("robin", 1)).when(shot, again(roll=1)).rolling(15, 3)
    game.refused("There is no roll 1 to roll again", "one d20, roll 0")


def test_the_second_of_two_rolls_can_be_named(sherwood) -> None:
    contest = Oppose(who="robin", ability="str", opponent="guard", opponent_ability="str")
    played = sherwood().given(tokens("robin", 1)).when(contest, again(roll=1, keep="worst")).rolling(5, 15, 2)
    played.then(like(ROLLED, roller="guard", purpose="opposed rerolled"), like(events.CheckResolved, success=True))


def test_without_a_token_nothing_is_rolled_again(sherwood) -> None:
    said = sherwood().when(CLIMB, again()).rolling(5, 6).refused("Robin Hood cannot spend a story token", "holds none")
    assert "tempting fate" in said


@rule("Q0.44")
def test_the_unconscious_spend_no_tokens(sherwood) -> None:
    down = sherwood().given(tokens("robin", 1), events.ConditionBegan(character="robin", condition="unconscious"))
    down.when(Check(who="holmes", ability="int"), again()).rolling(5, 6).refused("is unconscious and cannot spend")


def test_anyone_who_has_left_spends_no_tokens(sherwood) -> None:
    gone = sherwood().given(tokens("robin", 1), events.CharacterLeft(character="robin"))
    gone.when(Check(who="holmes", ability="int"), again()).rolling(5, 6).refused("Robin Hood has left the campaign")


@rule("R0.103", "Q0.42")
def test_the_gm_rolls_again_for_a_complication_point(sherwood) -> None:
    points = events.PoolGained(holder="", pool="complication", amount=1)
    blow = Attack(attacker="guard", target="robin", weapon="light")
    played = sherwood().given(points).when(blow, again(who="")).rolling(2, 19, 4)
    played.then(like(events.PoolSpent, holder="", pool="complication"), like(events.CheckResolved, success=True))
    sherwood().when(blow, again(who="")).rolling(2, 19).refused("The GM holds no complication points")


@rule("R0.102", "Q0.41")
def test_fate_can_be_tempted_for_a_reroll(sherwood) -> None:
    played = sherwood().when(CLIMB, again(kind="tempt-fate")).rolling(3, 18)
    played.then(
        like(events.PoolGained, holder="robin", amount=1),
        like(events.PoolGained, holder="", pool="complication", amount=2),
        like(events.PoolSpent, holder="robin", amount=1),
        like(events.CheckResolved, success=True),
    )
    assert played.character("robin").pools["token"] == 0


def test_a_word_that_keeps_neither_roll_is_refused(sherwood) -> None:
    thought = again(keep="both")
    sherwood().given(tokens("robin", 1)).when(CLIMB, thought).rolling(3, 4).refused("best, new, old or worst", "'both'")


@rule("R0.157", "Q0.51")
def test_a_vampires_ability_has_advantage_on_every_task_roll(sherwood) -> None:
    chosen = events.ChoiceMade(character="dracula", choice="heritage-ability", picked="str")
    game = sherwood().given(chosen)
    bite = Attack(attacker="dracula", target="guard", weapon="bite")
    game.when(bite).rolling(2, 15, 3).then(like(ROLLED, natural=15))
    game.when(Save(who="dracula", ability="str")).rolling(2, 15).then(like(ROLLED, natural=15))
    game.when(Save(who="dracula", ability="con")).rolling(2).then(like(ROLLED, natural=2))


@rule("Q0.51")
def test_other_heritages_help_checks_and_saves_but_no_attacks(nobody) -> None:
    game = nobody().given(
        Join(name="Orc", id="orc", kind="monster", heritage="orc", hp=9),
        Join(name="Rat", id="rat", kind="monster", hp=2),
    )
    game.when(Check(who="orc", ability="str")).rolling(2, 15).then(like(ROLLED, natural=15))
    game.when(Save(who="orc", ability="str")).rolling(2, 15).then(like(ROLLED, natural=15))
    game.when(Attack(attacker="orc", target="rat", weapon="light")).rolling(2).then(like(ROLLED, natural=2))
