"""Coins, trade, tools, mounts, magic items that are worn and identified, areas, the unseen, teleport."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue.kinds import Area
from rollbook.rulesets.srd5.fight.attack import Attack
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.rulesets.srd5.growth.purse import COINS
from rollbook.rulesets.srd5.growth.rests import Attune
from rollbook.rulesets.srd5.growth.trade import Buy, Identify, Sell
from rollbook.rulesets.srd5.magic.aims import reaches
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import again, cast, caster, condition, fight, fighter, monster, post, table

CHECKED = events.CheckResolved


def purse(**coins: int) -> tuple[events.PoolGained, ...]:
    """Coins of Kara's."""
    return tuple(events.PoolGained(holder="kara", pool=coin, amount=many) for coin, many in coins.items())


def give(*items: str) -> tuple[events.GearGained, ...]:
    """Things that Kara gets."""
    return tuple(events.GearGained(character="kara", item=item) for item in items)


@rule("R5.251")
def test_coins_are_worth_what_the_table_says_and_change_is_given() -> None:
    assert COINS.worth({"platinum": 1, "gold": 1, "electrum": 1, "silver": 1, "copper": 1}) == 1000 + 100 + 50 + 10 + 1
    assert COINS.worth({"electrum": 1}) == COINS.worth({"silver": 5}) and COINS.worth({"gold": 1}) == COINS.worth(
        {"copper": 100}
    )
    scene = table().given(*purse(gold=1, electrum=1), Buy(who="kara", item="torch", count=3))
    pools = scene.before.characters["kara"].pools
    assert (pools["gold"], pools["silver"], pools["copper"], pools["electrum"]) == (1, 4, 7, 0)
    assert scene.before.characters["kara"].gear["Torch"].count == 3
    scene.when(Buy(who="kara", item="plate armor")).refused("1500 gold")


@rule("R5.252")
def test_a_thing_sold_fetches_half_its_price_or_what_the_gm_says() -> None:
    scene = table().given(Sell(who="kara", item="longsword"))
    pools = scene.before.characters["kara"].pools
    assert (pools["gold"], pools["silver"]) == (7, 5)
    gem = table().given(*give("ruby"))
    again(gem).when(Sell(who="kara", item="ruby")).refused("--price")
    assert gem.given(Sell(who="kara", item="ruby", price=5_000)).before.characters["kara"].pools["gold"] == 50


@rule("R5.274", "R5.26")
def test_a_tool_has_its_ability_and_dcs_and_is_used_so() -> None:
    tool = catalogue.equipment()["thieves-tools"].tool
    assert tool is not None and tool.ability == "dex"
    assert {use.words: use.dc for use in tool.uses} == {"pick a lock": 15, "disarm a trap": 15}
    pick = Check(who="kara", skill=tool.ability, tool="thieves-tools", dc="15")
    again(table()).when(pick).rolling(11).then(like(CHECKED, total=13, target=15, success=False))
    skilled = table().given(events.TraitGained(character="kara", trait="thieves-tools", kind="tool"))
    skilled.when(pick).rolling(11).then(like(CHECKED, total=15, success=True))


@rule("R5.276")
def test_mounts_carry_and_move_as_the_tables_say() -> None:
    rows = catalogue.equipment()
    assert (rows["warhorse"].carries, rows["warhorse"].price, rows["mule"].carries) == (540, 40_000, 420)
    assert table(fighter(), monster("Warhorse")).sheet("warhorse").amount("speed") == 60
    airship = rows["airship"].vehicle
    assert airship is not None and (airship.mph, airship.cargo_tons) == (8, 1)
    saddle = rows["saddle-military"].effects[0]
    assert getattr(saddle, "versus", "") == "staying mounted" and getattr(saddle, "on", ()) == ("check",)


