"""Levels: hit points, slots and features of twelve classes to 20, further classes, experience."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import AwardExperience
from rollbook.plugin import NotFound, Refused, RollbookError, events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.effects.carrying_out import carries
from rollbook.rulesets.srd5.growth import turning_points, using
from rollbook.rulesets.srd5.growth.levels import Choose, Exchange, LevelUp
from rollbook.rulesets.srd5.growth.trade import CopySpell
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, fighter, hp, table

UP = LevelUp(who="kara", milestone=True)
READ_BY_OTHERS = (
    *("spells", "cast", "proficiency", "ability", "sense", "detect", "light", "maximum", "extra", "weapon", "grant"),
    *(
        "shape",
        "reduce",
        "check",
        "languages",
        "teleport",
        "move",
        "remove",
        "ground",
        "ignore",
        "size",
        "sensor",
        "plane",
    ),
    *("table", "choose", "special", "heal"),
)
"""Kinds that features carry out in a way of their own, or that are noted for the table with their numbers."""


def hero(key: str, level: int = 1, **more) -> Scenario:
    """Kara in another class, with scores of 14 each."""
    return table(fighter(**{"class_name": key, "scores": ("14",) * 6, "level": level, "weapons": (), **more}))


def who(scene: Scenario):
    return scene.before.characters["kara"]


def choose_all(scene: Scenario) -> Scenario:
    """The scene after every choice is made, each by the first option that may be taken."""
    for _ in range(300):
        if not who(scene).choices:
            return scene
        scene = choose_one(scene)
    raise AssertionError("There is no end of choices.")


def choose_one(scene: Scenario) -> Scenario:
    """The scene after one choice more; expertise waits for a skill."""
    for choice, offered in who(scene).choices.items():
        for picked in offered.keys:
            try:
                return scene.given(Choose(who="kara", choice=choice, picked=picked))
            except Refused:
                continue
    raise AssertionError(f"Nothing may be picked for {', '.join(who(scene).choices)}.")


@rule(
    "R5.217",
    "R5.221",
    "R5.222",
    "R5.20",
    "R5.320",
    "R5.322",
    "R5.327",
    "R5.323",
    "R5.324",
    "R5.325",
    "R5.487",
    "R5.235",
)
@pytest.mark.parametrize("key", classes.CLASSES)
def test_every_class_rises_to_20_with_the_numbers_of_its_table(key: str) -> None:
    row, scene = catalogue.classes()[key], hero(key)
    for level in range(1, 21):
        scene = scene if level == 1 else scene.given(UP)
        kara, at = who(scene), row.levels[level - 1]
        expected = row.hit_die + (level - 1) * (row.hit_die // 2 + 1)
        assert kara.stats["hit_dice_total"] == expected
        constitution = abilities.modifier(kara, "con") * level
        draconic = level if key == "sorcerer" and level >= 3 else 0
        assert scene.sheet("kara").amount("max_hp") == expected + constitution + draconic
        assert abilities.proficiency_bonus(kara) == at.proficiency
        assert spells.table_of(kara) == at.slots
        pact = spells.pact_of(kara)
        assert (spells.pact_number(kara), pact.level if pact else 0) == (at.pact_slots, at.pact_level)
        held = set(classes.features_of(kara))
        assert {each for each in at.features if each != "Subclass"} <= held
    assert kara.traits[row.subclass.name] == "subclass"
    assert scene.sheet("kara").words
    choose_all(scene)


def is_known(own: features.Owned) -> str:
    """The way in which a feature is known to the rules: carried out, standing, by its own code, or words for the table."""
    trait = own.trait
    if own.name in using.INSTEAD or own.name in turning_points.GIVEN.values():
        return "code"
    if not trait.effects:
        return "words" if trait.words or trait.parts or trait.numbers else "name"
    kinds = {effect.kind for effect in trait.effects}
    if features.is_standing(trait) and kinds <= {*features.STANDING, *READ_BY_OTHERS}:
        return "standing"
    return "carried" if kinds <= {*carries, *using.WAYS, *READ_BY_OTHERS} else ""


@rule("R5.206", "R5.322", "R5.286", "R5.296")
def test_every_feature_is_carried_out_or_standing_or_said_to_the_table() -> None:
    rows = catalogue.classes().values()
    found = [each for row in rows for each in (*row.features, *row.subclass.features, *row.options)]
    found += [each for row in catalogue.species().values() for each in row.traits]
    found += [each for row in catalogue.feats().values() for each in row.benefits]
    assert len(found) > 300
    for trait in (*found, *(part for each in found for part in each.parts)):
        assert is_known(features.Owned(f"class:x:{trait.name}", trait, 20, "x")), trait.name


@rule("R5.206")
@pytest.mark.parametrize("key", classes.CLASSES)
def test_no_feature_breaks_when_it_is_used_at_level_20(key: str) -> None:
    scene, played = choose_all(hero(key, level=20)), 0
    for own in features.owned(who(scene)):
        for chosen in ((), ("heal",), ("wolf",), ("2", "1"), ("dash", "fire")):
            attempt = scene.when(using.Use(who="kara", feature=own.name, chosen=chosen, slot=1))
            try:
                played += len(attempt.played.events) > 0
            except RollbookError:
                continue
    assert played


@rule("R5.221")
def test_a_level_gives_the_fixed_number_or_a_roll_and_1_at_least() -> None:
    assert hp(hero("wizard").given(UP), "kara") == 8 + 4 + 2
    assert hp(hero("wizard").given(with_dice(LevelUp(who="kara", milestone=True, roll=True), 6)), "kara") == 8 + 6 + 2
    assert hp(hero("wizard").given(LevelUp(who="kara", milestone=True, hit_die=1)), "kara") == 8 + 1 + 2
    weak = table(fighter(class_name="wizard", scores=("10", "10", "1", "10", "10", "10")))
    before = hp(weak, "kara")
    assert hp(weak.given(LevelUp(who="kara", milestone=True, hit_die=1)), "kara") == before + 1


@rule("R5.137", "R5.220", "Q5.40")
def test_a_level_takes_experience_unless_the_table_counts_milestones() -> None:
    hero("fighter").when(LevelUp(who="kara")).refused("level 2 takes 300", "award kara 300")
    earned = hero("fighter").given(AwardExperience(who=("kara",), amount=300))
    earned.when(LevelUp(who="kara")).then(like(events.LevelGained, levels=1))
    free = table(fighter(), advancement="milestones")
    free.when(LevelUp(who="kara")).then(like(events.LevelGained, levels=1))


@rule("R5.224")
def test_who_begins_above_level_1_has_the_experience_of_the_level() -> None:
    assert who(hero("fighter", level=5)).experience == 6500


@rule("R5.223")
def test_after_level_20_there_is_a_feat_for_every_30000() -> None:
    scene = hero("fighter", level=20)
    scene.when(LevelUp(who="kara")).refused("385,000")
    scene.given(AwardExperience(who=("kara",), amount=30_000)).when(LevelUp(who="kara")).then(
        like(events.ChoiceOffered)
    )


@rule("R5.225")
def test_a_second_class_needs_13_in_what_both_are_good_at() -> None:
    weak = table(fighter(scores=("16", "14", "14", "12", "12", "8")))
    weak.when(LevelUp(who="kara", class_name="wizard", milestone=True)).refused("13 in INT to be a Wizard")
    weak.when(LevelUp(who="kara", class_name="rogue", milestone=True)).then(like(events.LevelGained))


@rule("R5.226", "R5.227", "R5.228", "R5.321")
def test_levels_of_two_classes_count_together_and_their_hit_dice_apart() -> None:
    scene = hero("fighter", level=4).given(LevelUp(who="kara", class_name="rogue", milestone=True))
    kara = who(scene)
    assert kara.level == 5 and abilities.proficiency_bonus(kara) == 3
    assert scene.sheet("kara").amount("hit_dice_d10") == 4 and scene.sheet("kara").amount("hit_dice_d8") == 1
    assert kara.traits["thieves-tools"] == "tool" and "rogue-skill-1" in kara.choices


@rule("R5.229", "R5.230")
@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ({"wizard": 3, "cleric": 2}, (4, 3, 2)),
        ({"paladin": 5, "wizard": 2}, (4, 3, 2)),
        ({"ranger": 4, "fighter": 6}, (3,)),
        ({"warlock": 3, "wizard": 2}, (3,)),
    ],
)
def test_slots_of_several_casting_classes_come_from_one_table(levels: dict[str, int], expected) -> None:
    first, *rest = levels
    scene = hero(first, level=levels[first])
    for key in rest:
        for _ in range(levels[key]):
            scene = scene.given(LevelUp(who="kara", class_name=key, milestone=True))
    assert spells.table_of(who(scene)) == expected


@rule("R5.231")
def test_extra_attack_and_unarmoured_defence_of_two_classes_do_not_add_up() -> None:
    scene = hero("barbarian", level=5)
    for _ in range(5):
        scene = scene.given(LevelUp(who="kara", class_name="monk", milestone=True))
    assert classes.attacks_in_an_action(who(scene)) == 2
    assert scene.sheet("kara").amount("ac") == 14


@rule("R5.298", "R5.324", "R5.222")
def test_an_ability_score_improvement_is_two_points_and_more_constitution_counts_for_all_levels() -> None:
    scene = hero("fighter", level=4).given(Choose(who="kara", choice="feat-1", picked="ability-score-improvement"))
    before = hp(scene, "kara")
    scene = scene.given(
        Choose(who="kara", choice="ability-score-1", picked="con"),
        Choose(who="kara", choice="ability-score-2", picked="con"),
    )
    assert who(scene).stats["con"] == 16 and hp(scene, "kara") == before + 4


@rule("R5.296", "R5.325", "R5.300")
def test_an_epic_boon_comes_at_19_and_raises_a_score_to_30() -> None:
    scene = hero("fighter", level=19)
    boons = next(name for name, each in who(scene).choices.items() if "boon-of-fate" in each.keys)
    assert "boon-of-fate" not in who(hero("fighter", level=16)).choices["feat-1"].keys
    boon = scene.given(Choose(who="kara", choice=boons, picked="boon-of-fate"))
    assert any(name.startswith("ability-score-increase") for name in who(boon).choices)


@rule("R5.346", "R5.419")
@pytest.mark.parametrize(("key", "raised"), [("barbarian", ("str", "con")), ("monk", ("dex", "wis"))])
def test_the_last_level_raises_two_scores_by_4(key: str, raised) -> None:
    assert all(who(hero(key, level=20)).stats[each] == 18 for each in raised)


@rule("R5.474", "R5.485", "R5.361", "R5.356", "R5.490", "R5.359")
@pytest.mark.parametrize(
    ("key", "level", "beginning", "many"),
    [
        *(("sorcerer", 2, "metamagic", 2), ("sorcerer", 10, "metamagic", 4), ("warlock", 1, "invocation", 1)),
        *(("warlock", 5, "invocation", 5), ("wizard", 1, "wizard-cantrip", 3), ("bard", 6, "magical-discoveries", 2)),
        *(("warlock", 11, "mystic-arcanum", 1), ("bard", 3, "bonus-proficiencies", 3)),
    ],
)
def test_what_a_class_chooses_at_a_level_is_open(key: str, level: int, beginning: str, many: int) -> None:
    kara = who(hero(key, level=level))
    assert sum(1 for each in kara.choices if each.startswith(beginning)) == many


@rule("R5.485")
def test_an_invocation_asks_for_its_pact() -> None:
    scene = hero("warlock", level=5)
    pick = Choose(who="kara", choice="invocation-4", picked="Thirsting Blade")
    scene.when(pick).refused("needs Pact of the Blade")


@rule("R5.328", "R5.329")
def test_a_mastery_or_a_spell_may_be_exchanged() -> None:
    scene = hero("fighter").given(Choose(who="kara", choice="mastery-1", picked="club"))
    scene = scene.given(Exchange(who="kara", what="club"))
    assert sum(1 for each in who(scene).choices if each.startswith("mastery")) == 3
    assert "club" not in who(scene).traits
    spells = hero("wizard").given(Choose(who="kara", choice="wizard-spell-1", picked="sleep"))
    assert sum(1 for each in who(spells.given(Exchange(who="kara", what="sleep"))).choices if "spell" in each) == 4
    with pytest.raises(NotFound):
        hero("fighter").when(Exchange(who="kara", what="athletics")).played  # noqa: B018


def book(scene: Scenario) -> set[str]:
    """The keys of the spells in Kara's book."""
    return {trait.removeprefix("book: ") for trait in who(scene).traits_of("spell")}


