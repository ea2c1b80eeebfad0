"""Treasure that came home and foes that were slain are worth experience; a level takes so much of it."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.character.experience import ALL, AwardKills, BringHome, Fulfil, experience_for, level_for
from rollbook.rulesets.russell.fight.arms import weapon_skill_of
from rollbook.rulesets.russell.fight.hit_points import Harm
from rollbook.rulesets.russell.settings import Settings
from rollbook.testing.scenarios import like, rule
from tests.support.gear import typed_use

AWARDED, LOST = events.ExperienceAwarded, events.GearLost

THRESHOLDS = {1: 1, 2: 2_000, 3: 4_000, 4: 7_000, 5: 10_000, 6: 14_000, 7: 18_000, 8: 22_000, 9: 26_000, 10: 30_000}


def has(who: str, item: str, count: int, use: str = "") -> events.Event:
    return events.GearGained(character=who, item=item, count=count, use=typed_use(use))


@rule("R3.47")
def test_the_table_of_experience(nobody) -> None:
    assert {level: experience_for(level) for level in range(1, 11)} == THRESHOLDS
    assert [experience_for(level) for level in (11, 12, 20)] == [35_000, 40_000, 80_000]
    assert [level_for(points) for points in (0, 1_999, 2_000, 29_999, 30_000, 34_999, 35_000)] == [
        1,
        1,
        2,
        9,
        10,
        10,
        11,
    ]
    eve = Join(name="Eve", scores=("10",) * 6, hit_dice=("6",))
    assert nobody().given(eve).sheet("eve").amount("next_level") == 2_000


@rule("R3.23", "Q3.4")
def test_weapon_skill_is_1_and_1_more_at_every_even_level(nobody) -> None:
    assert [weapon_skill_of(level, Settings()) for level in range(1, 11)] == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    eve = Join(name="Eve", scores=("10",) * 6, level=4, hit_dice=("6",) * 4)
    assert nobody().given(eve).sheet("eve").amount("weapon_skill") == 3


@rule("Q3.5")
def test_past_level_10_weapon_skill_goes_on_at_even_levels_unless_the_table_stops_it() -> None:
    assert [weapon_skill_of(level, Settings()) for level in (11, 12, 14)] == [6, 7, 8]
    assert [weapon_skill_of(level, Settings(ws_after_10="none")) for level in (10, 12, 14)] == [6, 6, 6]


@rule("R3.24")
def test_shooting_skill_is_1_and_only_templates_raise_it(nobody) -> None:
    eve = Join(name="Eve", scores=("10",) * 6, level=4, hit_dice=("6",) * 4, templates=("delver",) * 4)
    terms = nobody().given(eve).sheet("eve").value("shooting_skill").terms
    assert [(term.amount, term.label) for term in terms] == [(1, "to begin with"), (1, "Steady Aim"), (1, "Cat's Luck")]
    plain = Join(name="Ann", scores=("10",) * 6, level=9, hit_dice=("6",) * 9)
    assert nobody().given(plain).sheet("ann").amount("shooting_skill") == 1


@rule("R3.45", "Q3.1", "Q3.58")
def test_treasure_brought_home_is_a_point_a_silver_shared_out(dungeon) -> None:
    rich = dungeon().given(has("aldo", "silver", 100), has("brenna", "gold", 20), has("cora", "copper", 505))
    home = rich.when(BringHome(who=("party",)))
    home.then(
        like(LOST, character="aldo", item="silver", count=100),
        like(events.PoolGained, holder="brenna", pool="copper at home", amount=2_000),
    )
    assert [home.character(name).experience for name in ("aldo", "brenna", "cora")] == [116, 116, 116]
    assert home.sheet("aldo").amount("silver") == 0
    home.go_on().when(BringHome(who=("party",))).refused("Nothing was brought home")


@rule("R3.45", "Q3.1")
def test_a_table_may_count_by_copper(dungeon) -> None:
    home = BringHome(who=("cora",), value=30)
    dungeon().when(home).then(like(AWARDED, character="cora", amount=30))
    dungeon(xp_per_coin="copper").when(home).then(like(AWARDED, character="cora", amount=300))


@rule("Q3.1")
def test_how_many_coins_make_the_next_is_the_tables(dungeon) -> None:
    gold = has("cora", "gold", 2)
    home = BringHome(who=("cora",))
    dungeon().given(gold).when(home).then(like(AWARDED, amount=20))
    dungeon(coin_ratio=20).given(gold).when(home).then(like(AWARDED, amount=40))


@rule("R3.45", "Q3.58")
def test_what_is_lost_on_the_way_or_was_had_before_is_worth_nothing(dungeon) -> None:
    found = dungeon().given(has("cora", "a ruby crown", 1, "treasure:50000"), has("cora", "silver", 12))
    lost = found.given(LOST(character="cora", item="a ruby crown"))
    lost.when(BringHome(who=("cora",), keep={"silver": ALL})).refused("Nothing was brought home")
    found.when(BringHome(who=("cora",), keep={"silver": ALL})).then(like(AWARDED, amount=5_000)).never(
        like(LOST, item="silver")
    )
    found.when(BringHome(who=("cora",), keep={"silver": 10})).then(
        like(LOST, item="silver", count=2), like(AWARDED, amount=5_002)
    )
    for few in (-1, ALL + 1):
        found.when(BringHome(who=("cora",), keep={"silver": few})).refused("gold=100")


@rule("Q3.45")
def test_treasure_may_be_shared_otherwise_and_carried_by_others(dungeon) -> None:
    wat = Join(name="Wat", kind="hireling", hp=3)
    loaded = dungeon().given(wat, has("wat", "silver", 90))
    shared = loaded.when(BringHome(who=("aldo", "cora"), bearers=("wat",), shares=("2", "1")))
    shared.then(like(AWARDED, character="aldo", amount=60), like(AWARDED, character="cora", amount=30))
    assert not shared.character("wat").experience
    loaded.when(BringHome(who=("aldo", "cora"), shares=("2",))).refused("one number for each")
    loaded.when(BringHome(who=("aldo",), shares=("0",), value=9)).refused("Somebody must have a share")


@rule("R3.46", "Q3.45")
def test_slain_foes_are_25_a_hit_die_shared_out_or_each_if_the_table_says(dungeon) -> None:
    dead = (Harm(who="goblin", amount="9"), Harm(who="ogre", amount="20"))
    award = AwardKills(foes=("goblin", "ogre"))
    shared = dungeon().given(*dead).when(award)
    assert [shared.character(name).experience for name in ("aldo", "brenna", "cora")] == [41, 41, 41]
    each = dungeon(kill_xp="each").given(*dead).when(award)
    assert [each.character(name).experience for name in ("aldo", "brenna", "cora")] == [125, 125, 125]
    special = dungeon().given(*dead).when(AwardKills(foes=("ogre",), who=("cora",), extra=50))
    special.then(like(AWARDED, character="cora", amount=150, reason="slew Ogre"))


@rule("R3.46")
def test_people_count_like_monsters_by_level_or_hit_dice(dungeon) -> None:
    knight = Join(name="Knight", kind="npc", level=3, hit_dice=("3", "3", "3"))
    slain = dungeon().given(knight, Harm(who="knight", amount="9"))
    slain.when(AwardKills(foes=("knight",), who=("cora",))).then(like(AWARDED, amount=75))


@rule("R3.46")
def test_a_foe_who_was_got_past_is_worth_nothing_and_a_dead_one_only_once(dungeon) -> None:
    dungeon().when(AwardKills(foes=("ogre",))).refused("only avoided", "--avoided")
    dead = dungeon().given(Harm(who="goblin", amount="9"), AwardKills(foes=("goblin",)))
    dead.when(AwardKills(foes=("goblin",))).refused("has been counted for experience already")


@pytest.mark.parametrize("award", [BringHome(who=("party",), value=9), AwardKills(foes=("goblin",))])
def test_there_must_be_somebody_to_earn_it(nobody, award) -> None:
    goblin = Join(name="Goblin", kind="monster", hp=4)
    nobody().given(goblin, Harm(who="goblin", amount="9")).when(award).refused("nobody in the party")


@rule("R3.46")
def test_a_table_may_count_foes_who_were_avoided(dungeon) -> None:
    past = AwardKills(foes=("ogre",), who=("cora",), avoided=True)
    dungeon().when(past).refused("only avoided", "avoided_xp=yes")
    counted = dungeon(avoided_xp=True).when(past).then(like(AWARDED, amount=100, reason="got past Ogre"))
    counted.go_on().when(past).refused("has been counted for experience already")


@rule("R3.45")
def test_a_quest_is_worth_experience_once(dungeon) -> None:
    quest = Fulfil(quest="the bell is rung", points=300)
    done = dungeon().when(quest).then(like(AWARDED, character="aldo", amount=300, reason="the bell is rung"))
    assert {event.character for event in done.events(AWARDED)} == {"aldo", "brenna", "cora"}
    done.go_on().when(Fulfil(quest="the bell is rung", points=5, who=("cora",))).refused("Cora has been awarded for")
    dungeon().when(Fulfil(quest="a truce", points=301, split=True)).then(like(AWARDED, amount=100))
