"""Concentration holds one spell, and damage, incapacity, another spell or a word end it with all that it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import Refused, RollbookError, events
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import SetCondition
from rollbook.rulesets.srd5.magic import concentration, spells
from rollbook.rulesets.srd5.magic.concentration import Drop
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.casts import campaign_of
from tests.support.srd5 import cast, caster, fighter, post, table, with_any_dice

BEGAN, ENDED, CHECK = events.ConditionBegan, events.ConditionEnded, events.CheckResolved


def blessed(class_name: str = "cleric", **settings: str) -> Scenario:
    """Mira, who concentrates on the bless that lies on Kara."""
    return table(caster(class_name), fighter(), post(), **settings).given(cast("bless", "kara"))


@rule("R5.119")
def test_another_concentration_ends_the_first_and_what_it_holds() -> None:
    scene = blessed()
    assert concentration.held_spell(scene.character("mira")) == "spell:bless"
    again = scene.when(cast("shield-of-faith", "mira"))
    again.then(
        like(ENDED, character="mira", condition="concentrating"), like(ENDED, character="kara", condition="bless")
    )
    assert again.sheet("mira").amount("ac") == 14


@rule("R5.120")
@pytest.mark.parametrize(
    ("damage", "edition", "dc"), [(5, "2024", 10), (24, "2024", 12), (80, "2024", 30), (80, "2014", 40)]
)
def test_damage_is_saved_against_by_constitution(damage, edition, dc) -> None:
    harm = Harm(who="mira", amount=str(damage))
    held = blessed(edition=edition).when(harm).rolling(20)
    held.then(like(CHECK, check="Constitution save", target=dc))
    lost = blessed(edition=edition).when(harm).rolling(1)
    lost.then(like(ENDED, character="kara", condition="bless"))


@rule("R5.121", "R5.159")
def test_incapacity_and_falling_end_concentration() -> None:
    blessed().when(SetCondition(who="mira", condition="stunned")).then(like(ENDED, character="kara", condition="bless"))
    fallen = with_any_dice(blessed(), Harm(who="mira", amount="150"), 1)
    fallen.then(like(ENDED, character="kara", condition="bless"))


@rule("R5.121", "R5.245")
def test_a_spell_is_let_go_by_a_word() -> None:
    scene = blessed()
    scene.when(Drop(who="mira")).then(like(ENDED, character="kara", condition="bless"))
    armoured = table(caster(), post()).given(cast("mage-armor", "mira"))
    assert armoured.sheet("mira").amount("ac") == 15
    armoured.when(Drop(who="mira")).refused("concentrates on nothing")
    armoured.when(Drop(who="mira", spell="mage armor")).then(like(ENDED, condition="mage armor"))


@rule("R5.245")
def test_what_is_dropped_is_a_thing_or_a_spell_by_what_is_called_so(tmp_path: Path) -> None:
    campaign = campaign_of("srd5", tmp_path)
    for line in (
        "join Mira --class-name wizard --scores 10,14,12,16,12,10",
        "give mira rope --count 3",
        "cast mira mage-armor --allowed unprepared,no-slot,components",
    ):
        campaign.say(line)
    assert "drops rope" in campaign.say("drop mira rope").text
    assert "drops 2 × rope" in campaign.say("drop mira ROPE --count 2").text
    assert not campaign.state.characters["mira"].gear["rope"].count
    with pytest.raises(RollbookError, match="does not have 1 of 'rope'"):
        campaign.say("drop mira rope")
    assert "lets mage armor go" in campaign.say("drop mira mage armor").text
    assert not campaign.state.characters["mira"].has("mage armor")


@rule("R5.122")
def test_a_spell_that_everybody_resists_is_not_held() -> None:
    scene = table(caster(), fighter()).when(cast("hold-person", "kara")).rolling(20)
    assert not concentration.held_spell(scene.after.characters["mira"])
    caught = table(caster(), fighter()).when(cast("hold-person", "kara")).rolling(2)
    assert concentration.held_spell(caught.after.characters["mira"]) == "spell:hold-person"
    assert caught.character("kara").has("paralyzed")


@rule("R5.249")
def test_the_same_spell_twice_does_not_add_up_and_different_ones_do() -> None:
    two = table(caster("cleric"), caster("cleric", name="Nora"), fighter()).given(
        cast("bless", "kara"), cast("bless", "kara", caster="nora")
    )
    assert [held.label for held in effects_on(two.character("kara"), "bonus")] == ["bless"]
    both = two.given(cast("shield-of-faith", "kara"))
    assert {"bless by nora", "shield of faith"} <= set(both.character("kara").conditions)


SPELLS = ("bless", "shield-of-faith", "guiding-bolt", "cure-wounds", "bane", "aid", "hold-person")


@given(names=st.lists(st.sampled_from(SPELLS), max_size=8), level=st.integers(1, 20), face=st.integers(1, 20))
def test_slots_never_fall_below_none_and_nobody_concentrates_on_two_spells(names, level, face) -> None:
    scene = table(caster("cleric", level), fighter(hp=500))
    for name in names:
        try:
            scene = with_any_dice(scene, cast(name, "kara"), face).go_on()
        except Refused:
            continue
        who = scene.character("mira")
        assert all(spells.left(who, each) >= 0 for each in spells.LEVELS)
        assert all(who.pools.get(f"slots spent:{each}", 0) <= spells.number_of(who, each) for each in spells.LEVELS)
        held = {
            state.data["of"]
            for other in scene.after.characters.values()
            for state in other.conditions.values()
            if state.data.get("concentration") == "mira"
        }
        assert len(held) <= 1
        assert held <= {concentration.held_spell(who)}


@rule("R5.82", "R5.86")
@given(faces=st.lists(st.integers(1, 6), min_size=8, max_size=8))
def test_a_save_halves_before_resistance_halves_again(faces) -> None:
    scene = table(caster(level=9), fighter(hp=1000)).given(
        events.TraitGained(character="kara", trait="fire", kind="resistance")
    )
    hurt = scene.when(cast("fireball", "kara")).rolling(20, *faces)
    assert [each.amount for each in hurt.events(events.DamageTaken)] == [sum(faces) // 2 // 2]
