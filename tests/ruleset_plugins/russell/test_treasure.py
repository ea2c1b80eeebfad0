"""What foes carry and what lies in their lairs, with values that explode."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.plugin import CharacterKind, events
from rollbook.rulesets.russell.settings import Settings
from rollbook.rulesets.russell.wealth.handover import Loot
from rollbook.rulesets.russell.wealth.treasure import FindLair, PocketChange, worth
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.gear import typed_use
from tests.support.russell import has_gear, in_condition, joined_with_stats, party

CHEST = events.CharacterJoined(character="chest", name="Chest", kind=CharacterKind.THING)


def gained(item: str, count: int = 1, use: tuple[str, ...] = ()):
    return events.GearGained(character="chest", item=item, count=count, use=use)


def ogre(hit_dice: int = 4):
    return party().given(CHEST, joined_with_stats("ogre", CharacterKind.MONSTER, level=0, hit_dice=hit_dice))


@rule("R3.100", "Q3.42")
def test_pocket_change_is_a_d10_times_hit_dice_squared_in_copper() -> None:
    ogre().when(PocketChange(who="ogre")).rolling(9).then(
        like(events.DiceRolled, expression="1d10"), events.GearGained(character="ogre", item="copper", count=144)
    )
    party().when(PocketChange(who="goblin", finder="ida")).rolling(3).then(
        events.GearGained(character="ida", item="copper", count=3)
    )


@rule("R3.100", "Q3.42")
def test_a_ten_rolls_again_in_silver_and_a_second_ten_is_something_special() -> None:
    ogre().when(PocketChange(who="ogre", finder="chest")).rolling(10, 9).then(
        gained("copper", 160), gained("silver", 144)
    ).never(like(events.GearGained, item="minor treasure"))
    ogre().when(PocketChange(who="ogre", finder="chest")).rolling(10, 10).then(
        gained("copper", 160), gained("silver", 160), gained("minor treasure", use=("treasure", "0"))
    )
    ring = PocketChange(who="ogre", finder="chest", special="ring", special_worth=30)
    ogre().when(ring).rolling(10, 10).then(gained("ring worth 30 silver", use=("treasure", "300")))


@rule("R3.100")
def test_pockets_are_searched_once() -> None:
    searched = ogre().given(with_dice(PocketChange(who="ogre", finder="chest"), 3))
    searched.when(PocketChange(who="ogre")).refused("Ogre's pockets have been searched already")


def test_pockets_of_somebody_without_hit_dice_cannot_be_reckoned() -> None:
    party().given(CHEST).when(PocketChange(who="chest")).refused("Chest has no hit dice")


@rule("R3.101")
@pytest.mark.parametrize(
    ("hit_dice", "gold", "silver"),
    [
        (1, 50, 100),
        (2, 100, 200),
        (3, 100, 200),
        (4, 200, 500),
        (5, 200, 500),
        (6, 500, 1_000),
        (7, 500, 1_000),
        (8, 1_000, 2_000),
        (9, 1_000, 2_000),
        (10, 2_000, 5_000),
        (11, 2_000, 5_000),
        (12, 3_000, 10_000),
        (20, 3_000, 10_000),
    ],
)
def test_coins_of_a_lair_by_the_hit_dice_of_its_owner(hit_dice, gold, silver) -> None:
    lair = FindLair(finder="chest", hit_dice=hit_dice, only=("coins",))
    ogre().when(lair).rolling(8, 3, 40).then(
        gained("gold", 2 * gold), gained("silver", 3 * silver), gained("copper", 40 * 100 * hit_dice)
    )


@rule("R3.101", "Q3.41")
def test_there_is_never_less_than_no_gold() -> None:
    lair = FindLair(finder="chest", owner="ogre", only=("coins",))
    for die in (1, 6):
        ogre().when(lair).rolling(die, 1, 1).never(like(events.GearGained, item="gold"))
    ogre().when(lair).rolling(7, 1, 1).then(gained("gold", 200))


@rule("R3.102", "Q3.41")
@pytest.mark.parametrize(
    ("kind", "dice", "item", "gold"),
    [
        ("clothes", (4, 7), "fine clothes worth 35 gold", 35),
        ("goods", (4, 7, 8), "goods of good make worth 150 gold", 150),
        ("artwork", (4, 9), "work of art worth 180 gold", 180),
        ("gem", (4, 3), "gem worth 150 gold", 150),
    ],
)
def test_things_of_worth_are_there_if_the_die_is_no_more_than_the_hit_dice(kind, dice, item, gold) -> None:
    lair = FindLair(finder="chest", owner="ogre", only=(kind,))
    use = f"treasure:gem:{gold * 100}" if kind == "gem" else f"treasure:{gold * 100}"
    ogre().when(lair).rolling(*dice).then(gained(item, use=typed_use(use)))
    ogre().when(lair).rolling(5).never(events.GearGained)


@rule("R3.102", "Q3.41")
def test_the_highest_face_of_art_and_gems_is_rolled_again_and_added_as_often_as_it_comes() -> None:
    gem, art = (FindLair(finder="chest", owner="ogre", only=(kind,)) for kind in ("gem", "artwork"))
    ogre().when(gem).rolling(1, 10, 10, 4).then(gained("gem worth 1200 gold", use=("treasure", "gem", "120000")))
    ogre().when(art).rolling(1, 10, 1).then(gained("work of art worth 220 gold", use=("treasure", "22000")))
    clothes = FindLair(finder="chest", owner="ogre", only=("clothes",))
    ogre().when(clothes).rolling(1, 10).then(gained("fine clothes worth 50 gold", use=("treasure", "5000")))


@rule("R3.102")
def test_magic_is_for_the_gm_to_name() -> None:
    magic = FindLair(finder="chest", hit_dice=12, only=("magic",))
    ogre().when(magic).rolling(12).then(gained("magic item", use=("treasure", "0")))
    ogre().when(magic).rolling(13).never(events.GearGained)


@rule("R3.101", "R3.102")
def test_a_whole_lair_is_rolled_in_the_order_of_the_tables() -> None:
    whole = ogre().when(FindLair(finder="chest", owner="ogre")).rolling(8, 2, 5, 5, 5, 4, 1, 5, 5)
    assert [roll.purpose for roll in whole.events(events.DiceRolled)] == [
        "lair: gold",
        "lair: silver",
        "lair: copper",
        "lair: clothes",
        "lair: goods",
        "lair: artwork",
        "lair: worth of artwork",
        "lair: gem",
        "lair: magic",
    ]
    sheet = whole.sheet("chest")
    assert (sheet.amount("gold"), sheet.amount("silver"), sheet.amount("copper")) == (400, 1_000, 2_000)
    assert sheet.amount("worth") == 40_000 + 10_000 + 2_000 + 2_000


def test_a_lair_has_an_owner_or_hit_dice() -> None:
    ogre().when(FindLair(finder="chest")).refused("--owner NAME", "--hit-dice NUMBER")


@rule("Q3.1")
def test_what_treasure_is_worth_in_copper() -> None:
    assert [worth(coin, (), Settings()) for coin in ("copper", "silver", "gold", "rope")] == [1, 10, 100, 0]
    assert worth("gold", (), Settings(coin_ratio=20)) == 400
    assert worth("idol", ("treasure", "700"), Settings()) == 700
    assert [worth("idol", ("treasure", number), Settings()) for number in ("", "²", "x", "-5")] == [0] * 4


@rule("R3.34", "R3.35")
def test_treasure_changes_hands_as_far_as_it_can_be_carried() -> None:
    hoard = ogre().given(
        has_gear("chest", "gold", 2_000),
        has_gear("chest", "idol", 1, "treasure:500"),
        has_gear("chest", "rope"),
        has_gear("bram", "bell", 11),
    )
    hoard.when(Loot(who="ida", source="chest")).then(
        events.GearLost(character="chest", item="gold", count=2_000),
        events.GearGained(character="ida", item="gold", count=2_000),
        events.GearLost(character="chest", item="idol"),
        events.GearGained(character="ida", item="idol", use=("treasure", "500")),
        only=True,
    )
    hoard.when(Loot(who="bram", source="chest")).then(
        events.GearGained(character="bram", item="gold", count=2_000),
        events.NoteWritten(text="Bram cannot carry it all, and leaves 1 idol"),
    )
    laden = hoard.given(has_gear("wat", "bell", 14))
    laden.when(Loot(who="wat", source="chest", item="gold")).then(
        events.GearGained(character="wat", item="gold", count=1_999),
        events.NoteWritten(text="Wat cannot carry it all, and leaves 1 gold"),
    )
    laden.given(has_gear("wat", "gold", 1_999)).when(Loot(who="wat", source="chest")).refused(
        "Wat cannot carry 2000 gold more", "the limit is 15"
    )
    hoard.when(Loot(who="bram", source="chest", item="gold", count=999)).then(events.GearGained)
    hoard.when(Loot(who="bram", source="chest", item="rope")).then(like(events.GearGained, item="rope"))
    hoard.when(Loot(who="bram", source="chest", item="crown")).refused("Chest has no crown to take")


def test_nobody_but_the_gm_takes_things_from_people_who_mind() -> None:
    seats = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"), events.ControlPassed(character="ida", seat="Ann"))
    game = ogre().given(seats, has_gear("ogre", "gold", 5))
    loot = Loot(who="ida", source="ogre")
    game.when(loot, seat="Ann").refused("Ogre can object")
    game.when(loot, seat="Vera").then(events.GearGained)
    game.given(in_condition("ogre", "dead")).when(loot, seat="Ann").then(events.GearGained)
