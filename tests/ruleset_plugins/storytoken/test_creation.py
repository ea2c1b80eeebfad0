"""Characters are rolled in order, born, trained and levelled; monsters need a few numbers."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.plugin import events
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.levels import Choose
from rollbook.testing.scenarios import like, rule

FAIR = ("10", "10", "10", "10", "10", "10")
STAT = events.StatChanged


def much(**more) -> Join:
    given = {"name": "Much", "id": "much", "heritage": "human", "roles": ("fighting", "thieving", "noble")}
    return Join(**{**given, **more})


@rule("R0.108", "R0.110", "R0.111", "Q0.47", "QG.5")
def test_a_new_character_rolls_3d6_six_times_in_order_and_one_hit_die(nobody) -> None:
    played = nobody().when(much()).rolling(1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 4)
    played.then(
        like(events.CharacterJoined, name="Much"),
        *(like(STAT, stat=stat, amount=3 * n) for n, stat in enumerate(("str", "dex", "con", "int", "wis", "cha"), 1)),
        events.TraitGained(character="much", trait="human", kind="heritage"),
        events.TraitGained(character="much", trait="fighting", kind="role"),
        events.LevelGained(character="much", levels=1),
        like(STAT, stat="hit_dice", amount=4),
    )
    sheet = played.sheet("much")
    assert (sheet.amount("level"), sheet.amount("max_hp"), sheet.amount("xp")) == (1, 4, 0)


@rule("Q0.47")
def test_where_the_table_allows_it_the_rolls_go_where_the_player_wants(nobody) -> None:
    wanted = much(order=("cha", "wis", "int", "con", "dex", "str"), hit_dice=("3",))
    dice = (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6)
    played = nobody(assign="free").when(wanted).rolling(*dice)
    played.then(like(STAT, stat="str", amount=18), like(STAT, stat="cha", amount=3))
    nobody().when(wanted).refused("in order", "assign = in_order")
    nobody(assign="free").when(much(order=("cha",))).refused("names every ability once")


@rule("R0.109", "Q0.52")
def test_a_player_character_has_exactly_one_heritage(nobody) -> None:
    nobody().when(much(heritage="")).refused("Much needs one heritage")


@rule("R0.110", "R0.150")
def test_two_roles_and_three_for_humans(nobody) -> None:
    nobody().when(much(roles=("noble", "fighting"))).refused("A new human has 3 roles, and 2 were named")
    nobody().when(much(heritage="elf")).refused("A new elf has 2 roles, and 3 were named")


@rule("Q0.50")
def test_no_role_is_taken_twice(nobody) -> None:
    nobody().when(much(roles=("noble", "noble", "fighting"))).refused("cannot take the same role twice")


@rule("R0.111", "Q0.79", "Q0.49")
def test_a_higher_start_has_the_experience_of_its_level_and_all_picks_open(nobody) -> None:
    played = nobody().when(much(level=8, scores=FAIR)).rolling(1, 2, 3, 4, 5, 6, 1, 2)
    played.then(
        events.ExperienceAwarded(character="much", amount=120_000, reason="starts at level 8"),
        events.LevelGained(character="much", levels=8),
    )
    much_at_8 = played.character("much")
    assert list(much_at_8.choices) == ["pick-4", "pick-8"]
    assert played.sheet("much").amount("max_hp") == 24


@rule("R0.139")
def test_past_level_9_there_are_nine_hit_dice(nobody) -> None:
    played = nobody().when(much(level=12, scores=FAIR)).rolling(*[6] * 9)
    assert played.sheet("much").amount("max_hp") == 54 + 6


def test_dice_that_were_rolled_before_are_checked(nobody) -> None:
    nobody().when(much(level=2, scores=FAIR, hit_dice=("3", "7"))).refused("2 hit dice, each 1 to 6")
    nobody().when(much(level=2, scores=FAIR, hit_dice=("3",))).refused("2 hit dice")
    nobody().when(much(scores=("10", "x"))).refused("Scores are 6 numbers")
    nobody().when(much(scores=FAIR, stats={"to hit": 4})).refused("name=number", "'to hit=4'")
    nobody().when(much(scores=FAIR, stats={"to_hit": 1_000_000})).refused("name=number")


@rule("R0.45", "R0.50")
def test_a_quick_guard_needs_hit_points_and_an_armour_class(nobody) -> None:
    guard = Join(name="Sheriff's guard", id="guard", kind="monster", ac=13, hp=9, stats={"to_hit": 4, "damage": 1})
    sheet = nobody().given(guard).sheet("guard")
    assert [sheet.amount(key) for key in ("ac", "hp", "speed", "to_hit", "damage")] == [13, 9, 40, 4, 1]
    nobody().when(Join(name="Ghost", kind="monster")).refused("Ghost needs hit points", "--hp")


@rule("R0.50")
def test_a_levelled_monster_rolls_its_hit_dice_unless_they_are_entered(nobody) -> None:
    ogre = Join(name="Ogre", id="ogre", kind="monster", level=3, scores=("16", "8", "16", "6", "7", "7"))
    assert nobody().when(ogre).rolling(4, 4, 4).sheet("ogre").amount("max_hp") == 18
    entered = Join(name="Ogre", id="ogre", kind="monster", level=3, scores=("16", "8", "16", "6", "7", "7"), hp=30)
    assert nobody().when(entered).sheet("ogre").amount("max_hp") == 30


@rule("R0.154", "Q0.62")
def test_a_superhumans_score_rises_by_10_when_the_ability_is_chosen(nobody) -> None:
    paragon = much(heritage="superhuman", roles=("noble", "fighting"), scores=FAIR, hit_dice=("3",))
    game = nobody().given(paragon)
    assert game.sheet("much").amount("str") == 10
    game.when(Choose(who="much", choice="heritage-ability", picked="str")).then(like(STAT, stat="str", amount=10))
    now = much(heritage="superhuman", roles=("noble", "fighting"), scores=FAIR, hit_dice=("3",), ability="con")
    assert nobody().given(now).sheet("much").amount("max_hp") == 3 + 4
    nobody().when(much(ability="str", scores=FAIR, hit_dice=("3",))).refused("A human chooses no ability")
    nobody().when(Join(name="Rat", kind="monster", hp=1, ability="str")).refused("goes with a heritage")


def test_armour_and_weapon_are_put_on(nobody) -> None:
    knight = Join(name="Knight", id="knight", kind="npc", hp=9, armour="heavy", weapon="heavy-melee")
    sheet = nobody().given(knight).sheet("knight")
    assert (sheet.amount("ac"), str(sheet.value("damage"))) == (17, "2d6")


def test_a_player_characters_seat_must_exist(nobody) -> None:
    nobody().when(much(seat="Ann")).refused("Nobody called Ann sits at this table")
    nobody().given(TakeSeat(seat="Ann")).when(much(seat="Ann", scores=FAIR, hit_dice=("2",))).then(
        like(events.CharacterJoined, seat="Ann")
    )


@pytest.mark.parametrize("heritage", ["demigod", "vampire"])
@rule("R0.144", "R0.157")
def test_the_one_ability_can_be_left_open(nobody, heritage: str) -> None:
    born = much(heritage=heritage, roles=("noble", "fighting"), scores=FAIR, hit_dice=("3",))
    assert "heritage-ability" in nobody().given(born).character("much").choices
