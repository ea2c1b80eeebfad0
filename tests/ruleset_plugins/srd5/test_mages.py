"""Sorcerers, warlocks and wizards at the table: what each of their features does."""

from __future__ import annotations

from typing import Any

import pytest

from rollbook.plugin import SecondThought, events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.rulesets.srd5.fight.places import BRIGHT, DARK, Place, clarity, sense
from rollbook.rulesets.srd5.growth.levels import Exchange, LevelUp
from rollbook.rulesets.srd5.growth.rests import ShortRest
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, fight, fighter, hp, monster, rolled, swing
from tests.support.srd5_classes import choose, left, of, use

HURT, CHECKED, TEMPORARY = events.DamageTaken, events.CheckResolved, "temporary"


def spell(name: str, *targets: str, **more: Any) -> Cast:
    """A spell of Kara's."""
    return Cast(caster="kara", spell=name, targets=targets, **more)


def has(trait: str, kind: str) -> events.TraitGained:
    """A trait of Kara's."""
    return events.TraitGained(character="kara", trait=trait, kind=kind)


def keys(scene: Scenario, choice: str) -> set[str]:
    """The options of an open choice of Kara's, without the feature's name."""
    return {each.key.rpartition(": ")[2] for each in scene.before.characters["kara"].choices[choice].options}


def warlock(level: int, *invocations: str) -> Scenario:
    """Kara, a warlock with these invocations, who knows eldritch blast."""
    return of("warlock", level).given(
        has("eldritch-blast", "cantrip"), *(has(each, "invocation") for each in invocations)
    )


@rule("R5.481", "R5.491")
@pytest.mark.parametrize(
    ("key", "level", "name", "too_high"),
    [
        ("sorcerer", 3, "command", "legend lore"),
        ("warlock", 3, "suggestion", "geas"),
        ("sorcerer", 9, "legend lore", "commune"),
    ],
)
def test_a_subclass_prepares_its_spells(key: str, level: int, name: str, too_high: str) -> None:
    scene = of(key, level)
    again(scene).when(spell(too_high, "post", allowed=("components", "time"))).refused("prepared")
    scene.when(spell(name, "post", allowed=("components", "time"))).rolling(*((2,) if name != "legend lore" else ()))
    scene.then(like(events.PowerUsed, power=name.replace(" ", "-")))


@rule("R5.482")
def test_an_elemental_affinity_resists_and_adds_charisma_to_one_roll() -> None:
    scene = of("sorcerer", 6).given(choose("elemental-affinity-1", "fire"))
    again(scene).when(Harm(who="kara", amount="9", tags=("fire",))).then(like(HURT, amount=4))
    burnt = again(scene).when(spell("fire bolt", "post")).rolling(15, 4, 5)
    burnt.then(like(HURT, amount=4 + 5 + 3))
    scene.when(spell("ray of frost", "post")).rolling(15, 4, 5).then(like(HURT, amount=9))


@rule("R5.483", "R5.206")
def test_dragon_wings_fly_for_an_hour_and_come_back_for_points() -> None:
    scene = of("sorcerer", 14).given(use("dragon wings"))
    assert scene.before.characters["kara"].conditions["dragon wings"].until == 3600
    again(scene).when(use("dragon wings")).refused("0 of 1 left")
    again_ = scene.given(use("dragon wings", pay=True))
    assert left(again_, "font of magic") == 11


@rule("R5.484")
def test_a_dragon_companion_comes_once_for_nothing_and_without_concentration() -> None:
    scene = of("sorcerer", 18)
    first = again(scene).given(spell("summon dragon"))
    assert first.sheet("kara").amount("slots_5") == 3 and first.before.characters["kara"].has("concentrating")
    free = scene.given(spell("summon dragon", features=("dragon companion",)))
    assert not free.before.characters["kara"].has("concentrating")
    came = next(who for name, who in free.before.characters.items() if "drac" in name or "dragon" in name)
    assert came.conditions["summoned"].until == 60


@rule("R5.478")
def test_sorcery_incarnate_pays_for_innate_sorcery() -> None:
    scene = of("sorcerer", 7).given(use("innate sorcery"), use("innate sorcery"))
    again(scene).when(use("innate sorcery")).refused("0 of 2 left")
    paid = scene.given(use("innate sorcery", pay=True))
    assert left(paid, "font of magic") == 5
    below = of("sorcerer", 6).given(use("innate sorcery"), use("innate sorcery"))
    below.when(use("innate sorcery", pay=True)).refused("0 of 2 left")


