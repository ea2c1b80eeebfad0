"""Edges of spells: targets and slots, what ends them, two at once, forms, and what differs in the edition of 2014."""

from __future__ import annotations

from typing import Any

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.rulesets.srd5.fight.places import Place
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.rulesets.srd5.magic.concentration import Drop
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.testing.scenarios import Given, Scenario, like, rule, with_dice
from tests.support.srd5 import again, caster, condition, fight, fighter, hp, monster, post, rolled, swing, table
from tests.support.srd5 import cast as prepared
from tests.support.srd5_edges import dealt, is_under, number, total

HURT, CHECKED, BEGAN, HEALED = events.DamageTaken, events.CheckResolved, events.ConditionBegan, events.HitPointsRestored
OLD = "2014"


def cast(spell: str, *targets: str, **more: Any):
    """A spell of Mira's, prepared or not."""
    return prepared(spell, *targets, **{"allowed": ("unprepared",), **more})


def scene(class_name: str = "sorcerer", *others: Given, **settings: str) -> Scenario:
    """Mira of a high level, without features that change these spells, Kara and the post."""
    return table(caster(class_name, 16 if class_name == "cleric" else 20), fighter(), post(), *others, **settings)


@rule("R5.237", "R5.235")
def test_a_higher_slot_has_more_darts_dice_rays_and_targets() -> None:
    assert dealt(scene().when(cast("magic missile", "post", slot=3)).rolling(*(1,) * 5)) == 10
    assert dealt(scene().when(cast("fireball", "post", slot=5)).rolling(1, *(1,) * 10)) == 10
    assert len(scene().when(cast("scorching ray", "post", slot=4)).rolling(*(2,) * 5).events(CHECKED)) == 5
    assert dealt(scene("cleric").when(cast("spiritual weapon", "post", slot=4)).rolling(15, 1, 1, 1)) == 3 + 4
    assert number(scene().given(with_dice(cast("false life", slot=3), 1, 1)), "temporary", "mira") == 2 + 4 + 10
    for name, least in (("bless", 2), ("hold person", 5)):
        four = (fighter(name=each) for each in ("Bo", "Cy", "Di"))
        many = scene("cleric", *four)
        targets = ("kara", "bo", "cy", "di")
        again(many).when(cast(name, *targets, slot=least - 1)).refused("targets")
        many.when(cast(name, *targets, slot=least)).rolling(*(1,) * 4 if name == "hold person" else ()).then(BEGAN)


@rule("R5.121", "R5.190")
def test_each_target_of_one_spell_saves_for_itself_at_the_end_of_its_turn() -> None:
    held = fight(table(caster(), fighter(), fighter(name="Bo")), "mira", "kara", "bo")
    held = held.given(with_dice(cast("hold person", "kara", "bo", slot=3), 1, 1), EndTurn(), with_dice(EndTurn(), 20))
    assert [is_under(held, "paralyzed", name) for name in ("kara", "bo")] == [False, True]
    assert is_under(held, "concentrating", "mira")


@rule("R5.190", "R5.121")
def test_who_laughs_saves_more_easily_when_hurt_and_who_flees_only_out_of_sight() -> None:
    laughing = fight(table(caster(), fighter(hp=40)), "mira", "kara")
    laughing = laughing.given(with_dice(cast("hideous laughter", "kara"), 1))
    saved = laughing.when(Harm(who="kara", amount="1")).rolling(2, 19)
    assert rolled(saved)[1].startswith("2d20kh1[damaged]")
    feared = fight(table(caster(), fighter()), "mira", "kara").given(with_dice(cast("fear", "kara"), 1), EndTurn())
    assert is_under(feared.when(EndTurn()), "frightened")


@rule("R5.190", "R5.301")
def test_a_paralyzing_breath_holds_by_a_second_failure_and_a_save_each_turn_ends_it() -> None:
    cold = fight(table(monster("Adult Silver Dragon", id="it"), fighter(hp=40)), "it", "kara")
    held = cold.given(with_dice(Act(who="it", what="Paralyzing Breath", targets=("kara",)), 1), EndTurn())
    assert is_under(again(held).when(EndTurn()).rolling(20), "paralyzed") is False
    lamed = held.given(with_dice(EndTurn(), 1), EndTurn())
    assert lamed.before.characters["kara"].conditions["paralyzed"].until == lamed.before.clock - 6 + 60
    assert not is_under(lamed.when(EndTurn()).rolling(20), "paralyzed")


