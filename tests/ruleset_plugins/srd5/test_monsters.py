"""Monsters come in by the name of their stat block, with everything that it says, and attack as it says."""

from __future__ import annotations

import pytest

from rollbook.domain.rules.action import intent_of
from rollbook.plugin import NotFound, events
from rollbook.rulesets.srd5 import RULESET, catalogue
from rollbook.rulesets.srd5.character.joining import Join
from rollbook.testing.scenarios import like, rule, scenario
from tests.support.srd5 import fight, fighter, hp, monster, rolled, swing, table

HURT = events.DamageTaken


@rule("R5.20", "R5.24", "R5.216")
def test_a_stat_block_gives_a_monster_its_numbers() -> None:
    sheet = table(monster("Aboleth")).sheet("aboleth")
    wanted = {
        "ac": 17,
        "hp": 150,
        "str": 21,
        "save:dex": 3,
        "save:int": 8,
        "history": 12,
        "perception": 10,
        "speed": 10,
    }
    assert {key: sheet.amount(key) for key in wanted} == wanted
    assert (sheet.amount("initiative"), sheet.amount("passive_perception"), sheet.amount("proficiency")) == (7, 20, 4)


@pytest.mark.parametrize("key", sorted(catalogue.monsters()))
def test_every_stat_block_can_come_in_and_has_a_sheet_that_adds_up(key) -> None:
    block = catalogue.monsters()[key]
    sheet = table(monster(block.name, id="it")).sheet("it")
    assert (sheet.amount("ac"), sheet.amount("hp")) == (block.ac, block.hit_points)
    for ability, row in block.abilities.items():
        assert sheet.amount(f"save:{ability}") == row.save
    for skill, bonus in block.skills.items():
        assert sheet.amount(skill.replace(" ", "_")) == bonus
    for value in sheet.values:
        assert sum(term.amount for term in value.terms) == value.amount, value.key


def test_several_come_in_by_one_name_and_are_monsters() -> None:
    scene = scenario(RULESET)
    goblins = Join(name="Goblin Warrior", count=4)
    settled = goblins.settled(scene.after, secret=False)
    scene = scene.given(Join(**{**dict(intent_of(goblins).params), **settled}))
    assert [who.kind for who in scene.after.characters.values()] == ["monster"] * 4
    assert hp(scene, "goblin-warrior-3") == 10


def test_an_unknown_stat_block_names_its_nearest() -> None:
    with pytest.raises(NotFound, match="Goblin Warrior"):
        scenario(RULESET).given(Join(name="Snik", block="goblin warior"))
    with pytest.raises(NotFound, match="Ogre"):
        scenario(RULESET).given(Join(name="Orge", kind="monster"))


@rule("R5.9", "R5.78", "R5.80")
def test_an_attack_of_a_stat_block_has_its_own_bonus_and_damage() -> None:
    scene = (
        table(fighter(), monster("Ogre")).when(swing("kara", "ogre", weapon="javelin", distance=30)).rolling(10, 3, 4)
    )
    assert rolled(scene) == ("1d20 + 6[Javelin]", "2d6 + 4")
    scene.then(like(HURT, amount=11, tags=("piercing",)))


@rule("R5.15")
def test_damage_that_comes_with_advantage_comes_only_then() -> None:
    goblin = table(fighter(), monster("Goblin Warrior"))
    plain = goblin.when(swing("kara", "goblin-warrior", weapon="scimitar")).rolling(15, 3)
    plain.then(like(HURT, amount=5))
    better = goblin.when(swing("kara", "goblin-warrior", weapon="scimitar", unseen="attacker")).rolling(15, 2, 3, 4)
    better.then(like(HURT, amount=9))


@rule("R5.108")
def test_a_multiattack_makes_so_many_of_each_attack_and_no_more() -> None:
    bear = fight(table(fighter(level=10), monster("Brown Bear")), "brown-bear", "kara")
    bear = bear.when(swing("kara", "brown-bear", weapon="claw")).rolling(2).go_on()
    bear = bear.when(swing("kara", "brown-bear", weapon="bite")).rolling(2).go_on()
    bear.when(swing("kara", "brown-bear", weapon="bite")).refused("has used the action")


@rule("R5.15")
def test_a_wolf_beside_its_pack_attacks_with_advantage() -> None:
    pack = table(fighter(at=("1", "0")), monster("Wolf", at=("0", "0")), monster("Wolf", id="grey", at=("2", "0")))
    assert rolled(pack.when(swing("kara", "wolf")).rolling(2, 3))[0].startswith("2d20kh1[Pack Tactics]")
    alone = table(fighter(at=("1", "0")), monster("Wolf", at=("0", "0")))
    assert rolled(alone.when(swing("kara", "wolf")).rolling(2))[0].startswith("1d20 ")


def test_a_stat_block_that_is_misspelt_names_the_nearest() -> None:
    with pytest.raises(NotFound, match="Did you mean Goblin Warrior"):
        _ = table().when(Join(name="Goblin Warior")).played
    with pytest.raises(NotFound, match="Dragon"):
        _ = table().when(Join(name="Dragon", kind="monster")).played
    assert not table(Join(name="Una")).character("una").traits_of("stat block")