def open_for(scene: Scenario, beginning: str) -> int:
    """The choices that are open under names that begin so."""
    return sum(1 for each in who(scene).choices if each.startswith(beginning))


@rule("R5.496")
@pytest.mark.parametrize(("level", "spells", "highest"), [(1, 6, 1), (2, 8, 1), (3, 10, 2), (20, 44, 9)])
def test_a_wizard_has_six_spells_in_the_book_and_two_more_each_level(level: int, spells: int, highest: int) -> None:
    scene = hero("wizard", level=level)
    assert open_for(scene, "wizard-book") == spells
    last = who(scene).choices[f"wizard-book-{spells}"].keys
    assert {catalogue.spells()[key].level for key in last} == set(range(1, highest + 1))
    assert all("wizard" in catalogue.spells()[key].classes for key in last)


@rule("R5.496")
def test_what_is_prepared_is_from_the_book_and_stays_in_it() -> None:
    scene = hero("wizard")
    scene = scene.given(Choose(who="kara", choice="wizard-spell-1", picked="sleep"))
    assert book(scene) == {"sleep"} and open_for(scene, "wizard-book") == 5
    for place, key in enumerate(("alarm", "grease", "identify", "jump", "shield"), 2):
        scene = scene.given(Choose(who="kara", choice=f"wizard-book-{place}", picked=key))
    fog = again(scene).when(Choose(who="kara", choice="wizard-spell-2", picked="fog-cloud"))
    fog.refused("fog-cloud is not in Kara's book, which has: alarm, grease, identify, jump, shield, sleep.")
    scene = scene.given(Choose(who="kara", choice="wizard-spell-2", picked="shield"))
    scene = scene.given(Exchange(who="kara", what="sleep"))
    assert "sleep" in book(scene) and "sleep" not in who(scene).traits
    assert dict(scene.sheet("kara").words)["Book"] == "Sleep, Alarm, Grease, Identify, Jump, Shield"