@rule("R5.15", "R5.7")
def test_the_large_tear_themselves_from_vines_more_easily() -> None:
    for name, dice in (("Ogre", "2d20kh1"), ("Goblin Warrior", "1d20")):
        caught = table(caster(), monster(name, id="it")).when(cast("ensnaring strike", "it"))
        assert rolled(caught.rolling(20, *(20,) * (name == "Ogre")))[0].startswith(dice)


@rule("R5.245", "R5.249")
def test_some_spells_end_by_others_that_are_cast_on_their_targets() -> None:
    dulled = table(caster(), fighter(hp=400)).given(with_dice(cast("befuddlement", "kara"), 1, *(1,) * 10))
    assert is_under(again(dulled).when(cast("cure wounds", "kara")).rolling(1, 1), "befuddlement")
    for name in ("greater restoration", "heal"):
        mended = cast(name, "kara", allowed=("unprepared", "components"))
        assert not is_under(again(dulled).when(mended), "befuddlement")


@rule("R5.248", "R5.7")
def test_a_messenger_is_a_beast_of_no_challenge_and_nobody_is_enthralled_in_a_fight() -> None:
    beasts = table(caster("druid"), monster("Rat"), monster("Mastiff"), monster("Cat"))
    assert beasts.when(cast("animal messenger", "rat")).rolling(1).events(CHECKED)
    again(beasts).when(cast("animal messenger", "mastiff")).never(CHECKED)
    heard = table(caster("bard"), post())
    assert again(heard).when(cast("enthrall", "post")).rolling(1).events(CHECKED)
    fight(heard, "mira", "post").when(cast("enthrall", "post")).never(CHECKED)


@rule("R5.79")
def test_a_sorcerous_burst_bursts_on_eights_as_often_as_the_modifier_says() -> None:
    burst = cast("sorcerous burst", "post")
    one = table(caster("sorcerer", 1), post())
    assert dealt(again(one).when(burst).rolling(15, 8, 8, 3)) == 19
    assert dealt(again(one).when(burst).rolling(15, 7)) == 7
    assert dealt(one.when(burst).rolling(15, 8, 8, 8, 8, 8)) == 40


@rule("R5.88", "R5.237")
def test_healing_of_2014_has_fewer_dice_and_none_for_the_undead() -> None:
    for edition, faces, amount in (("2024", 6, 6 + 4), (OLD, 3, 3 + 4)):
        hurt = table(caster("cleric", 9), fighter(hp=60), monster("Zombie"), edition=edition)
        hurt = hurt.given(Harm(who="kara", amount="50"), Harm(who="zombie", amount="5"))
        again(hurt).when(cast("cure wounds", "kara", slot=3)).rolling(*(1,) * faces).then(like(HEALED, amount=amount))
    hurt.when(cast("cure wounds", "zombie")).rolling(8).never(HEALED)


@rule("R5.240")
@pytest.mark.parametrize(("edition", "spent"), [("2024", 0), (OLD, 1)])
def test_a_countered_spell_keeps_its_slot_in_2024_alone_and_the_counterspell_never(edition: str, spent: int) -> None:
    duel = table(caster(), caster("sorcerer", name="Nora"), post(), edition=edition)
    slots = number(duel, "slots_3", "nora")
    stopped = again(duel).given(with_dice(cast("counterspell", "nora"), *((1,) if edition == "2024" else ())))
    failed = stopped.when(cast("fireball", "post", caster="nora")).never(HURT)
    assert number(failed, "slots_3", "nora") == slots - spent
    assert number(failed, "slots_3", "mira") == slots - 1


@rule("R5.240", "R5.30")
def test_a_shield_stands_until_the_next_turn_of_its_caster_and_no_longer() -> None:
    duel = fight(table(caster("wizard", 5), monster("Ogre")), "ogre", "mira").given(cast("shield"))
    again(duel).when(swing("mira", "ogre")).rolling(8).never(HURT)
    again(duel).when(cast("shield")).refused("reaction")
    assert number(duel, "ac", "mira") == 17
    assert number(duel.given(EndTurn()), "ac", "mira") == 12


