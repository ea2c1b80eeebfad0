"""Fifteen conditions, each with its own mark on attacks, checks, saves and speed; the older edition differs."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.actions import Influence
from rollbook.rulesets.srd5.fight.encounter import BeginEncounter, SetCondition
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import condition, fight, fighter, monster, post, rolled, swing, table

CHECK = events.CheckResolved


def dice(played: Scenario) -> str:
    """The d20s of the first roll, without the modifiers."""
    return rolled(played)[0].partition(" + ")[0]


@pytest.mark.parametrize(
    ("state", "attacks", "attacked"),
    [
        ("blinded", "2d20kl1[blinded]", "2d20kh1[target blinded]"),
        ("frightened", "2d20kl1[frightened]", "1d20"),
        ("grappled", "2d20kl1[grappled]", "1d20"),
        ("invisible", "2d20kh1[invisible]", "2d20kl1[target invisible]"),
        ("poisoned", "2d20kl1[poisoned]", "1d20"),
        ("prone", "2d20kl1[prone]", "2d20kh1[target prone]"),
        ("restrained", "2d20kl1[restrained]", "2d20kh1[target restrained]"),
        ("stunned", "", "2d20kh1[target stunned]"),
        ("charmed", "1d20", "1d20"),
        ("deafened", "1d20", "1d20"),
    ],
)
@rule("R5.111", "R5.143", "R5.145", "R5.164", "R5.178", "R5.180", "R5.183", "R5.193", "R5.117")
def test_a_condition_makes_attacks_easier_or_harder(state, attacks, attacked) -> None:
    faces = {"2": (2, 2), "1": (2,), "": ()}
    if attacks:
        mine = table().given(condition("kara", state)).when(swing()).rolling(*faces[attacks[:1]])
        assert dice(mine) == attacks
    theirs = table().given(condition("post", state)).when(swing()).rolling(*faces[attacked[:1]])
    assert dice(theirs) == attacked


@rule("R5.180")
def test_from_afar_who_lies_down_is_harder_to_hit() -> None:
    shot = table().given(condition("post", "prone")).when(swing(weapon="longbow", distance=30)).rolling(3, 4)
    assert dice(shot) == "2d20kl1[target prone]"


@rule("R5.145")
def test_the_grappled_strike_their_grappler_freely_and_others_not() -> None:
    held = table().given(condition("kara", "grappled", source="post"))
    assert dice(held.when(swing()).rolling(4)) == "1d20"
    other = table(fighter(), post(), monster("Ogre")).given(condition("kara", "grappled", source="ogre"))
    assert dice(other.when(swing()).rolling(4, 4)) == "2d20kl1[grappled]"
    old = table(fighter(), post(), edition="2014").given(condition("kara", "grappled", source="someone"))
    assert dice(old.when(swing()).rolling(4)) == "1d20"


@rule("R5.175", "R5.204", "R5.203")
@pytest.mark.parametrize("state", ["paralyzed", "unconscious"])
def test_a_hit_on_the_helpless_from_beside_is_critical(state) -> None:
    scene = table().given(condition("post", state))
    scene.when(swing()).rolling(12, 13, 4, 4).then(like(CHECK, outcome="critical hit"))
    far = 1 if state == "unconscious" else 2  # prone from afar and advantage cancel
    scene.when(swing(weapon="longbow", distance=30)).rolling(*(12,) * far, 4).then(like(CHECK, outcome="hit"))


@rule("R5.174", "R5.193", "R5.204", "R5.177", "R5.185")
@pytest.mark.parametrize("state", ["paralyzed", "petrified", "stunned", "unconscious"])
@pytest.mark.parametrize("ability", ["str", "dex"])
def test_the_helpless_fail_strength_and_dexterity_saves(state, ability) -> None:
    scene = table().given(condition("kara", state))
    scene.when(Save(who="kara", ability=ability)).then(like(CHECK, success=False, outcome=f"fails: {state}"))
    scene.when(Save(who="kara", ability="wis")).rolling(10).then(like(CHECK, success=True))


@rule("R5.183")
def test_the_restrained_save_worse_with_dexterity_alone() -> None:
    scene = table().given(condition("kara", "restrained"))
    assert dice(scene.when(Save(who="kara", ability="dex")).rolling(10, 9)) == "2d20kl1[restrained]"
    assert dice(scene.when(Save(who="kara", ability="str")).rolling(10)) == "1d20"


@rule("R5.159", "R5.174", "R5.193", "R5.203")
@pytest.mark.parametrize("state", ["incapacitated", "paralyzed", "petrified", "stunned", "unconscious"])
def test_the_incapacitated_do_not_act(state) -> None:
    table().given(condition("kara", state)).when(swing()).refused(f"Kara is {state} and cannot act")


@rule("R5.160", "R5.164")
def test_the_incapacitated_roll_initiative_worse_and_the_invisible_better() -> None:
    fights = BeginEncounter(participants=("kara", "post"))
    worse = table().given(condition("kara", "incapacitated")).when(fights).rolling(10, 9, 3)
    assert dice(worse) == "2d20kl1[incapacitated]"
    better = table().given(condition("kara", "invisible")).when(fights).rolling(10, 9, 3)
    assert dice(better) == "2d20kh1[invisible]"


@rule("R5.145", "R5.174", "R5.183", "R5.204", "R5.177")
@pytest.mark.parametrize("state", ["grappled", "paralyzed", "petrified", "restrained", "unconscious"])
def test_the_held_have_no_speed(state) -> None:
    assert table().given(condition("kara", state)).sheet("kara").amount("speed") == 0


@rule("R5.178", "R5.143")
@pytest.mark.parametrize("state", ["poisoned", "frightened"])
def test_poison_and_fear_spoil_checks_and_no_saves(state) -> None:
    scene = table().given(condition("kara", state))
    assert dice(scene.when(Check(who="kara", skill="athletics")).rolling(10, 11)) == f"2d20kl1[{state}]"
    assert dice(scene.when(Save(who="kara", ability="wis")).rolling(10)) == "1d20"


@rule("R5.111", "R5.130")
def test_the_blind_fail_what_needs_eyes_and_the_deaf_what_needs_ears() -> None:
    blind = table().given(condition("kara", "blinded")).when(Check(who="kara", skill="perception", sight=True))
    blind.then(like(CHECK, success=False, outcome="cannot see"))
    deaf = table().given(condition("kara", "deafened")).when(Check(who="kara", skill="perception", hearing=True))
    deaf.then(like(CHECK, success=False, outcome="cannot hear"))


@rule("R5.117")
def test_the_charmed_do_not_attack_their_charmer() -> None:
    table().given(condition("kara", "charmed", source="post")).when(swing()).refused("charmed by Post")


@rule("R5.177")
def test_the_petrified_resist_all_damage() -> None:
    scene = table().given(condition("post", "petrified"))
    scene.when(swing()).rolling(12, 13, 8).then(like(events.DamageTaken, amount=5, dealt=11))


@rule("R5.135")
def test_exhaustion_takes_two_a_level_from_every_test_and_five_feet() -> None:
    scene = table().given(
        SetCondition(who="kara", condition="exhaustion"), SetCondition(who="kara", condition="exhaustion")
    )
    assert rolled(scene.when(swing()).rolling(5)) == ("1d20 + 3[STR] + 2[proficiency] - 4[exhaustion]",)
    assert "- 4[exhaustion]" in rolled(scene.when(Save(who="kara", ability="wis")).rolling(5))[0]
    assert scene.sheet("kara").amount("speed") == 20


@rule("R5.135", "Q5.1")
def test_exhaustion_of_2014_goes_by_levels() -> None:
    def tired(level: int) -> Scenario:
        scene = table(fighter(), post(), edition="2014")
        return scene.given(SetCondition(who="kara", condition="exhaustion", levels=level))

    scene = tired(1)
    assert dice(scene.when(Check(who="kara", skill="athletics")).rolling(9, 9)) == "2d20kl1[exhaustion]"
    assert dice(scene.when(swing()).rolling(5)) == "1d20"
    assert dice(tired(3).when(swing()).rolling(5, 5)) == "2d20kl1[exhaustion]"
    assert tired(2).sheet("kara").amount("speed") == 15
    assert tired(4).sheet("kara").amount("max_hp") == 6
    assert tired(5).sheet("kara").amount("speed") == 0


@rule("R5.136")
def test_the_sixth_level_of_exhaustion_is_death_and_levels_may_be_taken_away() -> None:
    scene = table().given(SetCondition(who="kara", condition="exhaustion", levels=5))
    fewer = scene.when(SetCondition(who="kara", condition="exhaustion", ends=True)).go_on()
    assert fewer.character("kara").conditions["exhaustion"].data["level"] == 4
    scene.when(SetCondition(who="kara", condition="exhaustion")).then(like(events.ConditionBegan, condition="dead"))


@rule("R5.122", "R5.87")
def test_a_condition_counts_once_ends_with_its_cause_and_spares_the_immune() -> None:
    held = table().given(condition("kara", "restrained"))
    held.when(SetCondition(who="kara", condition="restrained")).refused("already restrained")
    bones = table(fighter(), monster("Skeleton"))
    bones.when(SetCondition(who="skeleton", condition="poisoned")).refused("cannot be poisoned")


@rule("R5.143")
def test_fear_of_what_is_out_of_sight_does_not_count() -> None:
    scene = table().given(condition("kara", "frightened", source="post"))
    assert dice(scene.when(swing(spared=("frightened",))).rolling(4)) == "1d20"


@rule("R5.117")
def test_a_charmer_urges_with_advantage() -> None:
    scene = table().given(condition("post", "charmed", source="kara"))
    assert dice(scene.when(Influence(who="kara", target="post")).rolling(4, 5)).startswith("2d20kh1[charmed]")


@rule("R5.43")
def test_in_2014_the_surprised_do_not_react() -> None:
    scene = fight(table(fighter(), post(), edition="2014")).given(condition("post", "surprised"))
    scene.when(Opportunity(attacker="post", target="kara")).refused("surprised and cannot react")