@rule("R5.279")
def test_a_magic_item_is_identified_out_of_fights_or_by_its_spell() -> None:
    scene = table().given(
        events.GearGained(character="kara", item="odd stick", use=("wand-of-secrets",)), *give("plain stick")
    )
    told = again(scene).when(Identify(who="kara", item="odd stick")).events(events.NoteWritten)[0].text
    assert "Wand of Secrets" in told and "Search" in told
    again(scene).when(Identify(who="kara", item="plain stick")).refused("no magic item")
    fight(scene).when(Identify(who="kara", item="odd stick")).refused("short rest")
    pearl = events.GearGained(character="mira", item="pearl")
    by_spell = table(caster()).given(pearl).when(cast("identify", allowed=("time",)))
    assert any("properties" in each.text for each in by_spell.events(events.NoteWritten)) or by_spell.after.characters[
        "mira"
    ].has("identify")


@rule("R5.282", "R5.110")
def test_one_cloak_works_and_a_ring_beside_it() -> None:
    scene = table().given(*give("Cloak of Protection", "Cloak of Displacement", "Ring of Protection"))
    before = scene.sheet("kara").amount("ac")
    worn = scene.given(*(Attune(who="kara", item=each) for each in ("Cloak of Protection", "Ring of Protection")))
    assert worn.sheet("kara").amount("ac") == before + 2
    both = worn.given(Attune(who="kara", item="Cloak of Displacement"))
    swing = Attack(attacker="post", target="kara")
    assert not [each for each in both.when(swing).rolling(2).events(events.DiceRolled) if "kl1" in each.expression]


@rule("R5.110", "R5.280")
def test_attunement_is_to_three_things_at_most() -> None:
    rings = [f"Ring of {each}" for each in ("Protection", "Evasion", "Warmth", "Free Action")]
    scene = table().given(*give(*rings), *(Attune(who="kara", item=each) for each in rings[:3]))
    again(scene).when(Attune(who="kara", item=rings[3])).refused("3 things are the most")
    scene.given(Attune(who="kara", item=rings[0], ends=True), Attune(who="kara", item=rings[3]))


@rule("R5.165")
def test_the_invisible_are_not_chosen_by_what_must_see() -> None:
    scene = table(caster(), post()).given(condition("post", "invisible"))
    again(scene).when(cast("hex", "post", allowed=("unprepared", "components"))).refused("does not see")
    seen = scene.given(cast("true seeing", "mira", allowed=("unprepared", "components", "no slot")))
    seen.given(cast("hex", "post", allowed=("unprepared", "components", "no slot")))


@rule("R5.196", "R5.69")
def test_teleporting_spends_no_movement_and_gives_no_opportunity() -> None:
    people = caster(at=("0", "0")), monster("Ogre", at=("1", "0"))
    scene = fight(table(*people), "mira", "ogre", dice=(20, 5))
    scene = scene.given(cast("misty step", at=("6", "0")))
    assert scene.before.characters["mira"].position[0] == 6 and not scene.before.encounter.spent.get("feet")
    scene.when(Opportunity(attacker="ogre", target="mira")).refused("has not left")


@rule("R5.105")
@pytest.mark.parametrize(
    ("shape", "feet", "point", "inside", "outside"),
    [
        ("sphere", 20, (8, 0, 0), (12, 0, 0), (13, 0, 0)),
        ("cube", 15, (8, 0, 0), (9, 1, 0), (10, 0, 0)),
        ("cylinder", 10, (8, 0, 0), (10, 0, 0), (11, 0, 0)),
        ("emanation", 10, None, (2, 2, 0), (3, 0, 0)),
        ("cone", 15, (3, 0, 0), (3, 1, 0), (1, 1, 0)),
        ("line", 30, (6, 0, 0), (6, 0, 0), (7, 0, 0)),
    ],
)
def test_areas_reach_as_their_shapes_say(shape, feet, point, inside, outside) -> None:
    area = Area(shape=shape, feet=feet, width=5 if shape == "line" else 0, height=20 if shape == "cylinder" else 0)
    assert reaches(area, (0, 0, 0), point, inside, 0) and not reaches(area, (0, 0, 0), point, outside, 0)


@rule("R5.105")
def test_total_cover_blocks_an_area() -> None:
    table(caster(), post()).when(cast("fireball", "post", cover="total")).refused("total cover")