@rule("R5.249")
def test_blessing_and_bane_add_up_and_two_blessings_do_not() -> None:
    both = scene("cleric", caster("bard", name="Nora")).given(cast("bless", "kara"))
    twice = again(both).given(cast("bless", "kara", caster="nora"))
    assert total(twice.when(swing()).rolling(1, 3)) == 1 + 5 + 3
    both = both.given(with_dice(cast("bane", "kara", caster="nora"), 1, 1))
    assert total(both.when(swing()).rolling(1, 3, 2)) == 1 + 5 + 3 - 2


@rule("R5.120")
@pytest.mark.parametrize(("amount", "dc"), [(5, 10), (30, 15), (90, 30)])
def test_concentration_is_saved_for_against_half_the_damage(amount: int, dc: int) -> None:
    held = table(caster("cleric", 9, hp=200), fighter()).given(cast("bless", "kara"))
    held.when(Harm(who="mira", amount=str(amount))).rolling(19).then(like(CHECKED, target=dc))


@rule("R5.28", "R5.108")
def test_haste_gives_one_attack_more_or_a_dash_and_ends_in_lethargy() -> None:
    hasted = fight(table(caster(), fighter(level=5), post()), "mira", "kara", "post")
    hasted = hasted.given(cast("haste", "kara"), EndTurn())
    assert (number(hasted, "ac"), number(hasted, "speed")) == (14, 60)
    spent = hasted.given(*(with_dice(swing(), 2) for _ in range(3)))
    again(spent).when(swing()).refused("used the action")
    over = spent.given(Drop(who="mira"))
    assert is_under(over, "incapacitated") and number(over, "speed") == 0


@rule("R5.248")
def test_sleep_spares_what_is_never_exhausted() -> None:
    table(caster(), monster("Zombie")).when(cast("sleep", "zombie")).never(CHECKED, like(BEGAN, character="zombie"))


@rule("R5.187", "R5.121")
def test_a_polymorphed_one_has_the_numbers_of_the_beast_until_its_hit_points_are_gone() -> None:
    wolf = again(scene()).given(with_dice(cast("polymorph", "kara", choose=("wolf",)), 1))
    assert [number(wolf, key) for key in ("temporary", "str", "int", "ac")] == [11, 14, 3, 12]
    hurt = wolf.given(Harm(who="kara", amount="15"))
    assert (hp(hurt, "kara"), number(hurt, "str"), number(hurt, "ac")) == (12 - 4, 16, 12)
    assert not is_under(hurt, "concentrating", "mira")
    scene().when(cast("polymorph", "kara", choose=("mammoth",))).rolling(1).refused("challenge 1 at most")


@rule("R5.244", "R5.129")
def test_a_diamond_brings_back_who_has_been_dead_for_a_minute_at_most() -> None:
    dead = table(caster("cleric", 9), fighter()).given(Harm(who="kara", amount="40"))
    again(dead).when(cast("revivify", "kara")).refused("diamond")
    freely = cast("revivify", "kara", allowed=("unprepared", "components"))
    assert hp(again(dead).when(freely), "kara") == 1
    dead.given(PassTime(amount=2, unit="minutes")).when(freely).refused("longer than 1 minute")


@rule("R5.237", "R5.119")
@pytest.mark.parametrize(("name", "slot", "hours"), [("hunter's mark", 3, 8), ("hex", 2, 4), ("hex", 5, 24)])
def test_a_mark_of_a_higher_slot_lasts_longer(name: str, slot: int, hours: int) -> None:
    marked = table(caster(), post()).given(cast(name, "post", slot=slot, choose=("strength",)))
    held = marked.before.characters["post"].conditions[name]
    assert held.until == hours * 3_600


