"""What may be refused is forecast too; a forecast itself changes nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.entries import Intent
from rollbook.domain.forecast import search
from rollbook.domain.forecast.roll_outcomes import TooMany
from rollbook.domain.forecast.search import forecast
from rollbook.domain.forecast.undecided import is_undecided
from rollbook.domain.rules.action import intent_of
from rollbook.domain.state.campaign_state import equal_in_order
from rollbook.plugin import events
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.testing.scenarios import scenario
from tests.support import toy
from tests.support.bones import BOOK, Crash, Ghost, Look, Storm, Tie, bones, seen, sherwood, toys
from tests.support.toy import TOY


def test_what_is_refused_whatever_falls_is_refused() -> None:
    with pytest.raises(Refused, match="is not hurt"):
        seen(toys(), toy.Heal(who="guard"))
    with pytest.raises(NotFound, match="nobody"):
        seen(bones(), Ghost(who="nobody"))
    with pytest.raises(Refused, match="whole roll|nothing to roll|not read"):
        seen(bones(), Look(roll="", way="nothing"))
    with pytest.raises(NotFound, match="frobnicate"):
        forecast(BOOK, bones(), Intent(verb="frobnicate"))


def test_what_is_refused_for_some_dice_has_a_share() -> None:
    found = seen(bones(), Look(roll="1d6", way="refuse"))
    assert [(each.sentence, each.chance) for each in found.refusals] == [
        ("1 is not enough.", Fraction(1, 6)),
        ("2 is not enough.", Fraction(1, 6)),
    ]
    assert [story.chance for story in found.stories] == [Fraction(2, 3)]


def test_a_seat_may_not_ask_for_what_it_may_not_do() -> None:
    seated = [events.SeatTaken(seat="Ana", role=events.Role.GM, number=0)]
    seated += [events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)]
    campaign = scenario(TOY).given(*seated, events.CharacterJoined(character="robin", name="Robin")).before
    action = toy.Bet(who="robin", dice=1)
    assert forecast(BOOK, campaign, intent_of(action), seat="Ana").paths == 1
    with pytest.raises(Refused, match="Robin is the GM's; Mira cannot act for them"):
        forecast(BOOK, campaign, intent_of(action), seat="Mira")


def test_too_many_dice_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_STEPS", 200_000)
    for action in (
        Look(roll="12d6", way="dice"),
        Look(roll="1d1000000", way="nothing"),
        Look(roll="9d10x", way="first"),
        Storm(who=tuple(f"guard{at}" for at in range(40))),
    ):
        with pytest.raises(TooMany, match=r"fewer targets, or fewer dice\.$"):
            seen(bones(*(f"guard{at}" for at in range(40))), action)


def test_a_thousandth_at_most_is_left_out_where_it_would_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_STEPS", 24_000)
    found = seen(bones(), Tie(sides=20))
    assert Fraction(1, 100_000) < found.not_followed <= search.TOLERATED
    assert sum(story.chance for story in found.stories) == 1
    monkeypatch.setattr(search, "MOST_STEPS", 3_000)
    with pytest.raises(TooMany):
        seen(bones(), Tie(sides=20))


def test_rules_that_go_wrong_go_wrong_here_too() -> None:
    with pytest.raises(ZeroDivisionError):
        seen(bones(), Crash())


def test_a_forecast_changes_nothing() -> None:
    campaign, again = sherwood(), sherwood()
    seen(campaign, Attack(attacker="robin", target="guard", weapon="heavy-melee", carry_to=("deputy",)))
    assert equal_in_order(campaign.characters, again.characters)
    assert campaign == again
    assert not any(is_undecided(who.lost) for who in campaign.characters.values())


def test_the_same_question_has_the_same_answer() -> None:
    action = toy.Attack(attacker="robin", target="guard")
    assert seen(toys(), action) == seen(toys(), action)
