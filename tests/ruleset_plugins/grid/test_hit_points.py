"""Conscious, incapacitated, stabilised, dead: what hit points come to, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Adjust
from rollbook.kit.sides import Side
from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.attack import Attack
from rollbook.rulesets.grid.casting import Cast
from rollbook.rulesets.grid.checks import Act, Stabilise, Stand
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.encounter import EndTurn
from rollbook.rulesets.grid.hit_points import Harm, Heal, SetCondition
from rollbook.rulesets.grid.movement import Move
from rollbook.testing.scenarios import Scenario, like, rule, scenario, with_dice

BEGAN, ENDED, HURT, HEALED = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.HitPointsRestored
ANN = Join(name="Ann", kind="npc", hp=5)


def hurt(amount: int, before: int = 0) -> Scenario:
    scene = scenario(RULESET).given(ANN)
    if before:
        scene.given(Harm(who="ann", amount=str(before)))
    return scene.when(Harm(who="ann", amount=str(amount)))


@rule("R4.40", "R4.41", "R4.42", "Q4.38")
@pytest.mark.parametrize(
    ("damage", "hp", "status"),
    [(4, 1, "Conscious"), (5, 0, "Dying"), (14, -9, "Dying"), (15, -10, "Dead"), (40, -35, "Dead")],
)
def test_hit_points_say_who_is_conscious_down_or_dead_even_at_one_blow(damage, hp, status) -> None:
    scene = hurt(damage)
    assert (scene.sheet("ann").amount("hp"), dict(scene.sheet("ann").words)["Status"]) == (hp, status)
    assert scene.character("ann").has("incapacitated") == (status == "Dying")
    assert scene.character("ann").has("prone") == (status == "Dying")


@rule("R4.41")
def test_death_at_one_blow_does_not_pass_through_incapacity() -> None:
    hurt(15).then(
        HURT(character="ann", amount=15, dealt=15), BEGAN(character="ann", condition="dead"), only=False
    ).never(like(BEGAN, condition="incapacitated"))


@rule("R4.42", "R4.2")
def test_the_incapacitated_can_do_nothing_at_all(fight) -> None:
    scene = fight({"steve": (0, 0), "boar": (1, 0)}).given(Harm(who="steve", amount="43"))
    for action in (
        Act(who="steve", what="crawls"),
        Stand(who="steve"),
        Move(who="steve", path=("w",)),
        Attack(attacker="steve", target="boar"),
    ):
        scene.when(action).refused("Steve is incapacitated and cannot act", "Healing")


@rule("R4.43", "Q4.25", "Q4.28")
def test_the_dying_keep_a_turn_in_which_they_bleed_or_stabilise(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (5, 5), "boar": (9, 9)}).given(Harm(who="odo", amount="40"))
    bleeds = scene.when(EndTurn()).rolling(9)
    bleeds.then(
        events.TurnBegan(character="odo"),
        like(events.DiceRolled, roller="odo", purpose="dying", expression="1d10", total=9),
        HURT(character="odo", amount=1, dealt=1, source="dying"),
        events.TurnEnded(character="odo"),
        events.TurnBegan(character="boar"),
    )
    assert bleeds.sheet("odo").amount("hp") == -5
    lucky = scene.when(EndTurn()).rolling(10)
    lucky.then(BEGAN(character="odo", condition="stable")).never(HURT)


@rule("R4.43", "R4.41")
def test_one_who_bleeds_long_enough_dies_of_it(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (5, 5), "boar": (9, 9)}).given(Harm(who="odo", amount="45"))
    scene.when(EndTurn()).rolling(1).then(BEGAN(character="odo", condition="dead"), events.TurnBegan(character="boar"))


@rule("R4.46", "Q4.26")
def test_the_stabilised_gain_a_hit_point_each_turn_and_wake_up_on_the_ground(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (5, 5), "boar": (9, 9)}).given(
        Harm(who="odo", amount="36"), BEGAN(character="odo", condition="stable")
    )
    wakes = scene.when(EndTurn())
    wakes.then(
        events.TurnBegan(character="odo"),
        HEALED(character="odo", amount=1, source="stabilised"),
        ENDED(character="odo", condition="incapacitated"),
    )
    wakes.never(events.DiceRolled)
    assert wakes.after.encounter.current == "odo"
    assert set(wakes.character("odo").conditions) == {"prone"}
    still = scene.go_on().given(Harm(who="odo", amount="3")).when(EndTurn())
    assert still.sheet("odo").amount("hp") == -2
    assert still.after.encounter.current == "boar"


@rule("R4.46", "Q4.27")
def test_damage_does_not_undo_being_stabilised_but_can_kill() -> None:
    stable = hurt(7).go_on().given(BEGAN(character="ann", condition="stable"))
    again = stable.when(Harm(who="ann", amount="4"))
    assert set(again.character("ann").conditions) == {"incapacitated", "prone", "stable"}
    assert dict(again.sheet("ann").words)["Status"] == "Stabilised"
    stable.when(Harm(who="ann", amount="8")).then(BEGAN(character="ann", condition="dead"))


@rule("R4.44", "Q4.25")
def test_any_healing_stabilises_and_enough_of_it_wakes() -> None:
    little = hurt(9).go_on().when(Heal(who="ann", amount="1"))
    little.then(HEALED(character="ann", amount=1), BEGAN(character="ann", condition="stable"))
    enough = hurt(9).go_on().when(Heal(who="ann", amount="5"))
    enough.then(ENDED(character="ann", condition="incapacitated"), ENDED(character="ann", condition="stable"))
    assert set(enough.character("ann").conditions) == {"prone"}
    hurt(0 + 9, 0).go_on().given(Heal(who="ann", amount="100")).when(Heal(who="ann", amount="1")).refused(
        "no hit points"
    )


@rule("R4.44", "R4.55")
def test_a_cure_spell_stabilises_as_well(table) -> None:
    scene = table({"odo": (0, 0), "steve": (1, 0)}).given(Harm(who="steve", amount="50"))
    played = scene.when(Cast(who="odo", spell="cure light wounds", targets=("steve",))).rolling(4)
    played.then(
        HEALED(character="steve", amount=5, source="Cure Light Wounds"), BEGAN(character="steve", condition="stable")
    )


@rule("R4.45", "R4.26")
def test_an_ally_stabilises_with_a_heal_check_of_fifteen_beside_the_dying(table) -> None:
    scene = table({"odo": (0, 0), "steve": (1, 0), "tamsin": (5, 0)}).given(Harm(who="steve", amount="45"))
    helps = Stabilise(who="odo", patient="steve")
    scene.when(helps).rolling(4).then(
        like(events.CheckResolved, character="odo", check="Heal check", total=15, target=15, success=True),
        BEGAN(character="steve", condition="stable"),
    )
    scene.when(helps).rolling(3).then(like(events.CheckResolved, success=False)).never(BEGAN)
    scene.when(Stabilise(who="tamsin", patient="steve")).refused("4 squares")
    scene.when(Stabilise(who="odo", patient="tamsin")).refused("Tamsin is not dying")
    scene.when(Stabilise(who="steve", patient="steve")).refused("incapacitated and cannot act")


@rule("R4.45")
def test_an_enemy_or_a_bystander_stabilises_nobody(table) -> None:
    scene = table({"odo": (0, 0), "steve": (1, 0)}).given(Harm(who="steve", amount="45"))
    for side in ("foes", "neither"):
        scene.given(Side(who="odo", side=side)).when(Stabilise(who="odo", patient="steve")).refused("Only an ally")


@rule("QG.9")
def test_death_is_final_but_for_a_ruling() -> None:
    dead = hurt(15).go_on()
    dead.when(Heal(who="ann", amount="20")).refused("Ann is dead")
    risen = dead.when(Adjust(who="ann", what="hp", by=8, reason="a miracle"))
    risen.then(ENDED(character="ann", condition="dead"), BEGAN(character="ann", condition="incapacitated"))
    assert risen.sheet("ann").amount("hp") == -2


@rule("R4.7")
def test_a_maximum_that_falls_takes_damage_with_it() -> None:
    scene = hurt(3).go_on().when(Adjust(who="ann", what="max_hp", by=-2, reason="old age"))
    assert str(scene.sheet("ann").value("hp")) == "2 of 3"


@rule("R4.42", "R4.47")
def test_the_gm_says_who_lies_down_but_not_who_is_dying() -> None:
    scene = scenario(RULESET).given(ANN)
    scene.when(SetCondition(who="ann", condition="prone")).then(BEGAN(character="ann", condition="prone"))
    scene.when(SetCondition(who="ann", condition="dead")).refused("follows from the game", "harm, heal")
    scene.when(SetCondition(who="ann", condition="prone", ends=True)).refused("not prone")
    down = hurt(6).go_on()
    down.when(SetCondition(who="ann", condition="prone", ends=True)).refused("incapacitated and lies")


@rule("R4.40", "R4.41", "R4.42", "Q4.38")
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), max_size=8))
def test_whatever_happens_hit_points_and_conditions_agree(blows) -> None:
    scene = scenario(RULESET).given(ANN)
    for heals, amount in blows:
        who = scene.before.characters["ann"]
        if who.has("dead") or (heals and not who.lost):
            continue
        scene = scene.when((Heal if heals else Harm)(who="ann", amount=str(amount))).go_on()
        who, left = scene.before.characters["ann"], scene.sheet("ann").amount("hp")
        assert who.has("dead") == (left <= -10)
        assert who.has("incapacitated") == (-10 < left <= 0) or who.has("dead")
        assert not who.has("stable") or who.has("incapacitated") or who.has("dead")
        assert left <= 5


@rule("R4.43")
def test_bleeding_waits_for_the_own_turn(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (5, 5), "boar": (9, 9)}).given(Harm(who="boar", amount="32"))
    scene.when(EndTurn()).then(events.TurnBegan(character="odo")).never(events.DiceRolled)
    turn = scene.given(EndTurn()).when(EndTurn()).rolling(10, 20, 15, 10)
    turn.then(events.TurnBegan(character="boar"), BEGAN(character="boar", condition="stable"), events.RoundEnded)


def test_who_has_no_hit_points_cannot_lose_any() -> None:
    scene = scenario(RULESET).given(events.CharacterJoined(character="ghost", name="Ghost"))
    scene.when(Harm(who="ghost", amount="3")).refused("Ghost has no hit points", "max_hp")
    assert with_dice(Harm(who="ghost", amount="3")).dice == ()