@rule("R5.66", "R5.219")
def test_an_enemy_beside_the_caster_spoils_rays_and_no_touch() -> None:
    near = table(caster("sorcerer", at=("0", "0")), monster("Ogre", at=("1", "0")), post(at=("5", "0")))
    assert rolled(again(near).when(cast("fire bolt", "post")).rolling(1, 3))[0].startswith("2d20kl1")
    assert rolled(again(near).when(cast("shocking grasp", "ogre")).rolling(1))[0].startswith("1d20")
    near.given(condition("ogre", "incapacitated"))
    assert rolled(near.when(cast("fire bolt", "post")).rolling(1))[0].startswith("1d20")
    far = table(caster(at=("0", "0")), monster("Ogre", at=("3", "0")))
    far.when(cast("shocking grasp", "ogre")).refused("reaches 5")


@rule("R5.62")
def test_cover_helps_against_a_fireball_and_not_against_sacred_flame() -> None:
    assert total(scene().when(cast("fireball", "post", cover="half")).rolling(5, *(1,) * 8)) == 7
    assert total(scene("cleric").when(cast("sacred flame", "post", cover="half")).rolling(5, *(1,) * 3)) == 5


@rule("R5.12", "R5.11")
def test_a_mages_armour_takes_a_shield_and_no_armour() -> None:
    assert number(table(caster("wizard"), fighter(shield=True)).given(cast("mage armor", "kara")), "ac") == 13 + 2 + 2
    armoured = table(caster("wizard"), fighter(armour="leather-armor")).given(cast("mage armor", "kara"))
    assert number(armoured, "ac") == 11 + 2


@rule("R5.76", "R5.91")
def test_aid_raises_what_is_left_as_much_as_the_maximum() -> None:
    aided = scene("cleric").given(Harm(who="kara", amount="5"), cast("aid", "kara"))
    assert (hp(aided, "kara"), number(aided, "max_hp")) == (12, 17)
    whole = scene("cleric").given(cast("aid", "kara"), PassTime(amount=9, unit="hours"))
    assert hp(whole, "kara") == 12


@rule("R5.91", "R5.82")
def test_harm_lowers_the_maximum_and_takes_the_damage_once() -> None:
    harmed = table(caster("cleric", 16), post(hp=200)).when(cast("harm", "post")).rolling(1, *(2,) * 14)
    assert (number(harmed, "max_hp", "post"), hp(harmed, "post")) == (172, 172)


@rule("R5.78", "R5.15")
def test_enfeebled_and_reduced_ones_deal_dice_less() -> None:
    weak = table(caster(), monster("Ogre"), fighter(level=9)).given(with_dice(cast("ray of enfeeblement", "ogre"), 1))
    swung = weak.when(swing("kara", "ogre")).rolling(15, 15, 4, 4, 8)
    assert rolled(swung)[0].startswith("2d20kl1") and dealt(swung) == 8 + 4 - 8
    kara = fighter(weapons=("dagger",), scores=("10", "10", "14", "10", "10", "10"))
    small = table(caster(), kara, post()).given(cast("enlarge/reduce", "kara", choose=("reduce",)))
    assert dealt(small.when(swing(weapon="dagger")).rolling(15, 1, 4)) == 1


@rule("R5.243", "R5.30")
def test_the_slowed_do_not_react_and_their_gestures_may_fail() -> None:
    slowed = fight(table(caster(), monster("Mage"), monster("Bandit Captain")), "mira", "mage", "bandit-captain")
    slowed = slowed.given(with_dice(cast("slow", "mage", "bandit-captain"), 1, 1))
    assert (number(slowed, "ac", "mage"), number(slowed, "speed", "mage")) == (15 - 2, 15)
    again(slowed).when(Act(who="bandit-captain", what="Parry")).refused("reaction")
    bolt = prepared("fireball", "mira", caster="mage", allowed=("no slot",), out_of_turn=True)
    slowed.when(bolt).rolling(25).never(HURT)


@rule("R5.79", "R5.255")
def test_a_shillelagh_strikes_by_wisdom_with_a_die_that_grows() -> None:
    druid = table(caster("druid", 5, weapons=("quarterstaff",)), post()).given(cast("shillelagh"))
    struck = druid.when(swing(attacker="mira", weapon="quarterstaff")).rolling(10, 9)
    assert (total(struck), dealt(struck)) == (10 + 4 + 3, 9 + 4)


