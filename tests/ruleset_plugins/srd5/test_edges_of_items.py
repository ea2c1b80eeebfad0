"""Edges of things: magic weapons at work, what is worn and attuned, potions, and scrolls."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.growth.rests import Attune, LongRest, ShortRest
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import again, cast, caster, fight, fighter, monster, post, rolled, swing, table
from tests.support.srd5_edges import dealt, give, hit, number, spell, total, wearing, wielding

HURT, CHECKED, HEALED = events.DamageTaken, events.CheckResolved, events.HitPointsRestored
TEN = ("10",) * 6


def use(what: str, *targets: str, **more: object) -> Use:
    """A use of Kara's."""
    return Use(**{"who": "kara", "feature": what, "targets": targets, **more})  # type: ignore[arg-type]


@rule("R5.9", "R5.79", "R5.80", "R5.280")
@pytest.mark.parametrize(
    ("item", "words", "attuned", "to_hit", "damage"),
    [
        ("Longsword +1", ("+1",), False, 16, 8),
        ("Fine Sword", ("weapon-plus-2",), False, 17, 9),
        ("Defender", ("defender",), True, 18, 10),
        ("Sun Blade", ("sun-blade",), True, 17, 9),
    ],
)
def test_a_magic_weapon_adds_its_bonus_to_hit_and_to_damage(
    item: str, words: tuple[str, ...], attuned: bool, to_hit: int, damage: int
) -> None:
    played = hit(wielding("longsword", item, *words, attuned=attuned), item, 10, 4)
    assert total(played) == to_hit
    assert dealt(played) == damage


@rule("R5.80")
def test_the_bonus_of_a_magic_weapon_is_not_doubled_by_a_critical_hit() -> None:
    assert dealt(hit(wielding("longsword", "Longsword +3", "+3", attuned=False), "Longsword +3", 20, 4, 4)) == 8 + 6


@rule("R5.280")
def test_what_a_magic_weapon_does_counts_for_attacks_with_it_alone() -> None:
    scene = wielding("longsword", "Flame Tongue", "flame-tongue")
    assert dealt(hit(again(scene), "Flame Tongue", 15, 4)) == 7
    burning = scene.given(use("flame tongue"))
    assert dealt(hit(again(burning), "Flame Tongue", 15, 4, 3, 3)) == 13
    assert dealt(hit(burning, "unarmed", 15)) == 4


@rule("R5.280")
def test_dice_against_a_kind_are_for_that_kind() -> None:
    undead = wielding("longsword", "Sun Blade", "sun-blade", foe=monster("Ogre Zombie"))
    assert dealt(hit(undead, "Sun Blade", 15, 4, 5, target="ogre-zombie")) == 4 + 3 + 2 + 5
    avenger = wielding("longsword", "Holy Avenger", "holy-avenger", foe=monster("Ogre Zombie"), class_name="paladin")
    assert dealt(hit(avenger, "Holy Avenger", 10, 4, 5, 5, target="ogre-zombie")) == 4 + 3 + 3 + 10
    slayer = wielding("longsword", "Dragon Slayer", "dragon-slayer", attuned=False)
    assert dealt(hit(slayer, "Dragon Slayer", 15, 4)) == 8


@rule("R5.280")
def test_a_20_takes_life_and_a_mace_destroys_what_is_low() -> None:
    stolen = hit(wielding("longsword", "Thief", "sword-of-life-stealing"), "Thief", 20, 4, 4)
    assert dealt(stolen) == 8 + 3 + 15
    assert number(stolen, "temporary") == 15
    mace = wielding("mace", "Disruption", "mace-of-disruption", foe=monster("Skeleton"))
    played = hit(mace, "Disruption", 15, 1, 1, 1, 1, target="skeleton")
    assert played.after.characters["skeleton"].has("dead")


@rule("R5.280")
def test_adamantine_softens_critical_hits_and_mithral_is_silent_and_light() -> None:
    scene = table(fighter(), monster("Ogre")).given(give("Plates", "armour", "chain-mail", "adamantine-armor"))
    assert dealt(scene.when(swing("kara", "ogre")).rolling(20, 4, 4)) == 12
    light = table(fighter(scores=TEN)).given(give("Plates", "armour", "plate-armor", "mithral-armor"))
    assert number(light, "speed") == 30
    assert rolled(light.when(Check(who="kara", skill="stealth", dc="10")).rolling(5))[0].startswith("1d20")


