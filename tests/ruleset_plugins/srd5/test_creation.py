"""A character is made of scores, a species, a background and a class; what is left open can be chosen later."""

from __future__ import annotations

import pytest

from rollbook.plugin import NotFound, events
from rollbook.rulesets.srd5.growth.heroes import HEROES, BringIn
from rollbook.rulesets.srd5.growth.levels import Choose
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import fighter, hp, table

BASE = {"weapons": (), "scores": ()}


def made(*dice: int, **said) -> Scenario:
    """A campaign with one character, made by what is said."""
    return table(with_dice(fighter(**{**BASE, **said}), *dice))


def who(scene: Scenario):
    return scene.before.characters["kara"]


def chosen(scene: Scenario, **picks: str) -> Scenario:
    """The scene after choices, by their names with underscores."""
    return scene.given(
        *(Choose(who="kara", choice=name.replace("_", "-"), picked=picked) for name, picked in picks.items())
    )


@rule("R5.210", "R5.213")
def test_the_standard_array_is_put_where_it_suits_the_class() -> None:
    assert who(made(method="array", class_name="wizard")).stats["int"] == 15
    table().when(fighter(name="Bo", method="array", scores=("15", "15", "13", "12", "10", "8"))).refused(
        "standard array is 15, 14, 13, 12, 10, 8"
    )


@rule("R5.212")
@pytest.mark.parametrize("scores", [("15", "15", "15", "8", "8", "8"), ("13", "13", "13", "12", "12", "12")])
def test_twenty_seven_points_buy_six_scores(scores) -> None:
    assert who(made(method="points", scores=scores)).stats["str"] == int(scores[0])


@rule("R5.212")
@pytest.mark.parametrize("scores", [("16", "8", "8", "8", "8", "8"), ("15", "15", "15", "9", "8", "8"), ()])
def test_what_27_points_cannot_buy_is_refused_with_the_prices(scores) -> None:
    table().when(fighter(name="Bo", method="points", scores=scores)).refused("There are 27 points", "15 costs 9")


@rule("R5.211")
def test_rolled_scores_are_the_best_three_of_four_dice_the_best_where_they_suit() -> None:
    faces = (6, 6, 6, 1, 5, 5, 5, 1, 4, 4, 4, 1, 3, 3, 3, 1, 2, 2, 2, 1, 1, 1, 1, 1)
    stats = who(made(*faces, method="rolled")).stats
    assert (stats["str"], stats["dex"], stats["int"]) == (18, 15, 3)


@rule("R5.214", "R5.284", "R5.285", "R5.297")
def test_a_background_raises_three_abilities_and_gives_a_feat_skills_a_tool_and_things() -> None:
    scene = made(method="array", background="criminal", increases={"dex": 2, "con": 1}, equipment="gold")
    kara = who(scene)
    assert (kara.stats["dex"], kara.stats["con"]) == (16, 14)
    assert (
        kara.traits["stealth"] == "skill" and kara.traits["thieves-tools"] == "tool" and kara.traits["alert"] == "feat"
    )
    assert kara.pools["gold"] == 50 + 155
    assert scene.sheet("kara").amount("initiative") == 3 + 2


@rule("R5.214")
@pytest.mark.parametrize("increases", [{"str": 2, "con": 1}, {"dex": 3}, {"dex": 2, "con": 2}])
def test_a_background_raises_nothing_else(increases) -> None:
    table().when(fighter(name="Bo", background="criminal", increases=increases)).refused("raises DEX, CON, INT")


@rule("R5.214")
def test_the_points_of_a_background_may_be_given_later_but_not_three_to_one_ability() -> None:
    scene = chosen(made(method="array", background="soldier"), background_1="str", background_2="str")
    assert who(scene).stats["str"] == 17
    scene.when(Choose(who="kara", choice="background-3", picked="str")).refused("has had 2 points")
    with pytest.raises(NotFound, match="con, dex, str"):
        scene.when(Choose(who="kara", choice="background-3", picked="cha")).played  # noqa: B018 - raises


@rule("R5.208", "R5.286", "R5.296", "R5.320")
def test_a_choice_that_is_not_there_says_what_there_is() -> None:
    scene = made(class_name="fighter")
    with pytest.raises(NotFound, match="stealth"):
        scene.when(Choose(who="kara", choice="fighter-skill-1", picked="stealth")).played  # noqa: B018
    scene.when(Choose(who="kara", choice="nothing", picked="stealth")).refused("Open: ")
    for said in ({"species": "ork"}, {"background": "sodier"}):
        with pytest.raises(NotFound):
            table().when(fighter(name="Bo", **said)).played  # noqa: B018


@rule("R5.209")
def test_everybody_speaks_common_and_two_more() -> None:
    scene = chosen(made(species="dwarf"), language_1="dwarvish", language_2="giant")
    assert set(who(scene).traits_of("language")) == {"Common", "Dwarvish", "Giant"}


