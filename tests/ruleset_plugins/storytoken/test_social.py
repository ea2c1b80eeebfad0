"""The hostile become neutral, the neutral friendly, and friends do favours."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.sessions import FrameScene
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken.character.levels import Choose
from rollbook.rulesets.storytoken.story.social import Influence, SetAttitude, attitude_of
from rollbook.testing.scenarios import like, rule, with_dice

TALK = Influence(who="robin", target="marian")
CHECKED = events.CheckResolved


def attitude_set(attitude: str) -> SetAttitude:
    return SetAttitude(who="marian", attitude=attitude)


@rule("R0.105", "R0.106", "Q0.45")
@pytest.mark.parametrize(("attitude", "goal", "better"), [("neutral", 15, "friendly"), ("hostile", 25, "neutral")])
def test_success_betters_an_attitude_by_one_step(sherwood, attitude: str, goal: int, better: str) -> None:
    talk = Influence(who="robin", target="marian", bonus=("+8 gift",))
    game = sherwood().given(attitude_set(attitude))
    won = game.when(talk).rolling(goal - 10)
    won.then(
        like(CHECKED, target=goal, success=True, outcome=better),
        events.TraitLost(character="marian", trait=attitude, kind="attitude"),
        events.TraitGained(character="marian", trait=better, kind="attitude"),
    )
    assert attitude_of(won.character("marian")) == better
    lost = game.when(talk).rolling(goal - 11).then(like(CHECKED, success=False)).never(events.TraitGained)
    assert attitude_of(lost.character("marian")) == attitude


@rule("R0.104", "R0.107")
def test_a_friend_grants_a_favour_named_at_once_or_later(sherwood) -> None:
    friend = sherwood().given(attitude_set("friendly"))
    asked = Influence(who="robin", target="marian", favour="secret")
    friend.when(asked).rolling(3).then(
        like(CHECKED, target=5, success=True),
        like(events.PowerUsed, power="favour", target="marian"),
        events.ChoiceMade(character="robin", choice="favour-marian", picked="secret"),
    )
    later = friend.when(TALK).rolling(3).go_on()
    assert set(later.character("robin").choices["favour-marian"].keys) == {
        "secret",
        "intentions",
        "access",
        "gear",
        "other",
    }
    later.when(Choose(who="robin", choice="favour-marian", picked="access")).then(events.ChoiceMade)
    friend.when(TALK).rolling(2).never(events.ChoiceOffered)


@rule("R0.104", "Q0.45", "Q0.70")
def test_a_favour_is_for_once_a_day(sherwood) -> None:
    def asked(**settings):
        late = PassTime(amount=23, unit="hours")
        game = sherwood(**settings).given(
            attitude_set("friendly"), late, with_dice(TALK, 12), FrameScene(title="later")
        )
        return game.given(PassTime(amount=2, unit="hours"))

    asked().when(TALK).refused("already done Robin Hood a favour today")
    asked().given(PassTime(amount=22, unit="hours")).when(TALK).rolling(12).then(events.PowerUsed)
    asked(per_day="calendar").when(TALK).rolling(12).then(events.PowerUsed)


@rule("Q0.45")
def test_there_is_one_roll_in_a_scene_unless_the_gm_allows_another(sherwood) -> None:
    game = sherwood().given(FrameScene(title="the fair"), with_dice(TALK, 2))
    game.when(TALK).refused("already tried to influence Marian in this scene")
    game.when(Influence(who="robin", target="marian", again=True)).rolling(15).then(like(CHECKED, success=True))
    game.when(Influence(who="holmes", target="marian")).rolling(2).then(CHECKED)
    game.given(FrameScene(title="the fair, again")).when(TALK).rolling(2).then(CHECKED)


@rule("Q0.46")
def test_a_role_helps_where_its_topic_fits(sherwood) -> None:
    talk = Influence(who="robin", target="marian", topic="negotiate")
    sherwood().when(talk).rolling(3).then(like(events.DiceRolled, expression="1d20 + 2[CHA] + 10[Leadership Expert]"))


def test_only_friends_are_asked_for_favours(sherwood) -> None:
    asked = Influence(who="robin", target="marian", favour="secret")
    sherwood().when(asked).refused("Marian is neutral, and only the friendly grant favours")
    sherwood().when(Influence(who="robin", target="robin")).refused("cannot influence Robin Hood")


@rule("Q0.45")
def test_an_attitude_is_set_by_ruling_and_shows_on_the_sheet(sherwood) -> None:
    game = sherwood().given(SetAttitude(who="marian", attitude="hostile", reason="the reeve lied to her"))
    assert ("Attitude", "hostile") in game.sheet("marian").words
    game.when(attitude_set("hostile")).refused("already hostile")
