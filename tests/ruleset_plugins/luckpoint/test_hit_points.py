"""Five tiers lie between full health and death, and below the fourth it takes a medic to stop the bleeding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Adjust, Drop, Give
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.attack import Attack
from rollbook.rulesets.luckpoint.checks import GiveAid
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.encounter import EndEncounter, EndTurn
from rollbook.rulesets.luckpoint.hit_points import Harm, Heal, Tier, max_hp, tier
from rollbook.rulesets.luckpoint.movement import Move
from rollbook.rulesets.luckpoint.settings import OWN_TURN
from rollbook.testing.scenarios import Scenario, like, rule, scenario, with_dice
from tests.support.luckpoint import (
    BEGAN,
    CHECKED,
    ENDED,
    HEALED,
    HURT,
    ROLLED,
    at_table,
    hours_pass,
    in_fight,
    in_rolled_order,
    with_damage,
)

AID = GiveAid(who="ben", patient="ada")


def states(game: Scenario, who: str = "ada") -> set[str]:
    return set(game.character(who).conditions)


def hp(game: Scenario, who: str = "ada") -> int:
    return game.sheet(who).amount("hp")


def begins(who: str, condition: str) -> events.Event:
    return BEGAN(character=who, condition=condition)


def ends(who: str, condition: str) -> events.Event:
    return ENDED(character=who, condition=condition)


# The maximum.


@rule("R1.42", "Q1.1", "Q1.36")
@pytest.mark.parametrize(("endurance", "most"), [(-1, 5), (0, 5), (1, 5), (2, 10), (3, 15), (6, 30)])
def test_hit_points_are_five_for_each_point_of_endurance_and_at_least_five(endurance: int, most: int) -> None:
    game = scenario(RULESET).given(Join(name="Kit", kind="npc", abilities=("0", "0", str(endurance), "0", "0", "0")))
    assert game.sheet("kit").amount("max_hp") == most
    game.given(events.LevelGained(character="kit", levels=7))
    assert game.sheet("kit").amount("max_hp") == most


@rule("Q1.2")
def test_a_maximum_that_rises_lifts_the_hit_points_by_as_much() -> None:
    game = with_damage(at_table(), "ada", 4).given(Adjust(who="ada", what="con", by=1, reason="a long winter"))
    assert str(game.sheet("ada").value("hp")) == "16 of 20"


@rule("Q1.2")
def test_a_maximum_that_rises_does_not_raise_the_dead() -> None:
    game = with_damage(at_table(), "ada", 30).given(Adjust(who="ada", what="con", by=5, reason="too late"))
    assert "dead" in states(game)


@rule("Q1.2")
def test_a_maximum_that_falls_takes_no_more_than_what_is_above_it() -> None:
    game = with_damage(at_table(), "ada", 4).given(Adjust(who="ada", what="con", by=-1, reason="fever"))
    assert str(game.sheet("ada").value("hp")) == "10 of 10"


# The tiers.


@rule("R1.43", "R1.44", "R1.45", "R1.46", "R1.48", "Q1.14", "Q1.15")
@given(endurance=st.integers(1, 30), lost=st.integers(0, 400))
def test_the_tiers_share_out_every_number_of_hit_points(endurance: int, lost: int) -> None:
    kit = Join(name="Kit", kind="npc", abilities=("0", "0", str(endurance), "0", "0", "0"))
    who = scenario(RULESET).given(kit, events.DamageTaken(character="kit", amount=lost, dealt=lost)).character("kit")
    most = 5 * endurance
    left = most - lost
    holds = {
        Tier.FULL: left == most,
        Tier.LIGHT: most / 2 < left < most,
        Tier.SERIOUS: 0 < left <= most / 2,
        Tier.CRITICAL: -most < left <= 0,
        Tier.DEAD: left <= -most,
    }
    assert max_hp(who) == most
    assert [each for each, is_so in holds.items() if is_so] == [tier(who)]


@rule("Q1.15", "R1.44", "R1.45")
@pytest.mark.parametrize(("lost", "word"), [(0, "Full Health"), (7, "Light Wounds"), (8, "Serious Wounds (Bloodied)")])
def test_of_15_hit_points_8_are_light_wounds_and_7_are_serious(lost: int, word: str) -> None:
    game = with_damage(at_table(), "ada", lost) if lost else at_table()
    assert dict(game.sheet("ada").words)["Wounds"] == word
    assert not states(game)


@rule("R1.46", "R1.47")
def test_at_0_somebody_is_critical_prone_and_bleeding() -> None:
    game = at_table().when(Harm(who="ada", amount="15"))
    game.then(like(HURT, amount=15), begins("ada", "critical"), begins("ada", "prone"), begins("ada", "bleeding"))
    assert dict(game.sheet("ada").words)["Wounds"] == (
        "Critical Wounds: no task actions, a metre of crawling a round, no more than a whisper"
    )
    assert game.sheet("ada").amount("speed") == 1


@rule("R1.48", "Q1.14")
@pytest.mark.parametrize(("lost", "dead"), [(29, False), (30, True), (77, True)])
def test_death_comes_at_the_maximum_below_0_and_beyond(lost: int, dead: bool) -> None:
    game = with_damage(at_table(), "ada", lost)
    assert ("dead" in states(game)) is dead
    assert ("critical" in states(game)) is not dead
    assert dict(game.sheet("ada").words)["Wounds"].startswith("Dead" if dead else "Critical Wounds")


@rule("Q1.33")
def test_being_prone_changes_no_attack() -> None:
    game = with_damage(at_table(), "ada", 15)
    game.when(Attack(attacker="thug", target="ada", weapon="two-handed axe")).rolling(11, 1, 1)
    game.then(like(CHECKED, total=12, target=12, success=True))
    assert len(game.events(ROLLED)[0].dice) == 1


@rule("QG.9")
def test_nothing_heals_the_dead_and_nothing_harms_them() -> None:
    dead = with_damage(at_table(), "ada", 30)
    dead.when(Heal(who="ada", amount="5")).refused("Ada is dead")
    dead.when(Harm(who="ada", amount="5")).refused("Ada is dead")
    dead.when(hours_pass(10)).never(like(HEALED, character="ada"))


@rule("QG.8", "QG.9")
def test_only_a_ruling_gives_life_back() -> None:
    game = with_damage(at_table(), "ada", 30).when(Adjust(who="ada", what="hp", by=10, reason="the stars were right"))
    game.then(ends("ada", "dead"), begins("ada", "critical"))
    assert hp(game) == -5


# Bleeding.


@rule("R1.47", "Q1.12")
def test_at_the_end_of_every_round_the_bleeding_lose_1d6_from_the_first_round_on() -> None:
    game = in_fight().given(Harm(who="ada", amount="15"), EndTurn(), EndTurn(), EndTurn(), EndTurn())
    game.when(EndTurn()).rolling(4, 15, 8)
    game.then(
        events.RoundEnded,
        like(ROLLED, purpose="bleeding", roller="ada", total=4),
        like(HURT, amount=4),
        events.RoundBegan,
    )
    assert hp(game) == -4
    again = game.go_on().given(EndTurn(), EndTurn(), EndTurn(), EndTurn()).when(EndTurn()).rolling(6, 15, 8)
    assert hp(again) == -10


@rule("Q1.12")
def test_at_some_tables_one_bleeds_at_the_end_of_ones_own_turn() -> None:
    game = in_rolled_order(bleed_at=OWN_TURN).given(Harm(who="ben", amount="5"))
    game.when(EndTurn()).never(like(ROLLED, purpose="bleeding"))
    own = game.go_on().when(EndTurn()).rolling(3)
    own.then(
        events.TurnEnded(character="ben"), like(HURT, character="ben", amount=3), events.TurnBegan(character="thug")
    )
    rest = own.go_on().given(EndTurn(), EndTurn()).when(EndTurn()).rolling(10, 14, 9, 18, 14)
    rest.then(events.RoundEnded).never(like(ROLLED, purpose="bleeding"))


@rule("R1.47", "Q1.12")
@pytest.mark.parametrize("bleed_at", ["round_end", "own_turn"])
def test_outside_fights_every_round_of_time_bleeds(bleed_at: str) -> None:
    game = with_damage(at_table(bleed_at=bleed_at), "ada", 15).when(PassTime(amount=17, unit="seconds")).rolling(2, 3)
    game.then(like(HURT, amount=5, tags=("bleeding",)))
    assert hp(game) == -5
    game.go_on().when(PassTime(amount=1, unit="seconds")).rolling(4).then(like(HURT, amount=4))


@rule("QG.13", "R1.47")
@pytest.mark.parametrize(("round_seconds", "rounds"), [(6, 2), (10, 1)])
def test_a_round_is_six_seconds_unless_the_table_says_otherwise(round_seconds: int, rounds: int) -> None:
    game = with_damage(at_table(round_seconds=round_seconds), "ada", 15)
    game.when(PassTime(amount=12, unit="seconds")).rolling(*[1] * rounds).then(like(HURT, amount=rounds))
    fight = in_fight(round_seconds=round_seconds).given(EndTurn(), EndTurn(), EndTurn(), EndTurn())
    fight.when(EndTurn()).rolling(15, 8).then(events.TimePassed(seconds=round_seconds))


@rule("R1.47", "R1.48")
@given(dice=st.lists(st.integers(1, 6), min_size=30, max_size=30), lost=st.integers(10, 19))
def test_the_bleeding_goes_on_to_death_and_never_a_die_beyond(dice: list[int], lost: int) -> None:
    needed, left = 0, 10 - lost
    while left > -10:
        left -= dice[needed]
        needed += 1
    game = with_damage(at_table(), "una", lost).when(PassTime(amount=1, unit="hours")).rolling(*dice[:needed])
    assert "dead" in states(game, "una")
    assert hp(game, "una") == left


@rule("R1.47")
def test_an_end_of_the_fight_does_not_stop_the_bleeding() -> None:
    game = in_fight().given(Harm(who="ada", amount="15"), EndEncounter())
    game.when(PassTime(amount=6, unit="seconds")).rolling(5).then(like(HURT, character="ada", amount=5))


def test_things_break_and_do_not_bleed() -> None:
    door = Join(name="Door", kind="thing", hp=8)
    game = at_table().given(door).when(Harm(who="door", amount="9"))
    game.then(begins("door", "critical")).never(begins("door", "bleeding"))
    game.go_on().when(hours_pass(5)).never(like(HEALED, character="door"))


# Aid.


@rule("R1.47", "Q1.11")
@pytest.mark.parametrize(("face", "success"), [(10, False), (11, True)])
def test_a_hard_medical_task_makes_somebody_stable_and_less_does_not(face: int, success: bool) -> None:
    game = with_damage(at_table(), "ada", 15).when(AID).rolling(face)
    outcome = "stable" if success else "still bleeding"
    game.then(like(CHECKED, check="medical aid", total=face + 4, target=15, success=success, outcome=outcome))
    assert states(game) == ({"critical", "prone", "stable"} if success else {"critical", "prone", "bleeding"})


@rule("Q1.11", "R1.38")
def test_without_points_in_medical_even_a_20_does_not_help() -> None:
    game = with_damage(at_table(), "ada", 15).when(GiveAid(who="una", patient="ada")).rolling(20)
    game.then(like(CHECKED, success=False, outcome="untrained")).never(begins("ada", "stable"))


@rule("Q1.11")
@pytest.mark.parametrize(("medical_untrained", "success"), [("fails", False), ("tries", True)])
def test_at_some_tables_everybody_may_try_with_intelligence_or_wisdom_alone(
    medical_untrained: str, success: bool
) -> None:
    game = with_damage(at_table(medical_untrained=medical_untrained), "ada", 15)
    game.when(GiveAid(who="una", patient="ada")).rolling(13)
    game.then(like(CHECKED, success=success, total=15 if success else 13))


@rule("Q1.11", "R1.16")
def test_aid_is_the_medics_action_and_may_be_tried_again() -> None:
    game = in_fight().given(Harm(who="ada", amount="15")).when(AID).rolling(2)
    game.then(events.TurnSpent(character="ben", what="action"), like(CHECKED, success=False))
    game.go_on().when(AID).refused("Ben has acted this turn")
    later = game.go_on().given(EndTurn(), EndTurn(), EndTurn(), EndTurn(), with_dice(EndTurn(), 3, 15, 8))
    later.when(AID).rolling(12).then(begins("ada", "stable"))


def test_who_does_not_bleed_needs_no_aid() -> None:
    at_table().when(AID).refused("Ada is not bleeding to death")
    with_damage(at_table(), "ada", 15).when(GiveAid(who="ada", patient="ada")).refused("Ada is critical")


@rule("Q1.13")
def test_new_damage_opens_the_wounds_of_the_stable_again() -> None:
    stable = with_damage(at_table(), "ada", 15).given(with_dice(AID, 15))
    stable.when(PassTime(amount=6, unit="seconds")).never(HURT)
    struck = stable.when(Harm(who="ada", amount="1"))
    struck.then(ends("ada", "stable"), begins("ada", "bleeding"))


@rule("Q1.13")
def test_any_healing_above_0_ends_the_critical_state_but_nobody_gets_up_by_it() -> None:
    game = with_damage(at_table(), "ada", 17)
    game.when(Heal(who="ada", amount="2")).then(like(HEALED, amount=2)).never(ends("ada", "critical"))
    up = game.when(Heal(who="ada", amount="3"))
    up.then(ends("ada", "critical"), ends("ada", "bleeding"))
    assert states(up) == {"prone"}


# Healing.


@rule("R1.49", "Q1.32")
@pytest.mark.parametrize(("level", "amount"), [(0, 3), (2, 3), (5, 5)])
def test_an_hour_heals_the_better_of_level_and_endurance(level: int, amount: int) -> None:
    game = (
        with_damage(at_table(), "ada", 12)
        .given(events.LevelGained(character="ada", levels=level - 1))
        .when(hours_pass(1))
    )
    game.then(like(HEALED, character="ada", amount=amount))
    assert game.sheet("ada").amount("healing") == amount


@rule("Q1.32")
def test_an_hour_heals_at_least_one() -> None:
    frail = Join(name="Pip", kind="npc", abilities=("0", "0", "-1", "0", "0", "0"))
    game = (
        with_damage(at_table().given(frail), "pip", 3).when(hours_pass(1)).then(like(HEALED, character="pip", amount=1))
    )
    assert game.sheet("pip").amount("healing") == 1


@rule("R1.49")
def test_devices_and_powers_raise_what_an_hour_heals() -> None:
    bed = Give(who="ada", item="Medical bed", use=("healing", "4"))
    game = with_damage(at_table(), "ada", 12).given(bed)
    assert [term.label for term in game.sheet("ada").value("healing").terms] == ["Endurance", "Medical bed"]
    game.when(hours_pass(1)).then(like(HEALED, character="ada", amount=7))
    blessed = game.go_on().given(Adjust(who="ada", what="healing", by=1, reason="a spring"))
    assert blessed.sheet("ada").amount("healing") == 8
    lost = blessed.given(Drop(who="ada", item="medical BED"))
    assert lost.sheet("ada").amount("healing") == 4


@rule("R1.49")
def test_healing_stops_at_full_health_and_half_an_hour_heals_nothing() -> None:
    game = with_damage(at_table(), "ada", 4)
    game.when(PassTime(amount=30, unit="minutes")).never(HEALED)
    game.when(hours_pass(9)).then(like(HEALED, character="ada", amount=4))


@rule("Q1.13", "R1.49")
def test_the_stable_heal_by_the_hour_and_wake_above_0() -> None:
    game = with_damage(at_table(), "ada", 17).given(with_dice(AID, 15)).when(hours_pass(1))
    game.then(like(HEALED, character="ada", amount=3), ends("ada", "critical"), ends("ada", "stable"))
    assert hp(game) == 1


@rule("R1.49", "R1.47", "Q1.13")
def test_no_hour_heals_anyone_who_still_bleeds() -> None:
    game = with_damage(at_table(), "ada", 15).when(hours_pass(1)).rolling(*[6] * 3)
    game.never(like(HEALED, character="ada"))
    assert "dead" in states(game)


def test_there_is_nothing_to_heal_in_full_health() -> None:
    at_table().when(Heal(who="ada", amount="5")).refused("Ada has lost no hit points")


# What one can still do.


@rule("R1.46", "R1.17")
def test_the_critical_crawl_a_metre_a_round_and_cannot_get_up() -> None:
    game = in_fight().given(Harm(who="ben", amount="5"))
    game.when(Move(who="ben", metres=2)).refused("with critical wounds")
    game.when(Move(who="ben", metres=1, posture="stand")).refused("cannot get up")
    game.when(Move(who="ben", metres=1)).then(events.Moved(character="ben", cost=1))
    game.go_on().when(Move(who="ben", metres=1)).refused("0 of 1 are left")
