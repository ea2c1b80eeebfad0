"""Hit points stop at 0, which is defeat; healing brings them back, and only a ruling brings back the dead."""

from __future__ import annotations

from rollbook.domain.actions.characters import Adjust
from rollbook.plugin import events
from rollbook.rulesets.powers.hit_points import Harm, Heal, SetCondition
from rollbook.testing.scenarios import Scenario, like, rule

BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded


def status(scene: Scenario, who: str) -> str:
    return dict(scene.sheet(who).words)["Status"]


@rule("Q2.10")
def test_at_0_hit_points_somebody_is_defeated_and_loses_no_more(table) -> None:
    fall = table().when(Harm(who="dan", amount="3d6", source="the stairs", tags=("fall",))).rolling(4, 4, 3)
    fall.then(
        events.DamageTaken(character="dan", amount=8, dealt=11, tags=("fall",), source="the stairs"),
        BEGAN(character="dan", condition="defeated"),
    )
    assert fall.sheet("dan").amount("hp") == 0
    assert status(fall, "dan") == "Defeated"
    fall.go_on().when(Harm(who="dan", amount="5")).then(like(events.DamageTaken, amount=0, dealt=5)).never(BEGAN)


@rule("Q2.10")
def test_healing_ends_defeat_and_stops_at_the_maximum(table) -> None:
    down = table().given(Harm(who="dan", amount="8"))
    healed = down.when(Heal(who="dan", amount="2d6", source="tea")).rolling(6, 5)
    healed.then(
        events.HitPointsRestored(character="dan", amount=8, source="tea"), ENDED(character="dan", condition="defeated")
    )
    assert status(healed, "dan") == "Unhurt"
    down.when(Heal(who="dan", amount="0")).never(events.HitPointsRestored, ENDED)
    table().when(Heal(who="dan", amount="3")).refused("nothing to heal")


def test_harm_of_nothing_leaves_nothing(table) -> None:
    table().when(Harm(who="dan", amount="1d4-4")).rolling(2).never(events.DamageTaken)
    hurt = table().given(Harm(who="dan", amount="3"))
    assert status(hurt, "dan") == "Hurt"
    assert hurt.before.characters["dan"].lost == 3


@rule("QG.8", "Q2.10")
def test_a_ruling_on_the_maximum_or_on_hit_points_settles_who_is_defeated(table) -> None:
    frail = Adjust(who="dan", what="max_hp", by=-3, reason="a curse")
    hurt = table().given(Harm(who="dan", amount="5"))
    hurt.when(frail).then(events.HitPointsRestored(character="dan", amount=3, tags=("maximum fell",))).never(BEGAN)
    hurt.when(Adjust(who="dan", what="hp", by=-3, reason="forgotten")).then(
        BEGAN(character="dan", condition="defeated")
    )
    down = table().given(Harm(who="dan", amount="8"))
    down.when(Adjust(who="dan", what="hp", by=2, reason="miscounted")).then(
        ENDED(character="dan", condition="defeated")
    )


@rule("QG.8", "QG.9")
def test_only_hit_points_given_by_ruling_bring_back_the_dead(table) -> None:
    dead = table().given(Harm(who="dan", amount="8"), BEGAN(character="dan", condition="dead"))
    assert status(dead, "dan") == "Dead"
    dead.when(Heal(who="dan", amount="3")).refused("Dan is dead")
    dead.when(Adjust(who="dan", what="wis", by=1, reason="late wisdom")).never(ENDED)
    dead.when(Adjust(who="dan", what="hp", by=2, reason="a miracle")).then(ENDED(character="dan", condition="dead"))


def test_conditions_are_words_that_the_gm_begins_and_ends(table) -> None:
    scared = SetCondition(who="dan", condition="scared")
    table().when(scared).then(BEGAN(character="dan", condition="scared"))
    both = table().given(scared)
    both.when(scared).refused("Dan is already scared")
    both.when(SetCondition(who="dan", condition="scared", ends=True)).then(ENDED(character="dan", condition="scared"))
    table().when(SetCondition(who="dan", condition="scared", ends=True)).refused("Dan is not scared")
    table().when(SetCondition(who="dan", condition="defeated")).refused("follows from the game", "harm, heal")
    table().when(SetCondition(who="dan", condition=" ")).refused("A condition is a word")


def test_the_gms_dice_are_the_gms(table) -> None:
    ana = events.SeatTaken(seat="Ana", role=events.Role.GM, number=0)
    fall = table().given(ana).when(Harm(who="dan", amount="1d6"), seat="Ana").rolling(2)
    fall.then(like(events.DiceRolled, roller="Ana", purpose="damage"))
