"""A save is a d20 at or under the score; advantage and its double move every test the way that helps."""

from __future__ import annotations

import pytest

from rollbook.kit import d20
from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.character.skills import Check
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.rolls import Save
from rollbook.testing.scenarios import like, rule

CHECKED, ROLLED = events.CheckResolved, events.DiceRolled


@rule("R3.9")
@pytest.mark.parametrize(("face", "saved"), [(1, True), (9, True), (10, False), (20, False)])
def test_a_save_succeeds_at_or_under_the_attribute(dungeon, face: int, saved: bool) -> None:
    dodge = Save(who="aldo", attribute="dex", against="the dart")
    dungeon().when(dodge).rolling(face).then(like(CHECKED, total=face, target=9, success=saved))


@rule("R3.11")
def test_athletics_is_a_save_against_movement(dungeon) -> None:
    leap = Save(who="aldo", attribute="movement")
    dungeon().when(leap).rolling(12).then(like(CHECKED, check="Movement save", target=12, success=True))
    dungeon().when(Save(who="ogre", attribute="movement")).rolling(10).then(like(CHECKED, target=9, success=False))


@rule("R3.96", "Q3.56")
def test_a_monster_saves_with_its_own_number_or_10_or_an_attribute_that_is_stated(dungeon) -> None:
    dungeon().when(Save(who="ogre", attribute="dex")).rolling(12).then(like(CHECKED, target=12, success=True))
    dungeon().when(Save(who="goblin", attribute="dex")).rolling(11).then(like(CHECKED, target=10, success=False))
    nimble = Join(name="Bat", kind="monster", profile="HD 1 Sv 8", hp=2, stats={"dex": 17})
    dungeon().given(nimble).when(Save(who="bat", attribute="dex")).rolling(17).then(like(CHECKED, success=True))


@rule("R3.93", "Q3.18")
def test_the_lower_of_two_dice_is_the_better_save(dungeon) -> None:
    easy = Save(who="aldo", attribute="dex", advantage=("a handhold",))
    dungeon().when(easy).rolling(15, 8).then(like(CHECKED, total=8, success=True))
    hard = Save(who="aldo", attribute="dex", disadvantage=("ice",))
    dungeon().when(hard).rolling(15, 8).then(like(CHECKED, total=15, success=False))


@rule("R3.94", "Q3.18")
def test_doubly_easy_saves_take_the_better_die_and_4_off(dungeon) -> None:
    easy = Save(who="aldo", attribute="dex", advantage=("a handhold", "a rope"))
    dungeon().when(easy).rolling(15, 13).then(like(CHECKED, total=9, success=True))
    hard = Save(who="aldo", attribute="dex", disadvantage=("ice", "wind"))
    dungeon().when(hard).rolling(2, 6).then(like(CHECKED, total=10, success=False))


@rule("R3.93", "R3.94")
def test_attacks_take_the_higher_die_and_add_4_when_doubly_easy(dungeon) -> None:
    def struck(**ease: tuple[str, ...]) -> Attack:
        return Attack(attacker="cora", target="goblin", weapon="melee", **ease)

    dungeon().when(struck(advantage=("above",))).rolling(3, 13, 1).then(like(CHECKED, total=13 + 1 + 6))
    dungeon().when(struck(disadvantage=("below",))).rolling(3, 13).then(like(CHECKED, total=3 + 1 + 6))
    dungeon().when(struck(advantage=("above", "behind"))).rolling(3, 9, 1).then(like(CHECKED, total=9 + 4 + 1 + 6))
    dungeon().when(struck(disadvantage=("below", "dust"))).rolling(17, 16).then(like(CHECKED, total=16 - 4 + 1 + 6))


@rule("Q3.19", "QG.4")
@pytest.mark.parametrize(
    ("for_", "against", "dice"), [(1, 1, (9,)), (2, 2, (9,)), (2, 1, (12, 9)), (3, 1, (16, 13)), (5, 0, (16, 13))]
)
def test_what_speaks_for_and_against_a_roll_is_netted_up_to_a_double(
    dungeon, for_: int, against: int, dice: tuple[int, ...]
) -> None:
    ease = d20.Advantage(tuple(f"help {n}" for n in range(for_)), tuple(f"snag {n}" for n in range(against)))
    roll = Save(who="aldo", attribute="dex", advantage=ease.advantage, disadvantage=ease.disadvantage)
    dungeon().when(roll).rolling(*dice).then(like(CHECKED, total=9, success=True))


@rule("Q3.19")
def test_a_table_may_stop_at_a_single_advantage(dungeon) -> None:
    easy = Save(who="aldo", attribute="dex", advantage=("a handhold", "a rope"))
    dungeon(adv_clamp=1).when(easy).rolling(15, 9).then(like(CHECKED, total=9, success=True))


@rule("QG.3", "R3.94")
def test_the_4_of_a_double_neither_makes_nor_unmakes_a_natural_number(dungeon) -> None:
    up = Attack(attacker="cora", target="goblin", weapon="melee", advantage=("above", "behind"))
    dungeon().when(up).rolling(2, 16, 1).then(like(CHECKED, total=27, outcome="hit"))
    down = Attack(attacker="cora", target="goblin", weapon="melee", disadvantage=("below", "dust"))
    dungeon().when(down).rolling(5, 19).then(like(CHECKED, outcome="miss")).never(like(CHECKED, outcome="natural 1"))


@rule("Q3.52", "R3.94")
def test_the_4_counts_in_full_on_a_d6(dungeon) -> None:
    helped = Check(who="aldo", skill="searching", advantage=("a lamp", "a map"))
    dungeon().when(helped).rolling(2, 1).then(like(CHECKED, total=6, target=6, success=True))


def test_a_bonus_raises_what_may_be_rolled(dungeon) -> None:
    braced = Save(who="aldo", attribute="dex", bonus=("+3 braced",))
    dungeon().when(braced).rolling(12).then(like(CHECKED, target=12, success=True))
    dungeon().when(Save(who="aldo", attribute="dex", listen=True)).refused("wis")


@rule("R3.50")
def test_a_template_that_helps_saves_raises_every_attribute_but_not_movement(nobody) -> None:
    mage = Join(name="Eve", scores=("10",) * 6, hit_dice=("6",), templates=("hedge-mage",))
    nobody().given(mage).when(Save(who="eve", attribute="int")).rolling(11).then(like(CHECKED, target=11, success=True))
    nobody().given(mage).when(Save(who="eve", attribute="movement")).rolling(12).then(like(CHECKED, target=12))
    assert nobody().given(mage).sheet("eve").amount("save_bonus") == 1
