"""Edges of stat blocks: when they have advantage, what their hits bring, drains, forms of harm, swallowing, and limits."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.fight.grapple import Escape
from rollbook.rulesets.srd5.growth.rests import LongRest
from rollbook.rulesets.srd5.monsters.uses import AwardFoes, Budget
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, cast, caster, condition, fight, fighter, hp, monster, post, rolled, swing, table
from tests.support.srd5_edges import act, beside, dealt, is_under, number

HURT, CHECKED, HEALED = events.DamageTaken, events.CheckResolved, events.HitPointsRestored


def bite(scene: Scenario, *dice: int, weapon: str = "", **more: object) -> Scenario:
    """An attack of it on Kara."""
    return scene.when(swing("kara", "it", weapon=weapon, **more)).rolling(*dice)


def spell(name: str, **more: object) -> object:
    """A spell of Mira's on it, prepared or not."""
    return cast(name, "it", allowed=("unprepared",), **more)


@rule("R5.304", "R5.66")
def test_a_pack_needs_an_ally_who_can_act() -> None:
    wolves = [monster("Wolf", id="it", at=("0", "0")), monster("Wolf", id="grey", at=("2", "0"))]
    scene = table(fighter(at=("1", "0")), *wolves)
    assert rolled(bite(again(scene), 2, 2))[0].startswith("2d20kh1")
    assert rolled(bite(scene.given(condition("grey", "incapacitated")), 2))[0].startswith("1d20")


@rule("R5.304")
def test_ambushers_have_advantage_in_the_first_round_and_a_mimic_on_whom_it_holds() -> None:
    scene = fight(beside("Doppelganger"), "it", "kara")
    assert rolled(bite(again(scene), 2, 2))[0].startswith("2d20kh1")
    assert rolled(bite(scene.given(EndTurn(), EndTurn()), 2))[0].startswith("1d20")
    held = beside("Mimic", level=9).given(with_dice(swing("kara", "it", weapon="pseudopod"), 15, 1, 1))
    bitten = bite(held, 15, 15, 1, 1, 1, weapon="bite")
    assert rolled(bitten)[0].startswith("2d20kh1")
    assert dealt(bitten) == 2 + 3 + 1


@rule("R5.304", "R5.122")
def test_what_a_hit_brings_spares_those_it_is_not_for() -> None:
    assert is_under(bite(beside("Wolf"), 15, 4), "prone")
    ogre = table(monster("Ogre"), monster("Wolf", id="it")).when(swing("ogre", "it")).rolling(15, 4)
    assert not is_under(ogre, "prone", "ogre")
    elf = table(fighter(species="elf"), monster("Ghoul", id="it")).when(swing("kara", "it", weapon="claw"))
    assert not is_under(elf.rolling(15, 2), "paralyzed")
    bones = table(monster("Skeleton"), monster("Ghoul", id="it")).when(swing("skeleton", "it", weapon="claw"))
    assert not is_under(bones.rolling(15, 2), "paralyzed", "skeleton")


@rule("R5.167", "R5.304")
def test_a_drain_lowers_the_maximum_once_until_a_long_rest() -> None:
    scene = beside("Wraith", level=9)
    most = number(scene, "max_hp")
    drained = bite(again(scene), 15, 1, 1, 1, 1)
    assert number(drained, "max_hp") == most - 7
    assert hp(drained, "kara") == most - 7
    rested = scene.given(with_dice(swing("kara", "it"), 15, 1, 1, 1, 1), LongRest(who=("kara",)))
    assert number(rested, "max_hp") == hp(rested, "kara") == most


@rule("R5.304")
def test_a_shadow_takes_strength_and_kills_who_has_none_left() -> None:
    assert number(bite(beside("Shadow", level=9), 15, 1, 4), "str") == 12
    weak = beside("Shadow", level=9, scores=("3", "10", "10", "10", "10", "10"))
    assert is_under(bite(weak, 15, 1, 4), "dead")


@rule("R5.304")
def test_a_bloodied_swarm_deals_less_and_is_not_healed() -> None:
    scene = table(caster("cleric", level=5), fighter(), monster("Swarm of Rats", id="it"))
    assert dealt(bite(again(scene), 15, 1, 1)) == 2
    scene.given(Harm(who="it", amount="7", tags=("fire",)))
    assert dealt(bite(again(scene), 15, 4)) == 4
    assert hp(scene.when(spell("cure wounds")).rolling(8, 8), "it") == 7