@rule("R5.11", "R5.107", "R5.280")
def test_what_is_worn_adds_up_and_bracers_want_neither_armour_nor_shield() -> None:
    both = wearing("Ring of Protection", "Cloak of Protection")
    assert number(both, "ac") == 14
    assert number(both, "save:wis") == 1 + 2
    assert number(wearing("Bracers of Defense"), "ac") == 14
    assert number(wearing("Bracers of Defense", armour="leather-armor"), "ac") == 13
    assert number(wearing("Bracers of Defense", shield=True), "ac") == 14
    assert number(table(fighter()).given(give("Mail", "armour", "chain-mail", "+1")), "ac") == 17


@rule("R5.1", "R5.280")
def test_a_thing_sets_a_score_that_is_lower_and_hit_points_follow() -> None:
    assert number(wearing("Belt of Giant Strength (hill)"), "str") == 21
    assert number(wearing("Gauntlets of Ogre Power", scores=("20", *TEN[1:])), "str") == 20
    assert number(wearing("Headband of Intellect"), "int") == 19
    assert number(wearing("Amulet of Health", level=5), "max_hp") == 10 + 6 * 4 + 4 * 5


@rule("R5.5", "R5.7", "R5.280")
def test_a_luckstone_adds_to_checks_and_saves() -> None:
    scene = wearing("Stone of Good Luck (Luckstone)")
    assert total(scene.when(Check(who="kara", skill="int", dc="10")).rolling(10)) == 11
    assert total(scene.when(Save(who="kara", ability="wis", dc=10)).rolling(10)) == 12


@rule("R5.280")
def test_attunement_asks_for_a_class_for_rest_and_for_a_thing_not_yet_attuned() -> None:
    scene = table(fighter(), post()).given(
        give("Ring of Protection"), give("Avenger", "weapon", "longsword", "holy-avenger")
    )
    scene.when(Attune(who="kara", item="Avenger")).refused("aladin")
    fight(again(scene)).when(Attune(who="kara", item="Ring of Protection")).refused("")
    scene.given(Attune(who="kara", item="Ring of Protection")).when(
        Attune(who="kara", item="Ring of Protection")
    ).refused("")


@rule("R5.280")
def test_things_keep_spells_off_and_make_them_harder_to_withstand() -> None:
    brooch = table(caster(), fighter()).given(
        give("Brooch of Shielding"), Attune(who="kara", item="Brooch of Shielding")
    )
    darts = brooch.when(cast("magic missile", "kara", allowed=("unprepared",)))
    assert dealt(darts, "kara") == 0
    robe = "Robe of the Archmagi"
    mage = table(caster(level=5), post()).given(give(robe, who="mira"), Attune(who="mira", item=robe))
    assert number(mage, "ac", "mira") == 17
    burnt = mage.when(cast("fireball", "post", allowed=("unprepared",))).rolling(1, *(1,) * 8)
    assert burnt.events(CHECKED)[0].target == 8 + 4 + 3 + 2


@rule("R5.280")
def test_a_periapt_doubles_hit_dice_and_an_axe_makes_hardier() -> None:
    scene = wearing("Periapt of Wound Closure", level=3).given(Harm(who="kara", amount="20"))
    scene.when(ShortRest(who=("kara",), dice={"kara": 1})).rolling(5).then(like(HEALED, amount=14))
    plain = number(table(fighter(level=4)), "max_hp")
    assert number(wielding("greataxe", "Berserker Axe", "berserker-axe", level=4), "max_hp") == plain + 4


@rule("R5.469", "R5.218")
def test_a_scroll_is_for_those_whose_list_has_the_spell_and_takes_no_slot() -> None:
    scene = table(fighter(class_name="cleric", scores=TEN), caster(level=9), post())
    scene = scene.given(give("Spell Scroll (Fireball)"), give("Spell Scroll (Cone of Cold)", who="mira"))
    scene.when(spell("fireball", "post", scroll=True)).refused("")
    cold = scene.when(cast("cone of cold", "post", scroll=True)).rolling(1, *(1,) * 8)
    assert cold.events(CHECKED)[0].target == 17
    assert number(cold, "slots_5", "mira") == number(scene, "slots_5", "mira")


@rule("R5.166", "R5.280")
def test_a_long_rest_keeps_what_is_attuned() -> None:
    scene = wearing("Ring of Protection").given(LongRest(who=("kara",)))
    assert number(scene, "ac") == 13