@rule("R5.475", "R5.478", "R5.479", "R5.476")
def test_metamagic_is_one_option_a_spell_and_two_with_innate_sorcery() -> None:
    options = (has("Heightened Spell", "metamagic"), has("Careful Spell", "metamagic"))
    both = spell("fireball", "post", features=("heightened spell", "careful spell"), safe=("post",))
    scene = of("sorcerer", 7).given(*options)
    again(scene).when(both).refused("takes 1 metamagic")
    within = again(scene).given(use("innate sorcery")).when(both).rolling(*(1,) * 8)
    assert not [each for each in within.events(HURT) if each.amount]
    assert left(within.go_on(), "font of magic") == 7 - 3
    free = fight(of("sorcerer", 20).given(*options)).given(use("innate sorcery"))
    pressed = free.when(spell("fireball", "post", features=("heightened spell",))).rolling(9, 2, *(1,) * 8)
    assert rolled(pressed)[0].startswith("2d20kl1")
    assert left(pressed.go_on(), "font of magic") == 20


@rule("R5.476", "R5.475")
def test_metamagic_changes_range_time_components_types_and_levels() -> None:
    def sorcerer(option: str) -> Scenario:
        return of("sorcerer", 5, fighter(name="Bo"), at=("0", "0")).given(has(option, "metamagic"))

    far = sorcerer("Distant Spell").given(Place(who="post", at=("40", "0")))
    again(far).when(spell("fire bolt", "post")).refused("reaches 120")
    far.when(spell("fire bolt", "post", features=("distant spell",))).rolling(2).then(like(CHECKED))
    quick = fight(sorcerer("Quickened Spell")).given(with_dice(swing(), 2))
    quick.when(spell("fire bolt", "post", features=("quickened spell",))).rolling(2).then(like(CHECKED))
    subtle = sorcerer("Subtle Spell").given(events.ConditionBegan(character="kara", condition="gagged"))
    again(subtle).when(spell("fire bolt", "post")).refused("needs words")
    subtle.when(spell("fire bolt", "post", features=("subtle spell",))).rolling(2).then(like(CHECKED))
    turned = sorcerer("Transmuted Spell")
    cold = spell("fire bolt", "post", features=("transmuted spell",), choose=("cold",))
    turned.when(cold).rolling(15, 4, 4).then(like(HURT, tags=("cold",)))
    twinned = sorcerer("Twinned Spell")
    again(twinned).when(spell("charm person", "post", "bo")).refused("one target")
    twinned.when(spell("charm person", "post", "bo", features=("twinned spell",))).rolling(2, 2)
    twinned.then(like(events.PoolGained, pool="slots spent:1"))
    longer = sorcerer("Extended Spell").given(spell("mage armor", "kara", features=("extended spell",)))
    assert longer.before.characters["kara"].conditions["mage armor"].until == 16 * 3600
    seeking = sorcerer("Seeking Spell").when(
        spell("fire bolt", "post"), SecondThought(kind="seeking-spell", character="kara")
    )
    seeking.rolling(2, 15, 4, 4).then(like(CHECKED, success=True))


@rule("R5.489")
def test_a_patron_is_asked_once_a_day_without_harm() -> None:
    scene = of("warlock", 9).given(spell("contact other plane", allowed=("time",)))
    assert scene.sheet("kara").amount("pact_slots") == 2 and hp(scene, "kara") == hp(of("warlock", 9), "kara")
    assert scene.before.characters["kara"].pools["used:contact-other-plane"] == 1


@rule("R5.492")
def test_a_dark_blessing_comes_when_an_enemy_drops() -> None:
    goblin = monster("Goblin Warrior")
    scene = fight(of("warlock", 3, goblin), "kara", "goblin-warrior", dice=(20, 5))
    scene = scene.given(with_dice(swing("goblin-warrior"), 19, 8))
    assert scene.sheet("kara").amount(TEMPORARY) == 3 + 3
    beside = of("warlock", 3, monster("Goblin Warrior", at=("2", "0")), fighter(name="Bo"), at=("0", "0"))
    beside = fight(beside, "bo", "kara", "goblin-warrior", dice=(20, 12, 5))
    beside = beside.given(with_dice(swing("goblin-warrior", "bo", distance=5), 19, 8))
    assert beside.sheet("kara").amount(TEMPORARY) == 6