@rule("R5.86", "R5.87", "R5.304")
@pytest.mark.parametrize(
    ("name", "amount", "kind", "taken"), [("Swarm of Rats", 9, "slashing", 4), ("Skeleton", 5, "bludgeoning", 10)]
)
def test_a_stat_block_says_what_hurts_less_and_more(name: str, amount: int, kind: str, taken: int) -> None:
    beside(name).when(Harm(who="it", amount=str(amount), tags=(kind,))).then(like(HURT, amount=taken))


@rule("R5.7", "R5.9")
def test_magic_is_resisted_and_does_not_touch_a_rakshasa() -> None:
    scene = table(caster("sorcerer", level=9), monster("Imp", id="it"))
    assert rolled(scene.when(spell("fireball")).rolling(1, 1, *(1,) * 8))[0].startswith("2d20kh1")
    tiger = table(caster("sorcerer", level=9), monster("Rakshasa", id="it"))
    assert dealt(tiger.when(cast("fire bolt", "it"))) == 0


@rule("R5.304", "R5.305")
def test_the_swallowed_are_blinded_hurt_each_turn_and_no_longer_held() -> None:
    scene = fight(beside("Purple Worm", level=12), "it", "kara")
    again(scene).when(act("Swallow", "kara")).refused("")
    scene.given(with_dice(act("Bite", "kara"), 15, 1, 1, 1))
    assert scene.before.characters["kara"].has("grappled")
    scene.given(with_dice(act("Swallow", "kara"), 1), EndTurn())
    inside = scene.when(EndTurn()).rolling(1, 1, 1, 1, 1)
    assert is_under(inside, "blinded")
    assert is_under(inside, "restrained")
    assert not is_under(inside, "grappled")
    assert dealt(inside, "kara") == 5


@rule("R5.304")
def test_a_second_failure_turns_to_stone() -> None:
    scene = fight(beside("Medusa", level=5), "it", "kara").given(with_dice(act("Petrifying Gaze", "kara"), 1))
    assert scene.before.characters["kara"].has("restrained")
    stone = scene.given(EndTurn()).when(EndTurn()).rolling(1, 3)
    assert is_under(stone, "petrified")
    assert not is_under(stone, "restrained")


@rule("R5.304", "R5.88")
def test_who_is_cursed_by_a_mummy_is_not_healed() -> None:
    scene = table(fighter(level=9), monster("Mummy", id="it"), caster("cleric", level=5))
    scene.given(with_dice(swing("kara", "it", weapon="rotting fist"), 15, 1, 1, 1, 1))
    healed = scene.when(cast("cure wounds", "kara", allowed=("unprepared",))).rolling(8, 8)
    assert not sum(each.amount for each in healed.events(HEALED))


@rule("R5.304")
def test_regeneration_stops_by_acid_and_at_the_maximum() -> None:
    burnt = fight(beside("Troll"), "kara", "it").given(Harm(who="it", amount="40", tags=("acid",)), EndTurn())
    assert hp(burnt, "it") == 54
    cut = fight(beside("Troll"), "kara", "it").given(Harm(who="it", amount="5", tags=("slashing",)), EndTurn())
    assert hp(cut, "it") == 94


@rule("R5.304")
def test_undead_fortitude_is_against_the_damage_and_not_after_a_critical_hit() -> None:
    assert is_under(beside("Zombie").when(swing("it")).rolling(20, 8, 8), "dead", "it")
    stands = beside("Zombie").when(Harm(who="it", amount="16", tags=("slashing",))).rolling(20)
    assert stands.events(CHECKED)[0].target == 5 + 16


@rule("R5.304")
def test_lightning_heals_a_golem_of_flesh_and_fire_frightens_it() -> None:
    scene = beside("Flesh Golem").given(Harm(who="it", amount="50", tags=("slashing",)))
    assert hp(scene.when(Harm(who="it", amount="20", tags=("lightning",))), "it") == 127 - 50 + 20
    burnt = fight(beside("Flesh Golem"), "kara", "it").given(Harm(who="it", amount="5", tags=("fire",)), EndTurn())
    assert rolled(bite(burnt, 2, 2, weapon="slam"))[0].startswith("2d20kl1")