@rule("R5.496")
def test_a_spell_is_copied_into_the_book_for_hours_and_gold_by_its_level() -> None:
    scene = hero("wizard", level=3).given(events.PoolBecame(holder="kara", pool="gold", amount=130))
    scene = scene.given(CopySpell(who="kara", spell="misty step"))
    assert book(scene) == {"misty-step"} and who(scene).pools["gold"] == 30
    assert scene.before.clock == 4 * 3600 and open_for(scene, "wizard-book") == 10
    scene = scene.given(CopySpell(who="kara", spell="misty step"))
    assert who(scene).pools["gold"] == 10 and scene.before.clock == 6 * 3600
    again(scene).when(CopySpell(who="kara", spell="alarm")).refused("That costs 50 gold")
    again(scene).when(CopySpell(who="kara", spell="fireball")).refused("of a level that Kara can prepare")
    again(scene).when(CopySpell(who="kara", spell="cure wounds")).refused("no wizard's spell")
    hero("fighter").when(CopySpell(who="kara", spell="alarm")).refused("no wizard's spell")


@rule("R5.503")
@pytest.mark.parametrize(("level", "many"), [(3, 2), (4, 2), (5, 3), (6, 3), (17, 9), (20, 9)])
def test_an_evoker_adds_an_evocation_with_each_new_level_of_slots(level: int, many: int) -> None:
    scene = hero("wizard", level=level)
    assert open_for(scene, "evocation-savant") == many
    assert {catalogue.spells()[key].school for key in who(scene).choices[f"evocation-savant-{many}"].keys} == {
        "evocation"
    }


