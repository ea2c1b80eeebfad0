"""Edges of classes: what ends a feature, what it does not help, how often it is had, and two of them at once."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.dying import DeathSave
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.fight.grapple import Grapple, Shove
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.rulesets.srd5.growth.rests import ShortRest
from rollbook.rulesets.srd5.magic.ongoing import UseSpell
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, condition, end_turn, fight, fighter, hp, monster, post, rolled, swing, table
from tests.support.srd5_classes import choose, left, of, use
from tests.support.srd5_edges import dealt, has, is_under, number, spell, total, up

HURT, CHECKED, SPENT, HEALED = events.DamageTaken, events.CheckResolved, events.TurnSpent, events.HitPointsRestored
BODY = ("10", "16", "14", "10", "10", "10")


@rule("R5.331")
@pytest.mark.parametrize(("level", "bonus"), [(8, 2), (9, 3), (16, 4)])
def test_a_rage_adds_to_strength_with_all_that_strikes_by_it_and_to_nothing_else(level: int, bonus: int) -> None:
    scene = fight(of("barbarian", level, weapons=("handaxe", "longbow"))).given(use("rage"))
    assert dealt(again(scene).when(swing(weapon="handaxe", distance=20)).rolling(15, 6)) == 6 + 3 + bonus
    assert dealt(again(scene).when(swing(weapon="unarmed")).rolling(15)) == 1 + 3 + bonus
    assert dealt(scene.when(swing(weapon="longbow", distance=30)).rolling(15, 6)) == 6 + 3


@rule("R5.332")
def test_a_rage_ends_concentration_and_casts_nothing() -> None:
    scene = up(of("cleric"), barbarian=1).given(spell("bless", "kara"), use("rage"))
    assert not is_under(scene, "concentrating") and not is_under(scene, "bless")
    scene.when(spell("sacred flame", "post")).refused("rage")


@rule("R5.331", "R5.333")
def test_no_rage_begins_in_heavy_armour() -> None:
    fight(of("barbarian", armour="chain-mail"), dice=(20, 20, 1)).when(use("rage")).refused("")
    plain = of("barbarian").given(use("rage"))
    assert dealt(plain.when(Harm(who="kara", amount="8", tags=("psychic",)))) == 8


@rule("R5.333")
def test_a_save_forced_on_an_enemy_keeps_a_rage_up() -> None:
    scene = fight(of("barbarian")).given(use("rage"), EndTurn(), EndTurn())
    scene = scene.given(with_dice(Shove(attacker="kara", target="post"), 20), EndTurn(), EndTurn())
    assert is_under(scene, "rage")


@rule("R5.343")
def test_a_relentless_rage_goes_on_and_its_save_grows_harder() -> None:
    scene = of("barbarian", 11).given(use("rage"), with_dice(Harm(who="kara", amount="130", tags=("force",)), 9))
    assert hp(scene, "kara") == 22 and is_under(scene, "rage")
    failed = scene.when(Harm(who="kara", amount="30", tags=("force",))).rolling(7)
    failed.then(like(CHECKED, total=14, target=15))
    assert hp(failed, "kara") == 0


@rule("R5.337")
def test_reckless_attacks_help_by_strength_alone_and_until_the_next_turn() -> None:
    scene = fight(of("barbarian", 2, monster("Ogre"), weapons=("longbow",)), "kara", "ogre").given(
        use("reckless attack")
    )
    assert rolled(again(scene).when(swing(weapon="longbow", distance=30)).rolling(2))[0].startswith("1d20")
    scene = scene.given(EndTurn(), EndTurn())
    assert rolled(scene.when(swing("kara", "ogre", out_of_turn=True)).rolling(2))[0].startswith("1d20")


@rule("R5.347", "R5.455")
def test_what_comes_once_a_turn_comes_with_the_first_hit() -> None:
    scene = fight(of("barbarian", 5)).given(use("rage"), use("reckless attack"), with_dice(swing(), 15, 15, 8, 1, 1))
    assert dealt(scene.when(swing()).rolling(15, 15, 8)) == 8 + 3 + 2


@rule("R5.365")
@pytest.mark.parametrize(("level", "dice"), [(2, 1), (7, 2), (13, 3), (18, 4)])
def test_a_spark_grows_and_is_halved_by_a_save(level: int, dice: int) -> None:
    spark = use("divine spark", "post", chosen=("harm", "radiant"))
    assert dealt(of("cleric", level).when(spark).rolling(20, *(8,) * dice)) == (8 * dice + 3) // 2


@rule("R5.366", "R5.367")
def test_searing_does_not_end_the_turning_and_later_damage_does() -> None:
    scene = of("cleric", 5, monster("Ogre Zombie")).given(with_dice(use("turn undead", "ogre-zombie"), 2, 1, 1, 1))
    assert is_under(scene, "frightened", "ogre-zombie") and is_under(scene, "incapacitated", "ogre-zombie")
    scene = scene.given(Harm(who="ogre-zombie", amount="1"))
    assert not is_under(scene, "frightened", "ogre-zombie") and not is_under(scene, "incapacitated", "ogre-zombie")


@rule("R5.368", "R5.381")
@pytest.mark.parametrize(
    ("key", "choice", "name"),
    [("cleric", "blessed-strikes-1", "sacred flame"), ("druid", "elemental-fury-1", "poison spray")],
)
def test_a_potent_cantrip_adds_wisdom_to_those_of_its_class(key: str, choice: str, name: str) -> None:
    scene = up(of(key, 7), sorcerer=1).given(choose(choice, "potent-spellcasting"))
    dice = (1, 4, 4) if key == "cleric" else (15, 4, 4)
    assert dealt(again(scene).when(spell(name, "post")).rolling(*dice)) == 8 + 3
    assert dealt(scene.when(spell("ray of frost", "post")).rolling(15, 4, 4)) == 8


@rule("R5.371", "R5.373")
def test_a_healer_is_healed_by_what_heals_others_alone() -> None:
    scene = of("cleric", 6, fighter(name="Bo", hp=60)).given(Harm(who="bo", amount="40"), Harm(who="kara", amount="30"))
    before = hp(scene, "kara")
    others = again(scene).when(spell("healing word", "bo", slot=3)).rolling(*(1,) * 6)
    assert (hp(others, "bo"), hp(others, "kara")) == (20 + 6 + 3 + 5, before + 5)
    assert hp(scene.when(spell("cure wounds", "kara")).rolling(1, 1), "kara") == before + 2 + 3 + 3


@rule("R5.389", "R5.390")
def test_a_surge_is_for_all_attacks_and_for_no_magic() -> None:
    scene = fight(up(of("fighter", 5), wizard=1))
    scene = scene.given(*(with_dice(swing(), 2) for _ in range(2)), use("action surge"))
    again(scene).when(spell("fire bolt", "post")).refused("")
    scene.given(*(with_dice(swing(), 2) for _ in range(2))).when(swing()).refused("action")


@rule("R5.397", "R5.400")
def test_19_is_critical_with_weapons_and_18_saves_from_death() -> None:
    scene = up(of("fighter", 3), wizard=1)
    assert dealt(again(scene).when(swing()).rolling(19, 8, 8)) == 19
    assert dealt(scene.when(spell("fire bolt", "post")).rolling(19, 5)) == 5
    dying = of("fighter", 18).given(Harm(who="kara", amount="190"))
    assert hp(dying.when(DeathSave(who="kara")).rolling(3, 18), "kara") == 1


@rule("R5.401")
def test_martial_arts_need_neither_armour_nor_shield_and_hold_by_dexterity() -> None:
    armoured = of("monk", weapons=(), armour="leather-armor", scores=BODY).when(swing(weapon="unarmed")).rolling(18, 18)
    assert dealt(armoured) == 1
    held = of("monk", weapons=(), scores=BODY).when(Grapple(attacker="kara", target="post")).rolling(12)
    held.then(like(CHECKED, target=8 + 3 + 2))
    assert number(of("monk", 2, shield=True), "speed") == 30


@rule("R5.409")
def test_a_stunning_strike_that_is_withstood_slows_and_exposes_once_a_turn() -> None:
    scene = fight(of("monk", 5, weapons=())).given(with_dice(swing(weapon="unarmed"), 15, 4))
    scene = scene.given(with_dice(use("stunning strike", "post"), 20))
    assert number(scene, "speed", "post") == 15 and not is_under(scene, "stunned", "post")
    again(scene).when(use("stunning strike", "post")).refused("in this turn already")
    assert rolled(scene.when(swing(weapon="unarmed")).rolling(2, 2))[0].startswith("2d20kh1")


@rule("R5.377", "R5.378", "Q5.44")
def test_a_beast_of_2014_has_hit_points_before_ones_own_and_damage_goes_on() -> None:
    druid = fighter(class_name="druid", level=2, scores=("16",) * 6)
    scene = table(druid, post(), edition="2014")
    before = hp(scene, "kara")
    shaped = fight(scene).when(use("wild shape", chosen=("wolf",))).then(like(SPENT, what="action")).go_on()
    assert number(shaped, "temporary") == 11
    hurt = shaped.given(Harm(who="kara", amount="13"))
    assert hp(hurt, "kara") == before - 2 and number(hurt, "speed") == 30


@rule("R5.377", "R5.378")
def test_a_form_keeps_the_mind_ends_with_its_hours_and_casts_nothing() -> None:
    scene = of("druid", 4).given(use("wild shape", chosen=("wolf",)))
    assert (number(scene, "wis"), number(scene, "str")) == (16, 14)
    again(scene).when(spell("cure wounds", "kara")).refused("")
    assert total(again(scene).when(swing(weapon="bite")).rolling(15, 4)) == 19
    assert number(scene.given(PassTime(amount=121, unit="minutes")), "speed") == 30
    of("druid", 7).when(use("wild shape", chosen=("eagle",))).refused("fl")


@rule("R5.424")
def test_hands_are_laid_on_by_a_bonus_action_and_in_2014_by_the_action() -> None:
    for edition, cost in (("2024", "bonus action"), ("2014", "action")):
        scene = fight(table(fighter(class_name="paladin", level=5), post(), edition=edition))
        scene.given(Harm(who="kara", amount="9")).when(use("lay on hands", amount=5)).then(like(SPENT, what=cost))


@rule("R5.430")
def test_of_two_auras_the_better_counts_and_the_least_adds_1() -> None:
    save = Save(who="kara", ability="con", dc=10)
    weak = of("paladin", 6, scores=("16",) * 5 + ("8",))
    assert total(again(weak).when(save).rolling(10)) == 10 + 3 + 1
    other = fighter(name="Bo", class_name="paladin", level=6, scores=("16",) * 5 + ("20",), at=("1", "0"))
    assert total(of("paladin", 6, other, at=("0", "0")).when(save).rolling(10)) == 10 + 3 + 5
    assert total(weak.given(condition("kara", "incapacitated")).when(save).rolling(10)) == 10 + 3
    for level, more in ((6, 0), (18, 3)):
        far = of("paladin", level, fighter(name="Bo", at=("3", "0")), at=("0", "0"))
        assert total(far.when(Save(who="bo", ability="con", dc=10)).rolling(10)) == 10 + 2 + 2 + more


@rule("R5.426")
def test_a_smite_of_2014_has_five_dice_at_most_and_follows_each_hit() -> None:
    paladin = fighter(class_name="paladin", level=17, scores=("16",) * 6)
    scene = table(paladin, post(), monster("Ogre Zombie"), edition="2014")
    assert dealt(again(scene).when(spell("divine smite", "post", slot=5)).rolling(*(1,) * 5)) == 5
    assert dealt(again(scene).when(spell("divine smite", "ogre-zombie", slot=4)).rolling(*(1,) * 6)) == 6
    smite = with_dice(spell("divine smite", "post", slot=1), 1, 1)
    twice = fight(scene, "kara", "post").given(with_dice(swing(), 15, 4, 1), smite, with_dice(swing(), 15, 4, 1), smite)
    assert number(twice, "slots_1") == 2


@rule("R5.426", "R5.239")
def test_a_smite_of_2024_comes_once_a_turn() -> None:
    smite = spell("divine smite", "post", slot=1)
    scene = fight(of("paladin", 5)).given(with_dice(swing(), 15, 4), with_dice(smite, 1, 1), with_dice(swing(), 15, 4))
    scene.when(smite).refused("")


@rule("R5.433")
def test_radiant_strikes_are_of_the_hand_and_of_no_bow() -> None:
    scene = of("paladin", 11, weapons=("longbow",))
    assert dealt(again(scene).when(swing(weapon="longbow", distance=30)).rolling(15, 4)) == 7
    assert dealt(scene.when(swing(weapon="unarmed")).rolling(15, 4)) == 1 + 3 + 4


@rule("R5.432")
def test_an_aura_of_courage_keeps_fear_off() -> None:
    roar = of("paladin", 10, monster("Lion")).when(Act(who="lion", what="Roar", targets=("kara",))).rolling(1)
    assert not is_under(roar, "frightened")


@rule("R5.440", "R5.80")
def test_a_mark_is_doubled_by_a_critical_hit_and_moves_on_once_its_target_is_down() -> None:
    scene = of("ranger", 1, monster("Goblin Warrior")).given(spell("hunter's mark", "goblin-warrior"))
    moves = UseSpell(caster="kara", spell="hunter's mark", targets=("post",))
    again(scene).when(moves).refused("still stands")
    moved = scene.given(Harm(who="goblin-warrior", amount="20"), moves)
    assert dealt(again(moved).when(swing()).rolling(20, 4, 4, 6, 6)) == 8 + 3 + 12
    assert dealt(moved.when(swing()).rolling(15, 4, 6)) == 4 + 3 + 6


@rule("R5.451")
def test_a_colossus_slayer_waits_until_the_target_is_hurt() -> None:
    scene = of("ranger", 3)
    prey = next(name for name in scene.before.characters["kara"].choices if "prey" in name)
    first = fight(scene.given(choose(prey, "colossus-slayer"))).when(swing()).rolling(15, 4)
    assert dealt(first) == 7
    assert dealt(end_turn(end_turn(first.go_on())).when(swing()).rolling(15, 4, 8)) == 15


def rogue(level: int = 1) -> Scenario:
    """Kara, a rogue in a fight, by Dexterity."""
    return fight(of("rogue", level, weapons=("rapier", "shortbow", "longsword"), scores=BODY))


@rule("R5.455", "R5.80")
@pytest.mark.parametrize(("level", "dice"), [(1, 1), (3, 2), (5, 3), (11, 6), (20, 10)])
def test_a_sneak_attack_grows_and_is_doubled_by_a_critical_hit(level: int, dice: int) -> None:
    beside = swing(weapon="rapier", ally=True)
    assert dealt(rogue(level).when(beside).rolling(15, 4, *(1,) * dice)) == 4 + 3 + dice
    assert dealt(rogue(level).when(beside).rolling(20, 4, 4, *(1,) * dice * 2)) == 8 + 3 + dice * 2


@rule("R5.455", "R5.16")
def test_a_sneak_attack_asks_for_the_weapon_and_no_disadvantage_that_counts() -> None:
    assert dealt(rogue().when(swing(weapon="longsword", ally=True)).rolling(18, 4)) == 4
    poisoned = rogue().given(condition("kara", "poisoned"))
    assert dealt(again(poisoned).when(swing(weapon="rapier", ally=True)).rolling(15, 15, 4)) == 7
    cancelled = poisoned.given(condition("post", "restrained"))
    assert dealt(cancelled.when(swing(weapon="rapier", ally=True)).rolling(15, 4, 6)) == 13


@rule("R5.458", "R5.464")
def test_who_has_moved_does_not_aim_and_the_helpless_are_not_elusive() -> None:
    rogue(3).given(Move(who="kara", feet=5)).when(use("steady aim")).refused("has moved")
    for word, dice in (("restrained", 1), ("stunned", 2)):
        scene = of("rogue", 18, monster("Ogre")).given(condition("kara", word)).when(swing("kara", "ogre"))
        assert rolled(scene.rolling(*(2,) * dice))[0].startswith("1d20" if dice == 1 else "2d20kh1")


@rule("R5.471", "R5.218")
def test_innate_sorcery_raises_the_dc() -> None:
    scene = of("sorcerer").given(use("innate sorcery"))
    scene.when(spell("burning hands", "post")).rolling(1, 1, 1, 1).then(like(CHECKED, target=8 + 2 + 3 + 1))


@rule("R5.473")
@pytest.mark.parametrize(("slot", "cost", "level"), [(1, 2, 2), (2, 3, 3), (3, 5, 5), (4, 6, 7), (5, 7, 9)])
def test_points_make_slots_of_a_level_that_the_sorcerer_has_reached(slot: int, cost: int, level: int) -> None:
    assert left(of("sorcerer", level).given(use("points to slot", slot=slot)), "font of magic") == level - cost
    of("sorcerer", max(level - 1, 2)).when(use("points to slot", slot=slot + (level == 2))).refused("")


@rule("R5.490")
def test_an_arcanum_is_cast_once_a_long_rest_without_a_slot() -> None:
    scene = of("warlock", 11)
    name = next(each for each in scene.before.characters["kara"].choices if "arcanum" in each)
    cast = spell("circle of death", "post", allowed=("components",))
    scene = scene.given(choose(name, "circle-of-death"), with_dice(cast, 1, *(1,) * 8))
    assert number(scene, "pact_slots") == 3
    scene.when(cast).refused("as often as a day allows")


@rule("R5.486", "R5.80")
def test_a_pact_weapon_strikes_by_charisma_and_smites_for_a_pact_slot() -> None:
    pact = (has("Pact of the Blade", "invocation"), has("Eldritch Smite", "invocation"))
    scene = of("warlock", 5, scores=("10", "10", "14", "10", "10", "18")).given(*pact)
    scene = scene.given(use("pact of the blade", chosen=("longsword",)))
    assert total(again(scene).when(swing()).rolling(10, 4)) == 10 + 4 + 3
    smitten = scene.when(swing(features=("eldritch smite",))).rolling(15, 4, 1, 1, 1, 1)
    assert dealt(smitten) == 4 + 4 + 4 and is_under(smitten, "prone", "post")
    assert number(smitten, "pact_slots") == 1


@rule("R5.487", "R5.488")
def test_a_rite_brings_back_half_the_pact_slots_rounded_up() -> None:
    rebuke = with_dice(spell("hellish rebuke", "post"), 20, *(1,) * 6)
    scene = of("warlock", 11).given(rebuke, rebuke, rebuke)
    assert number(again(scene).given(use("magical cunning")), "pact_slots") == 2
    assert number(scene.given(ShortRest(who=("kara",))), "pact_slots") == 3