@rule("R5.304", "R5.306")
def test_auras_parries_and_attacks_that_hamper() -> None:
    here = table(fighter(level=5, at=("1", "0")), monster("Salamander", id="it", at=("0", "0")))
    assert dealt(fight(here, "it", "kara").when(EndTurn()).rolling(3, 3), "kara") == 6
    parried = fight(beside("Bandit Captain"), "kara", "it").given(act("Parry"))
    assert number(parried, "ac", "it") == 17
    scene = fight(beside("Ettin", level=5), "it", "kara")
    scene.given(with_dice(swing("kara", "it", weapon="morningstar"), 15, 1, 1), EndTurn())
    assert rolled(scene.when(swing("it")).rolling(2, 2))[0].startswith("2d20kl1")


@rule("R5.304", "R5.305")
def test_what_is_for_the_grappled_or_for_the_small_is_refused_for_others() -> None:
    fight(beside("Chuul"), "it", "kara").when(act("Paralyzing Tentacles", "kara")).refused("")
    snake = fight(table(monster("Ogre"), monster("Constrictor Snake", id="it")), "it", "ogre")
    snake.when(act("Constrict", "ogre")).refused("")


@rule("R5.307")
def test_a_multiattack_has_its_number_and_what_replaces_one_counts_as_one() -> None:
    scene = fight(beside("Hydra", level=15), "it", "kara")
    assert len(scene.when(act("Multiattack", "kara")).rolling(2, 2, 2, 2, 2).events(CHECKED)) == 5
    wight = fight(beside("Wight", level=9), "it", "kara")
    wight.given(with_dice(swing("kara", "it", weapon="necrotic sword"), 2), with_dice(act("Life Drain", "kara"), 1, 4))
    wight.when(swing("kara", "it", weapon="necrotic sword")).refused("")


@rule("R5.80", "R5.145", "R5.304")
def test_critical_hits_double_all_dice_and_grips_have_their_dc() -> None:
    assert dealt(bite(beside("Ghoul", level=9), 20, 1, 1, 1, 1, weapon="bite")) == 1 + 1 + 2 + 1 + 1
    held = beside("Bugbear Warrior").given(with_dice(swing("kara", "it", weapon="grab"), 15, 1, 1))
    assert held.when(Escape(who="kara")).rolling(8).events(CHECKED)[0].target == 12
    bitten = bite(beside("Crocodile", level=3), 15, 1)
    assert is_under(bitten, "grappled")
    assert is_under(bitten, "restrained")


@rule("R5.304", "R5.122")
def test_a_roar_frightens_until_the_lions_next_turn() -> None:
    scene = fight(beside("Lion"), "it", "kara").given(with_dice(act("Roar", "kara"), 1), EndTurn())
    assert scene.before.characters["kara"].has("frightened")
    assert not scene.given(EndTurn()).before.characters["kara"].has("frightened")


@rule("R5.305", "R5.311")
def test_a_breath_comes_back_on_a_five_and_is_halved_by_a_save() -> None:
    scene = fight(table(monster("Young White Dragon", id="it"), post(hp=300)), "it", "post")
    scene.given(with_dice(act("Cold Breath", "post"), 1, *(1,) * 9), EndTurn(), with_dice(EndTurn(), 6))
    breathed = scene.when(act("Cold Breath", "post")).rolling(20, *(1,) * 9)
    assert dealt(breathed) == 9 // 2


@rule("R5.137", "R5.319")
def test_experience_is_shared_and_budgets_add_up_over_levels() -> None:
    people = [fighter(name=name) for name in ("A", "Bo", "Cy")]
    scene = table(*people, monster("Goblin Warrior"), monster("Goblin Boss"))
    given = scene.when(AwardFoes(foes=("goblin-warrior", "goblin-boss")))
    assert given.events(events.ExperienceAwarded)[0].amount == 250 // 3
    party = table(fighter(name="A", level=1), fighter(name="Bo", level=3), monster("Ogre"))
    told = party.when(Budget(foes=("ogre",))).events(events.NoteWritten)[0].text
    assert "low 200, moderate 300, high 500" in told