@rule("R5.494")
def test_a_fiendish_resilience_is_one_type_chosen() -> None:
    scene = of("warlock", 10).given(choose("fiendish-resilience-1", "cold"))
    again(scene).when(Harm(who="kara", amount="9", tags=("cold",))).then(like(HURT, amount=4))
    fresh = of("warlock", 10)
    assert "force" not in keys(fresh, "fiendish-resilience-1")


@rule("R5.486")
@pytest.mark.parametrize(
    ("invocation", "name"),
    [
        ("Armor of Shadows", "mage armor"),
        ("Ascendant Step", "levitate"),
        ("Mask of Many Faces", "disguise self"),
        ("Master of Myriad Forms", "alter self"),
        ("Misty Visions", "silent image"),
        ("One with Shadows", "invisibility"),
        ("Otherworldly Leap", "jump"),
        ("Visions of Distant Realms", "arcane eye"),
        ("Whispers of the Grave", "speak with dead"),
    ],
)
def test_an_invocation_casts_its_spell_at_will(invocation: str, name: str) -> None:
    cast = spell(name, "kara", allowed=("components", "time"))
    scene = warlock(15, invocation)
    scene = scene.given(cast, cast)
    assert scene.sheet("kara").amount("pact_slots") == 3


@rule("R5.486")
def test_blasts_deal_more_and_push() -> None:
    hurt = warlock(2, "Agonizing Blast").given(has("agonizing blast: eldritch-blast", "agonizing blast"))
    hurt.when(spell("eldritch blast", "post")).rolling(15, 4).then(like(HURT, amount=4 + 3))
    push = warlock(2, "Repelling Blast").given(has("repelling blast: eldritch-blast", "repelling blast"))
    push = push.given(Place(who="kara", at=("0", "0")), Place(who="post", at=("4", "0")))
    push = push.given(with_dice(spell("eldritch blast", "post"), 15, 4))
    assert push.before.characters["post"].position[0] == 6


@rule("R5.486")
def test_other_invocations_see_swim_concentrate_and_live() -> None:
    mind = warlock(5, "Eldritch Mind").given(spell("hex", "post"))
    assert any(each.startswith("2d20kh1") for each in rolled(mind.when(Harm(who="kara", amount="9")).rolling(9, 9)))
    swum = fight(warlock(5, "Gift of the Depths")).given(Move(who="kara", feet=30, mode="swim"))
    assert swum.before.encounter is not None and swum.before.encounter.spent["feet"] == 30
    assert sense(warlock(15, "Witch Sight").before.characters["kara"], "truesight") == 30
    assert clarity(warlock(2, "Devil's Sight").before.characters["kara"], DARK, 120) == BRIGHT
    assert clarity(warlock(2).before.characters["kara"], DARK, 120) == DARK
    vigour = warlock(2, "Fiendish Vigor").given(spell("false life"))
    assert vigour.sheet("kara").amount(TEMPORARY) == 12


@rule("R5.497")
def test_rituals_of_the_book_are_cast_unprepared() -> None:
    scene = of("wizard", 1).given(has("alarm", "spell"), has("shield", "prepared"))
    scene = scene.given(spell("alarm", ritual=True))
    assert scene.sheet("kara").amount("slots_1") == 2
    scene.when(spell("find familiar", ritual=True, allowed=("components",))).refused("prepared")


@rule("R5.499")
def test_a_scholar_is_an_expert() -> None:
    scene = of("wizard", 2, skills=("arcana", "history")).given(choose("scholar-expertise-1", "arcana"))
    assert scene.sheet("kara").amount("arcana") == 3 + 4
    scene = of("wizard", 2, skills=("arcana", "history"))
    scene.when(choose("scholar-expertise-1", "nature")).refused("not proficient")


@rule("R5.500")
def test_a_prepared_spell_is_changed_at_a_short_rest() -> None:
    scene = of("wizard", 5).given(choose("wizard-spell-1", "shield"), ShortRest(who=("kara",)))
    scene = scene.given(Exchange(who="kara", what="shield"))
    assert "shield" not in scene.before.characters["kara"].traits
    assert any(each.startswith("wizard-spell") for each in scene.before.characters["kara"].choices)


@rule("R5.501")
def test_mastered_spells_are_cast_at_will_at_their_lowest_level() -> None:
    scene = of("wizard", 18).given(
        choose("spell-mastery-1", "magic-missile"), choose("spell-mastery-2", "mirror-image")
    )
    scene = scene.given(*(with_dice(spell("magic missile", "post"), 1, 1, 1) for _ in range(5)))
    assert scene.sheet("kara").amount("slots_1") == 4
    scene = scene.given(with_dice(spell("magic missile", "post", slot=2), 1, 1, 1, 1))
    assert scene.sheet("kara").amount("slots_2") == 2
    assert "shield" not in keys(of("wizard", 18), "spell-mastery-1")


