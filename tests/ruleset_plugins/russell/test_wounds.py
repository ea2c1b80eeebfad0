"""What goes beyond 0 hit points is a Wound, a second one is death, and both bring the conditions that they say."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import Refused, events
from rollbook.rulesets.russell.delve.exploration import Explore
from rollbook.rulesets.russell.delve.fire import Smother
from rollbook.rulesets.russell.delve.rest import Sleep
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.bleeding import Bleed, SetCondition, Stabilise
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndEncounter, EndTurn
from rollbook.rulesets.russell.fight.hit_points import Harm, Heal
from rollbook.rulesets.russell.fight.manoeuvres import Defend, Stand
from rollbook.rulesets.russell.wealth.downtime import TakeDowntime
from rollbook.testing.scenarios import like, rule, with_dice

BEGAN, ENDED, HURT, CHECKED = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.CheckResolved
TURN = 600


def is_in(name: str, condition: str, **more) -> events.Event:
    return BEGAN(character=name, condition=condition, **more)


@rule("R3.14", "Q3.9")
def test_damage_to_exactly_0_wounds_nobody_and_the_next_hit_does(dungeon) -> None:
    at_zero = dungeon().given(Harm(who="cora", amount="6"))
    assert not at_zero.character("cora").has("wounded")
    assert at_zero.sheet("cora").amount("hp") == 0
    at_zero.when(Harm(who="cora", amount="1")).rolling(5, 2).then(
        HURT(character="cora", amount=0, dealt=1), like(BEGAN, condition="wounded", detail="cracked ribs")
    )


@rule("R3.15", "Q3.9", "Q3.10")
def test_damage_beyond_0_is_one_wound_however_much_it_is(dungeon) -> None:
    played = dungeon().when(Harm(who="cora", amount="40")).rolling(6)
    played.then(HURT(character="cora", amount=6, dealt=40), like(BEGAN, condition="wounded"))
    assert not played.character("cora").has("dead")


@rule("R3.15")
def test_the_second_wound_kills(dungeon) -> None:
    wounded = dungeon().given(with_dice(Harm(who="cora", amount="7"), 6))
    played = wounded.when(Harm(who="cora", amount="1")).then(like(BEGAN, condition="dead"))
    assert set(played.character("cora").conditions) == {"wounded", "dead"}


@rule("R3.16", "Q3.12")
@pytest.mark.parametrize(
    ("face", "name", "brings"),
    [
        (1, "head wound", {"helpless", "bleeding"}),
        (2, "gut wound", {"helpless", "bleeding"}),
        (3, "deep cut", {"stunned", "bleeding"}),
        (4, "maimed or broken limb", {"stunned"}),
        (5, "cracked ribs", {"stunned"}),
        (6, "light head wound", {"floored"}),
    ],
)
def test_the_wound_chart(dungeon, face: int, name: str, brings: set[str]) -> None:
    rounds = (4,) if "stunned" in brings else ()
    played = dungeon().when(Harm(who="cora", amount="7")).rolling(face, *rounds)
    found = played.character("cora").conditions
    assert found["wounded"].detail == name
    assert set(found) == {"wounded", *brings}


@rule("R3.16")
def test_the_gm_may_describe_a_wound_instead(dungeon) -> None:
    ear = Harm(who="cora", amount="7", wound="a lost ear", brings=("floored", "bleeding"))
    played = dungeon().when(ear)
    played.never(like(events.DiceRolled, purpose="wound"))
    assert played.character("cora").conditions["wounded"].detail == "a lost ear"
    assert set(played.character("cora").conditions) == {"wounded", "floored", "bleeding"}
    with pytest.raises(Refused, match="bleeding, floored, helpless, stunned"):
        dungeon().when_typed(Harm, who="cora", amount="7", wound="a lost ear", brings=("sad",))
    dungeon().when(Harm(who="cora", amount="7", brings=("stunned",))).refused("--wound")


@rule("Q3.11")
def test_others_fall_at_0_unless_the_table_wounds_them_like_players(dungeon) -> None:
    blow = Harm(who="goblin", amount="4")
    assert dungeon().when(blow).character("goblin").has("dead")
    exact = dungeon(npc_wounds="as_pc").when(blow)
    assert not exact.character("goblin").has("dead")
    assert not exact.character("goblin").has("wounded")
    dungeon(npc_wounds="as_pc").when(Harm(who="goblin", amount="5")).rolling(6).then(like(BEGAN, condition="wounded"))


@rule("Q3.11")
def test_an_attacker_may_spare_whom_they_fell(dungeon) -> None:
    blow = Attack(attacker="aldo", target="goblin", weapon="melee", spare=True)
    played = dungeon().when(blow).rolling(15, 6).then(like(BEGAN, character="goblin", condition="helpless"))
    assert not played.character("goblin").has("dead")


@rule("R3.81", "Q3.50")
def test_bare_hands_do_a_d3_and_knock_out_instead_of_wounding(dungeon) -> None:
    fist = Attack(attacker="goblin", target="cora", weapon="unarmed")
    low = dungeon().given(Harm(who="cora", amount="5"))
    played = low.when(fist).rolling(15, 3).then(like(HURT, amount=1, dealt=3, tags=("unarmed",)))
    assert played.character("cora").has("helpless")
    assert not played.character("cora").has("wounded")
    low.when(Attack(attacker="goblin", target="cora", weapon="unarmed", to_wound=True)).rolling(15, 3, 6).then(
        like(BEGAN, condition="wounded")
    )


@rule("R3.81", "Q3.13")
def test_who_was_knocked_out_comes_round_after_a_turn(dungeon) -> None:
    out = dungeon().given(
        Harm(who="cora", amount="6", tags=("unarmed",)), Harm(who="cora", amount="1", tags=("unarmed",))
    )
    assert out.character("cora").has("helpless")
    out.when(PassTime(amount=9, unit="minutes")).never(ENDED)
    out.when(PassTime(amount=10, unit="minutes")).then(ENDED(character="cora", condition="helpless"))


@rule("R3.91", "Q3.53")
def test_a_blow_at_the_helpless_needs_no_roll_and_deals_one_wound(dungeon) -> None:
    asleep = dungeon().given(is_in("cora", "helpless"))
    blow = Attack(attacker="goblin", target="cora", weapon="melee")
    played = asleep.when(blow).rolling(6)
    played.then(like(CHECKED, success=True, outcome="helpless"), like(BEGAN, condition="wounded")).never(HURT)
    assert played.sheet("cora").amount("hp") == 6
    goblin = dungeon().given(is_in("goblin", "helpless"))
    goblin.when(Attack(attacker="cora", target="goblin", weapon="melee")).then(like(BEGAN, condition="dead"))
    spared = Attack(attacker="cora", target="goblin", weapon="unarmed")
    assert not goblin.when(spared).character("goblin").has("dead")


@rule("R3.91")
def test_the_helpless_do_nothing(dungeon) -> None:
    asleep = dungeon().given(is_in("cora", "helpless"))
    asleep.when(Attack(attacker="cora", target="goblin", weapon="melee")).refused("Cora is helpless")


@rule("R3.89")
def test_the_floored_may_only_defend_or_stand_up_and_are_easy_to_hit(dungeon) -> None:
    down = dungeon().given(is_in("cora", "floored"))
    down.when(Attack(attacker="cora", target="goblin", weapon="melee")).refused("stand cora", "defend cora")
    down.when(Defend(who="cora")).then(like(BEGAN, condition="defending"))
    down.when(Stand(who="cora")).then(ENDED(character="cora", condition="floored"))
    dungeon().when(Stand(who="cora")).refused("is not on the floor")
    strike = Attack(attacker="goblin", target="cora", weapon="melee")
    down.when(strike).rolling(2, 12, 1).then(like(CHECKED, total=12 + 1 + 9, success=True))


@rule("R3.89", "R3.74")
def test_standing_up_takes_the_round(dungeon) -> None:
    fight = dungeon().given(is_in("cora", "floored"), with_dice(BeginEncounter(participants=("cora", "goblin")), 6, 1))
    up = fight.given(Stand(who="cora"))
    up.when(Attack(attacker="cora", target="goblin", weapon="melee")).refused("has acted already")


@rule("R3.90")
def test_the_stunned_do_nothing_and_are_doubly_easy_to_hit(dungeon) -> None:
    dazed = dungeon().given(is_in("cora", "stunned"))
    dazed.when(Attack(attacker="cora", target="goblin", weapon="melee")).refused("Cora is stunned")
    dazed.when(Defend(who="cora")).refused("Cora is stunned")
    strike = Attack(attacker="goblin", target="cora", weapon="melee")
    dazed.when(strike).rolling(2, 6, 1).then(like(CHECKED, total=6 + 4 + 1 + 9, success=True))


@rule("Q3.13", "R3.90")
def test_a_stun_lasts_so_many_rounds_and_at_the_longest_a_turn(dungeon) -> None:
    hurt = with_dice(Harm(who="cora", amount="7"), 5, 2)
    fight = dungeon().given(hurt, with_dice(BeginEncounter(participants=("cora", "goblin")), 3))
    assert fight.character("cora").pools["stunned rounds"] == 2
    second = fight.given(with_dice(EndTurn(), 3))
    assert second.character("cora").has("stunned")
    third = second.when(EndTurn()).rolling(3, 6)
    third.then(ENDED(character="cora", condition="stunned"))
    dungeon().given(hurt).when(PassTime(amount=10, unit="minutes")).then(ENDED(character="cora", condition="stunned"))


@rule("R3.92", "Q3.14")
def test_who_bleeds_saves_at_the_end_of_every_round_and_the_third_failure_is_death(dungeon) -> None:
    bleeding = (is_in("cora", "bleeding"), is_in("cora", "helpless"))
    fight = dungeon().given(*bleeding, with_dice(BeginEncounter(participants=("cora", "goblin")), 3))
    one = fight.given(with_dice(EndTurn(), 11, 3))
    assert one.character("cora").pools["bleeding"] == 1
    made = one.given(with_dice(EndTurn(), 10, 3))
    assert made.character("cora").pools["bleeding"] == 1, "failures add up, and a save takes none back"
    two = made.given(with_dice(EndTurn(), 20, 3))
    two.when(EndTurn()).rolling(19, 3).then(
        like(CHECKED, check="Constitution save", success=False, against="bleeding"),
        like(BEGAN, character="cora", condition="dead"),
    )


@rule("R3.92", "Q3.14", "Q3.13")
def test_a_friend_stops_the_bleeding_with_6_or_more_and_the_count_begins_again(dungeon) -> None:
    hurt = (with_dice(Harm(who="cora", amount="7"), 1), with_dice(Bleed(who="cora"), 15))
    help_ = Stabilise(who="brenna", friend="cora")
    game = dungeon().given(*hurt)
    game.when(help_).rolling(4).then(like(CHECKED, check="first aid", total=5, target=6, success=False))
    played = game.when(help_).rolling(5)
    played.then(like(CHECKED, total=6, success=True), ENDED(character="cora", condition="bleeding"))
    cora = played.character("cora")
    assert cora.pools["bleeding"] == 0
    assert cora.conditions["helpless"].until == TURN
    game.when(Stabilise(who="cora", friend="cora")).refused("a friend has to help")
    dungeon().when(help_).refused("nothing to stop")


@rule("Q3.14")
def test_first_aid_is_the_friends_action_whether_it_works_or_not(dungeon) -> None:
    hurt = with_dice(Harm(who="cora", amount="7"), 2)
    fight = dungeon().given(hurt, with_dice(BeginEncounter(participants=("brenna", "cora", "goblin")), 6, 1))
    tried = fight.given(with_dice(Stabilise(who="brenna", friend="cora"), 1))
    tried.when(Stabilise(who="brenna", friend="cora")).refused("has acted already")
    fight.when(EndEncounter()).refused("Cora still bleeds", "stabilise")


@rule("Q3.13")
def test_first_aid_brings_the_dazed_round(dungeon) -> None:
    hurt = with_dice(Harm(who="cora", amount="7"), 4, 6)
    played = dungeon().given(hurt).when(Stabilise(who="brenna", friend="cora")).rolling(6)
    played.then(ENDED(character="cora", condition="stunned"))
    assert played.character("cora").has("wounded")


@rule("R3.92")
def test_bleeding_goes_on_outside_a_fight_when_the_gm_says_that_a_round_is_over(dungeon) -> None:
    dungeon().given(is_in("cora", "bleeding")).when(Bleed(who="cora")).rolling(10).then(like(CHECKED, success=True))
    dungeon().when(Bleed(who="cora")).refused("is not bleeding")
    fight = with_dice(BeginEncounter(participants=("cora", "goblin")), 6, 1)
    dungeon().given(is_in("cora", "bleeding"), fight).when(Bleed(who="cora")).refused("end-turn")


@rule("R3.22")
def test_a_week_of_care_closes_a_wound_and_magic_may_be_faster(dungeon) -> None:
    wounded = dungeon().given(with_dice(Harm(who="cora", amount="7"), 6))
    week = wounded.when(TakeDowntime(who=("cora",))).rolling(6)
    week.then(ENDED(character="cora", condition="wounded"))
    assert week.sheet("cora").amount("hp") == 6
    uncared = wounded.when(TakeDowntime(who=("cora",), uncared=("cora",))).rolling(6)
    uncared.never(ENDED(character="cora", condition="wounded"))
    wounded.when(Heal(who="cora", amount="0", wound=True)).then(ENDED(character="cora", condition="wounded"), only=True)
    dungeon().when(Heal(who="cora", amount="0", wound=True)).refused("no Wound")


@rule("QG.8", "Q3.13")
def test_the_gm_may_begin_and_end_any_condition(dungeon) -> None:
    dungeon().when(SetCondition(who="cora", condition="stunned")).rolling(3).then(like(BEGAN, condition="stunned"))
    out = dungeon().given(SetCondition(who="cora", condition="helpless"))
    assert out.character("cora").conditions["helpless"].until == TURN
    out.when(SetCondition(who="cora", condition="helpless", ends=True)).then(ENDED, only=True)
    dungeon().when(SetCondition(who="cora", condition="helpless", ends=True)).refused("is not helpless")
    dungeon().when(SetCondition(who="goblin", condition="dead")).then(like(BEGAN, condition="dead"))
    dazed = dungeon().given(with_dice(SetCondition(who="cora", condition="stunned"), 3))
    gone = dazed.when(SetCondition(who="cora", condition="stunned", ends=True))
    assert gone.character("cora").pools["stunned rounds"] == 0
    cut = dungeon().given(SetCondition(who="cora", condition="bleeding"))
    cut.when(SetCondition(who="cora", condition="bleeding", ends=True)).then(ENDED, only=True)
    dungeon().when(SetCondition(who="cora", condition=" ")).refused("is a word")


@rule("R3.92", "R3.70")
@pytest.mark.parametrize(
    ("state", "help_"), [("bleeding", "stabilise FRIEND cora"), ("on fire", "smother FRIEND cora")]
)
def test_there_is_no_turn_to_spare_while_somebody_bleeds_or_burns(dungeon, state: str, help_: str) -> None:
    hurt = dungeon().given(is_in("cora", state))
    for longer in (Explore(), Sleep(who=("aldo",)), TakeDowntime(who=("aldo",))):
        hurt.when(longer).refused("Cora still", help_, "play on")
    fight = hurt.given(with_dice(BeginEncounter(participants=("aldo", "goblin")), 6, 1))
    fight.when(EndEncounter()).refused("Cora still", help_, "end-turn")
    hurt.given(is_in("cora", "dead")).when(Explore()).then(events.TimePassed)


@rule("R3.70")
def test_when_the_fire_is_out_time_goes_on(dungeon) -> None:
    burning = dungeon().given(is_in("cora", "on fire"))
    burning.given(Smother(who="aldo", burning="cora")).when(Explore()).then(events.TimePassed)


@rule("R3.22", "Q3.13")
def test_a_week_of_care_brings_the_helpless_round(dungeon) -> None:
    down = dungeon().given(is_in("cora", "helpless"))
    assert not down.when(TakeDowntime(who=("cora",))).character("cora").has("helpless")
    assert down.when(TakeDowntime(who=("cora",), uncared=("cora",))).character("cora").has("helpless")


@rule("Q3.13", "R3.92")
def test_who_was_knocked_out_and_bleeds_does_not_come_round_by_themselves(dungeon) -> None:
    out = dungeon().given(SetCondition(who="cora", condition="helpless"))
    cut = out.given(Harm(who="cora", amount="7", wound="a split skull", brings=("helpless", "bleeding")))
    assert cut.character("cora").conditions["helpless"].until == 0
    assert cut.given(PassTime(amount=1, unit="hours")).character("cora").has("helpless")


@rule("R3.92", "Q3.13", "R3.70")
def test_a_round_outside_a_fight_is_a_round_for_everything_that_goes_by_rounds(dungeon) -> None:
    """A deep cut bleeds and stuns: the stun wears off round by round outside fights too."""
    cut = dungeon().given(
        events.ConditionBegan(character="cora", condition="bleeding"),
        events.ConditionBegan(character="cora", condition="stunned", until=600),
        events.PoolGained(holder="cora", pool="stunned rounds", amount=2),
    )
    first = cut.when(Bleed(who="cora")).rolling(5)
    first.then(events.PoolSpent(holder="cora", pool="stunned rounds", amount=1, reason="a Round"))
    second = first.go_on().when(Bleed(who="cora")).rolling(5)
    second.then(events.ConditionEnded(character="cora", condition="stunned"))