@rule("R5.297")
def test_what_an_initiate_learns_is_of_one_list() -> None:
    scene = hero("fighter", background="acolyte")
    cleric = {key for key, row in catalogue.spells().items() if "cleric" in row.classes}
    assert {*who(scene).choices["two-cantrips-1"].keys, *who(scene).choices["level-1-spell-1"].keys} <= cleric
    human = hero("fighter", species="human").given(Choose(who="kara", choice="origin-feat-1", picked="magic-initiate"))
    assert open_for(human, "two-cantrips") == 0
    human = human.given(Choose(who="kara", choice="spell-list-1", picked="druid"))
    druid = {key for key, row in catalogue.spells().items() if "druid" in row.classes}
    assert {*who(human).choices["two-cantrips-2"].keys, *who(human).choices["level-1-spell-1"].keys} <= druid


@rule("R5.297")
def test_an_initiate_casts_the_spell_once_a_day_without_a_slot() -> None:
    scene = hero("fighter", background="acolyte").given(Choose(who="kara", choice="level-1-spell-1", picked="bless"))
    scene = scene.given(Cast(caster="kara", spell="bless", targets=("kara",), allowed=("components",)))
    once_more = Cast(caster="kara", spell="bless", targets=("kara",), allowed=("components",))
    scene.when(once_more).refused("no slot of level 1 left for Bless")