@rule("R5.240", "R5.63")
def test_sanctuary_turns_missiles_away_and_no_fireball_and_falls_with_an_attack() -> None:
    warded = scene("cleric", caster("sorcerer", name="Nora")).given(cast("sanctuary", "post"))
    again(warded).when(cast("magic missile", "post", caster="nora")).rolling(1).never(HURT)
    again(warded).when(cast("fireball", "post", caster="nora")).rolling(1, *(1,) * 8).then(HURT)
    own = scene("cleric").given(cast("sanctuary", "kara"), with_dice(swing(), 2))
    assert not is_under(own, "sanctuary")


@rule("R5.248")
def test_a_globe_keeps_lesser_spells_from_who_stands_in_it() -> None:
    inside = table(caster(), caster("sorcerer", name="Nora")).given(cast("globe of invulnerability"))
    inside.when(cast("fireball", "mira", caster="nora")).never(HURT)


@rule("R5.239")
def test_a_turn_has_one_slot_and_cantrips_beside_it() -> None:
    spent = fight(scene("cleric"), "mira", "post").given(Harm(who="kara", amount="5"))
    spent = spent.given(with_dice(cast("healing word", "kara"), 1, 1))
    again(spent).when(cast("guiding bolt", "post")).refused("slot")
    spent.when(cast("sacred flame", "post")).rolling(20).then(CHECKED)


@rule("R5.68", "R5.52")
def test_a_grasp_keeps_from_opportunities_and_a_frost_slows() -> None:
    near = fight(table(caster(at=("0", "0")), monster("Ogre", at=("1", "0"))), "mira", "ogre")
    near = near.given(with_dice(cast("shocking grasp", "ogre"), 15, *(1,) * 4), Move(who="mira", feet=30))
    near.when(Opportunity(attacker="ogre", target="mira")).refused("")
    assert number(scene().given(with_dice(cast("ray of frost", "post"), 15, *(1,) * 4)), "speed", "post") == 20


@rule("R5.15")
def test_an_enlarged_one_is_stronger_in_checks_and_blows() -> None:
    large = scene().given(cast("enlarge/reduce", "kara", choose=("enlarge",)))
    assert dealt(again(large).when(swing()).rolling(15, 4, 3)) == 4 + 3 + 3
    assert rolled(large.when(Check(who="kara", skill="athletics", dc="10")).rolling(2, 3))[0].startswith("2d20kh1")


@rule("R5.219", "R5.237")
def test_a_chromatic_orb_leaps_on_two_equal_dice_to_the_next_who_was_named() -> None:
    orb = scene("sorcerer", post(name="Wall", id="wall"), post(name="Gate", id="gate")).given(
        events.GearGained(character="mira", item="diamond", count=1)
    )

    def orb_at(*names: str, slot: int = 1) -> Scenario:
        return again(orb).when(cast("chromatic orb", *names, choose=("cold",), slot=slot))

    def struck(played: Scenario) -> list[tuple[str, int]]:
        return [(each.character, each.amount) for each in played.events(HURT)]

    assert struck(orb_at("post", "wall").rolling(15, 1, 2, 3)) == [("post", 6)], "no two dice are equal"
    assert struck(orb_at("post", "wall").rolling(15, 1, 2, 1, 15, 4, 5, 4)) == [("post", 4), ("wall", 13)]
    assert struck(orb_at("post", "wall").rolling(1)) == [], "a miss leaps nowhere"
    assert struck(orb_at("post", "wall").rolling(15, 8, 8, 1, 1)) == [("post", 17)], "the second was missed"
    orb_at("post", "wall", "gate").refused("takes 2 targets")
    twice = orb_at("post", "wall", "gate", slot=2).rolling(15, 1, 1, 2, 3, 15, 1, 2, 2, 3, 15, 1, 1, 1, 1)
    assert [name for name, _ in struck(twice)] == ["post", "wall", "gate"]
    orb_at("post", "post").refused("strikes nobody twice")
    placed = orb.given(Place(who="post", at=("0", "0")), Place(who="wall", at=("8", "0")))
    placed.when(cast("chromatic orb", "post", "wall", choose=("cold",), slot=1)).refused("leaps 30")