@rule("R5.501")
def test_spells_are_mastered_out_of_the_book_once_it_is_written() -> None:
    scene, book = of("wizard", 17), set[str]()
    for choice in [
        each for each in scene.before.characters["kara"].choices if each.startswith(("wizard-book", "evocation-savant"))
    ]:
        book.add(picked := max(keys(scene, choice) - book, key=lambda key: (catalogue.spells()[key].level, key)))
        scene = scene.given(choose(choice, picked))
    mastered = scene.given(LevelUp(who="kara", milestone=True))
    for level in (1, 2):
        offered, rows = keys(mastered, f"spell-mastery-{level}"), {key: catalogue.spells()[key] for key in book}
        assert offered == {key for key, row in rows.items() if row.level == level and row.casting == "action"}
        assert offered < keys(of("wizard", 18), f"spell-mastery-{level}")


@rule("R5.502")
def test_signature_spells_are_cast_once_a_rest_each() -> None:
    scene = of("wizard", 20).given(choose("signature-spells-1", "fly"), choose("signature-spells-2", "haste"))
    scene = scene.given(spell("fly", "kara"), spell("haste", "kara"))
    assert scene.sheet("kara").amount("slots_3") == 3
    scene = scene.given(spell("fly", "kara"))
    assert scene.sheet("kara").amount("slots_3") == 2
    scene = scene.given(ShortRest(who=("kara",)), spell("fly", "kara"))
    assert scene.sheet("kara").amount("slots_3") == 2


@rule("R5.503")
def test_an_evoker_adds_two_evocations_to_the_book() -> None:
    scene = of("wizard", 3).given(
        choose("evocation-savant-1", "shatter"), choose("evocation-savant-2", "magic-missile")
    )
    assert "Shatter" in dict(scene.sheet("kara").words)["Book"]
    assert not {"fireball", "web"} & keys(of("wizard", 3), "evocation-savant-1")


@rule("R5.504")
def test_a_potent_cantrip_deals_half_on_a_miss_and_a_made_save() -> None:
    scene = of("wizard", 3)
    again(scene).when(spell("fire bolt", "post")).rolling(2, 9).then(like(HURT, amount=4))
    scene.when(spell("acid splash", "post")).rolling(20, 5).then(like(HURT, amount=2))
    of("wizard", 2).when(spell("fire bolt", "post")).rolling(2).never(HURT)


@rule("R5.505")
def test_a_sculpted_evocation_spares_some() -> None:
    scene = of("wizard", 6, fighter(name="Bo"))
    ball = {"features": ("sculpt spells",)}
    again(scene).when(spell("fireball", "post", "bo", safe=("bo",), **ball)).rolling(2, *(2,) * 8)
    sculpted = again(scene).when(spell("fireball", "post", "bo", safe=("bo",), **ball)).rolling(2, *(2,) * 8)
    assert [each.character for each in sculpted.events(HURT) if each.amount] == ["post"]
    scene.when(spell("web", "bo", safe=("bo",), **ball)).refused("evocation")


@rule("R5.506")
def test_an_empowered_evocation_adds_intelligence_once() -> None:
    scene = of("wizard", 10)
    again(scene).when(spell("fireball", "post")).rolling(2, *(2,) * 8).then(like(HURT, amount=16 + 3))
    rays = scene.when(spell("scorching ray", "post")).rolling(19, 19, 19, *(1,) * 6)
    assert sum(each.amount for each in rays.events(HURT)) == 6 + 3


@rule("R5.507")
def test_an_overchannelled_spell_deals_the_most_and_later_has_its_price() -> None:
    scene = of("wizard", 14)
    over = spell("burning hands", "post", slot=2, features=("overchannel",))
    first = again(scene).when(over).rolling(2).then(like(HURT, character="post", amount=24 + 3))
    assert hp(first.go_on(), "kara") == hp(scene, "kara")
    second = scene.given(with_dice(over, 2)).when(over).rolling(2, 1, 2, 3, 4)
    second.then(like(HURT, character="kara", amount=10))
    third = second.go_on().when(over).rolling(2, *(1,) * 6)
    third.then(like(HURT, character="kara", amount=6))
    of("wizard", 14).when(spell("fire bolt", "post", features=("overchannel",))).refused("slot of levels 1 to 5")