SPECIES = {
    "dragonborn": ("draconic-ancestry-1", "red"),
    "elf": ("elven-lineage-1", "wood"),
    "gnome": ("gnomish-lineage-1", "rock"),
    "goliath": ("giant-ancestry-1", "tumble"),
    "tiefling": ("fiendish-legacy-1", "infernal"),
}


@rule("R5.287", "R5.289", "R5.290", "R5.291", "R5.295")
@pytest.mark.parametrize("species", SPECIES)
def test_a_species_has_its_ancestry_or_lineage_to_choose(species: str) -> None:
    choice, picked = SPECIES[species]
    scene = made(species=species, class_name="").given(Choose(who="kara", choice=choice, picked=picked))
    assert any(picked in each for each in who(scene).traits_of("option"))


@rule("R5.287", "R5.295", "R5.288", "R5.84")
@pytest.mark.parametrize(("species", "kind"), [("dragonborn", "fire"), ("tiefling", "fire"), ("dwarf", "poison")])
def test_some_species_resist_a_type_of_damage(species: str, kind: str) -> None:
    from rollbook.rulesets.srd5.fight.damage import Harm  # noqa: PLC0415

    scene = made(species=species, scores=("10",) * 6)
    if species in SPECIES:
        scene = scene.given(Choose(who="kara", choice=SPECIES[species][0], picked=SPECIES[species][1]))
    scene.when(Harm(who="kara", amount="5", tags=(kind,))).then(like(events.DamageTaken, amount=2))


@rule("R5.288")
def test_a_dwarf_has_a_hit_point_more_for_each_level() -> None:
    assert hp(made(species="dwarf", scores=("10",) * 6), "kara") == 11
    assert hp(made(species="dwarf", scores=("10",) * 6, level=3), "kara") == 10 + 6 + 6 + 3


@rule("R5.289", "R5.291")
def test_a_wood_elf_and_a_goliath_walk_35_feet() -> None:
    scene = chosen(made(species="elf"), elven_lineage_1="wood-elf")
    assert scene.sheet("kara").amount("speed") == 35
    assert made(species="goliath").sheet("kara").amount("speed") == 35


@rule("R5.293", "R5.19")
def test_a_human_has_a_skill_a_feat_and_two_sizes_to_choose() -> None:
    assert {"size-1", "skillful-1", "origin-feat-1"} <= set(who(made(species="human")).choices)


@rule("R5.299", "R5.425", "R5.442")
def test_a_fighting_style_is_a_feat_that_counts_at_once() -> None:
    scene = made(armour="chain-mail")
    before = scene.sheet("kara").amount("ac")
    assert chosen(scene, fighting_style_feat_1="defense").sheet("kara").amount("ac") == before + 1


@rule("R5.262", "R5.329")
def test_a_fighter_chooses_the_masteries_of_three_weapons() -> None:
    scene = chosen(made(), mastery_1="longsword", mastery_2="greatsword", mastery_3="club")
    assert set(who(scene).traits_of("mastery")) == {"longsword", "greatsword", "club"}


@rule("R5.330", "R5.138")
def test_expertise_is_for_skills_that_one_has() -> None:
    def rogue() -> Scenario:
        return made(class_name="rogue", skills=("stealth",), scores=("10",) * 6)

    rogue().when(Choose(who="kara", choice="expertise-1", picked="arcana")).refused("not proficient in arcana")
    assert chosen(rogue(), expertise_1="stealth").sheet("kara").amount("stealth") == 4


@rule("R5.363", "R5.376", "R5.228")
def test_a_divine_order_trains_or_teaches() -> None:
    scene = chosen(made(class_name="cleric"), divine_order_1="protector")
    assert who(scene).traits["heavy"] == "armour training"
    scene = chosen(made(class_name="druid"), primal_order_1="magician")
    assert any(name.startswith("magician") for name in who(scene).choices)


@rule("R5.208", "R5.320")
@pytest.mark.parametrize("hero", HEROES)
def test_a_ready_hero_comes_in_with_everything_chosen(hero: str) -> None:
    scene = table(BringIn(who=hero, id=hero))
    assert not scene.before.characters[hero].choices
    assert hp(scene, hero) > 5
    assert scene.sheet(hero).amount("ac") >= 12
    later = table(BringIn(who=hero, id=hero, level=5))
    assert later.before.characters[hero].level == 5
    assert later.before.characters[hero].experience == 6500


@rule("R5.320")
def test_the_kit_of_a_class_is_worn_and_carried() -> None:
    kara = who(made(equipment="a"))
    assert kara.gear["Chain Mail"].use == ("armour", "chain-mail")
    assert kara.gear["Javelin"].count == 8 and kara.pools["gold"] == 4
    table().when(fighter(name="Bo", class_name="wizard", equipment="c")).refused("has the kits a, b")