@rule("R5.280")
def test_a_sun_blade_is_radiant_and_finesse_and_other_weapons_stay_what_they_are() -> None:
    scene = wielding("longsword", "Sun Blade", "sun-blade", scores=("10", "18", "10", "10", "10", "10"))
    played = hit(again(scene), "Sun Blade", 10, 4)
    assert total(played) == 10 + 4 + 2 + 2
    played.then(like(HURT, amount=4 + 4 + 2, tags=("radiant",)))
    hit(scene, "unarmed", 15).then(like(HURT, tags=("bludgeoning",)))


@rule("R5.255", "R5.280", "R5.455")
def test_a_rogue_strikes_home_with_a_sun_blade_and_not_with_a_longsword() -> None:
    rogue = {"class_name": "rogue", "scores": ("10", "18", "10", "10", "10", "10")}
    with_blade = hit(again(wielding("longsword", "Sun Blade", "sun-blade", **rogue)), "Sun Blade", 15, 4, 6, ally=True)
    assert total(with_blade) == 15 + 4 + 2 + 2, "proficient with it as with all weapons of finesse"
    assert dealt(with_blade) == 4 + 6 + 4 + 2
    without = hit(wielding("longsword", "Longsword", attuned=False, **rogue), "Longsword", 15, 4, ally=True)
    assert dealt(without) == 4


@rule("R5.280")
def test_the_image_of_a_cloak_is_gone_after_damage_until_ones_turn_begins() -> None:
    scene = fight(wearing("Cloak of Displacement"), "kara", "post")
    blow = swing("kara", "post", weapon="unarmed", out_of_turn=True)
    assert rolled(again(scene).when(blow).rolling(1, 1))[0].startswith("2d20kl1")
    hurt = scene.given(Harm(who="kara", amount="3", tags=("fire",)))
    assert rolled(again(hurt).when(blow).rolling(1))[0].startswith("1d20")
    back = hurt.given(EndTurn(), EndTurn())
    assert rolled(again(back).when(blow).rolling(1, 1))[0].startswith("2d20kl1")
    held = back.given(events.ConditionBegan(character="kara", condition="restrained"))
    assert "kl1" not in rolled(held.when(blow).rolling(1, 1))[0]


@rule("R5.280", "R5.540")
def test_a_berserkers_axe_asks_for_a_save_when_another_hurts() -> None:
    scene = wielding("greataxe", "Berserker Axe", "berserker-axe")
    mad = again(scene).when(Harm(who="kara", amount="3", tags=("fire",), source="post")).rolling(1)
    mad.then(HURT, like(CHECKED, check="Wisdom save", success=False), like(events.NoteWritten, about="kara"))
    scene.when(Harm(who="kara", amount="3", tags=("fire",))).then(HURT).never(CHECKED)


@rule("R5.540")
def test_a_berserkers_axe_spoils_all_other_weapons_as_long_as_it_holds_who_carries_it() -> None:
    def dice(scene: Scenario, weapon: str, *faces: int) -> str:
        return rolled(again(scene).when(swing("post", weapon=weapon)).rolling(*faces))[0]

    cursed, free = (
        wielding("greataxe", "Berserker Axe", "berserker-axe", attuned=attuned).given(give("Club"))
        for attuned in (True, False)
    )
    assert dice(cursed, "club", 1, 1).startswith("2d20kl1")
    assert dice(free, "club", 1).startswith("1d20")
    assert all(dice(cursed, weapon, 1).startswith("1d20") for weapon in ("Berserker Axe", "unarmed"))


@rule("R5.280")
def test_the_gm_says_what_a_ring_of_resistance_resists() -> None:
    cold = events.TraitGained(character="kara", trait="cold", kind="ring of resistance")
    scene = table(fighter()).given(give("Ring of Resistance"), cold)
    again(scene).when(Harm(who="kara", amount="7", tags=("cold",))).then(like(HURT, amount=3))
    scene.when(Harm(who="kara", amount="7", tags=("fire",))).then(like(HURT, amount=7))


@rule("R5.275")
@pytest.mark.parametrize("name", ["Basic Poison", "Poison, Basic", "poison-basic"])
def test_basic_poison_is_used_by_either_name(name: str) -> None:
    scene = table(fighter(), post()).given(events.GearGained(character="kara", item=name)).given(use(name))
    played = scene.when(swing()).rolling(15, 4, 2)
    assert dealt(played) == 4 + 3 + 2
