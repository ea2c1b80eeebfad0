"""Each cause has its own condition, which ends with it; what the same spell does counts once, the strongest or latest of it."""

from __future__ import annotations

import pytest

from rollbook.plugin import Action, events
from rollbook.rulesets.srd5.magic.concentration import Drop
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import (
    cast,
    caster,
    condition,
    fight,
    fighter,
    monster,
    post,
    rolled,
    swing,
    table,
    with_any_dice,
)

BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded


def two(class_name: str = "cleric") -> Scenario:
    """Mira and Nora, who cast alike, Kara and the post."""
    return table(caster(class_name), caster(class_name, name="Nora"), fighter(), post())


def after(scene: Scenario, *actions: Action) -> Scenario:
    for action in actions:
        scene = scene.given(action)
    return scene


@rule("R5.122", "R5.249")
def test_the_bless_of_two_is_two_conditions_and_one_die() -> None:
    both = after(two(), cast("bless", "kara"), cast("bless", "kara", caster="nora"))
    assert {"bless", "bless by nora"} <= set(both.character("kara").conditions)
    expected = "1d20 + 1d4[bless] + 3[STR] + 2[proficiency]"
    assert rolled(both.when(swing()).rolling(2, 1))[0] == expected


@rule("R5.121", "R5.249")
@pytest.mark.parametrize(("who", "stays"), [("mira", "bless by nora"), ("nora", "bless")])
def test_the_bless_of_one_goes_and_that_of_the_other_stays(who, stays) -> None:
    both = after(two(), cast("bless", "kara"), cast("bless", "kara", caster="nora"))
    left = both.given(Drop(who=who))
    assert [each for each in left.character("kara").conditions if each.startswith("bless")] == [stays]
    assert "1d4" in rolled(left.when(swing()).rolling(2, 1))[0]


@rule("R5.121")
def test_the_bless_that_goes_may_be_named() -> None:
    both = after(two(), cast("bless", "kara"), cast("bless", "kara", caster="nora"))
    both.when(Drop(who="nora", spell="bless")).then(like(ENDED, character="kara", condition="bless by nora"))


@rule("R5.249")
def test_of_the_same_spell_the_stronger_counts_while_both_last() -> None:
    scene = after(two(), cast("aid", "kara", slot=4), cast("aid", "kara", caster="nora"))
    assert scene.sheet("kara").amount("max_hp") == 12 + 15
    other = after(two(), cast("aid", "kara"), cast("aid", "kara", caster="nora", slot=4))
    assert other.sheet("kara").amount("max_hp") == 12 + 15
    left = other.given(ENDED(character="kara", condition="aid by nora"))
    assert left.sheet("kara").amount("max_hp") == 12 + 5


@rule("R5.249")
def test_different_spells_add_up() -> None:
    scene = after(two(), cast("shield-of-faith", "kara"), cast("aid", "kara", caster="nora"))
    assert scene.sheet("kara").amount("ac") == 14
    assert scene.sheet("kara").amount("max_hp") == 17


@rule("R5.249")
def test_everybodys_mark_counts_for_their_own_attacks() -> None:
    both = after(two("ranger"), cast("hunters-mark", "post"), cast("hunters-mark", "post", caster="nora"))
    for who in ("mira", "nora"):
        hit = with_any_dice(both, swing(attacker=who, weapon="unarmed"), 15)
        assert "1d10" in rolled(hit)  # at level 20


@rule("R5.122")
def test_two_who_hold_somebody_paralysed_each_end_their_own() -> None:
    scene = with_any_dice(two(), cast("hold-person", "kara"), 1).go_on()
    scene = with_any_dice(scene, cast("hold-person", "kara", caster="nora"), 2).go_on()
    assert {"paralyzed", "paralyzed by nora"} <= set(scene.character("kara").conditions)
    left = scene.given(Drop(who="mira"))
    assert [each for each in left.character("kara").conditions if "paralyzed" in each] == ["paralyzed by nora"]


@rule("R5.122", "R5.179")
def test_who_lies_on_the_ground_falls_no_further() -> None:
    bitten = table(monster("Wolf"), fighter(), post()).given(condition("kara", "prone"))
    scene = bitten.when(swing("kara", "wolf")).rolling(18, 12, 4)
    scene.never(like(BEGAN, condition="prone (Bite)"))
    assert [each for each in scene.go_on().character("kara").conditions if "prone" in each] == ["prone"]


@rule("R5.122")
def test_a_condition_that_names_its_cause_says_it_once() -> None:
    held = (
        condition("kara", "restrained"),
        BEGAN(character="kara", condition="restrained (Web)", detail="Web", data={"is": "restrained"}),
    )
    scene = table(fighter(), post()).given(*held)
    assert dict(scene.sheet("kara").words)["Conditions"] == "restrained, restrained (Web)"


@rule("R5.270")
def test_vex_against_two_foes_is_kept_for_each() -> None:
    scene = table(fighter(weapons=("shortsword",)), post(), post(name="Second")).given(
        events.TraitGained(character="kara", trait="shortsword", kind="mastery")
    )
    fought = fight(scene, "kara", "post", "second")
    swings = (with_dice(swing(name, out_of_turn=True), 15, 3) for name in ("post", "second"))
    both = fought.given(*swings)
    assert {each for each in both.character("kara").conditions if "vex" in each} == {"vex", "vex on second"}
