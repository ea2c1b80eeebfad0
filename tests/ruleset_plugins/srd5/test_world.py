"""The world does harm and has light: falls, fire, breath, hunger, weather, poisons, traps, travel, sight."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import NotFound, events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.fight.encounter import EndTurn, SetCondition
from rollbook.rulesets.srd5.fight.places import Place
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.time.journeys import Breathe, Halt, HoldBreath, Rations, Travel
from rollbook.rulesets.srd5.time.perils import Fall, Ignite, Peril, PutOut
from rollbook.rulesets.srd5.time.surroundings import Kindle, Surroundings
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import condition, end_turn, fight, fighter, hp, monster, post, rolled, swing, table

HURT, CHECK, BEGAN, NOTE = events.DamageTaken, events.CheckResolved, events.ConditionBegan, events.NoteWritten


def exhaustion(scene: Scenario, who: str = "kara") -> int:
    held = scene.after.characters[who].conditions.get("exhaustion")
    return int(str(held.data["level"])) if held is not None else 0


@rule("R5.139")
@pytest.mark.parametrize(("feet", "dice"), [(9, 0), (10, 1), (59, 5), (200, 20), (500, 20)])
def test_a_fall_deals_a_die_for_each_ten_feet_and_ends_prone(feet, dice) -> None:
    fell = table().when(Fall(who="post", feet=feet)).rolling(*[1] * dice)
    assert [event.amount for event in fell.events(HURT)] == ([dice] if dice else [])
    assert fell.character("post").has("prone") is bool(dice)


@rule("R5.140")
def test_into_water_a_check_with_the_reaction_halves_a_fall() -> None:
    scene = fight(table())
    good = scene.when(Fall(who="post", feet=30, water="acrobatics")).rolling(15, 2, 3, 4)
    good.then(like(BEGAN, condition="reaction used"), like(CHECK, target=15, success=True), like(HURT, amount=4))
    scene.when(Fall(who="kara", feet=30, water="athletics")).rolling(2, 2, 3, 4).then(like(HURT, amount=9))


@rule("R5.115")
def test_fire_burns_at_the_start_of_each_turn_until_it_is_put_out() -> None:
    scene = fight(table(post(), fighter()), "post", "kara").given(Ignite(who="kara"))
    burnt = scene.when(EndTurn()).rolling(3)
    assert [event.tags for event in burnt.events(HURT)] == [("fire",)]
    out = burnt.go_on().when(PutOut(who="kara")).then(like(BEGAN, condition="prone"))
    assert not out.character("kara").has("burning")
    out.go_on().when(PutOut(who="kara")).refused("does not burn")


@rule("R5.194")
def test_who_has_no_air_is_exhausted_each_turn_and_breathing_takes_it_away() -> None:
    scene = fight(table()).given(HoldBreath(who="kara", choking=True))
    end_turn(end_turn(end_turn(scene)))
    assert exhaustion(scene) == 2
    assert exhaustion(scene.when(Breathe(who="kara"))) == 0
    held = table().when(HoldBreath(who="kara")).then(like(BEGAN, condition="holding breath", detail="180 seconds"))
    assert held.go_on().before.characters["kara"].has("holding breath")


@rule("R5.194")
def test_breath_runs_out_while_time_passes() -> None:
    scene = table().given(HoldBreath(who="kara"))
    assert exhaustion(scene.go_on().when(PassTime(amount=3, unit="minutes"))) == 0
    assert (
        exhaustion(scene.go_on().given(PassTime(amount=3, unit="minutes")).when(PassTime(amount=2, unit="rounds"))) == 2
    )
    assert scene.go_on().given(PassTime(amount=5, unit="minutes")).before.characters["kara"].has("dead")
    old = table(edition="2014").given(HoldBreath(who="kara", choking=True))
    assert hp(old.go_on().given(PassTime(amount=2, unit="rounds")), "kara") == 12
    assert hp(old.go_on().given(PassTime(amount=3, unit="rounds")), "kara") == 0


@rule("R5.131", "R5.172", "R5.173")
def test_too_little_food_and_water_exhaust() -> None:
    scene = table()
    assert exhaustion(scene.when(Rations(who=("kara",), water="little"))) == 1
    assert exhaustion(scene.when(Rations(who=("kara",), water="half"))) == 0
    assert exhaustion(scene.when(Rations(who=("kara",), food="little")).rolling(2)) == 1
    assert exhaustion(scene.when(Rations(who=("kara",), food="little")).rolling(9)) == 0
    hungry = table()
    levels = []
    for _ in range(6):
        hungry.given(Rations(who=("kara",), food="none"))
        levels.append(exhaustion(hungry))
    assert levels == [0, 0, 0, 0, 1, 2]
    assert exhaustion(hungry.when(SetCondition(who="kara", condition="exhaustion", ends=True))) == 2
    fed = hungry.given(Rations(who=("kara",)))
    assert exhaustion(fed.when(SetCondition(who="kara", condition="exhaustion", ends=True))) == 1


@rule("R5.315", "R5.135")
def test_cold_heat_and_water_exhaust_by_the_hour_those_whom_nothing_spares() -> None:
    scene = table(fighter(armour="chain mail"), monster("White Dragon Wyrmling", id="wyrm"))
    cold = scene.when(Peril(hazard="extreme cold", targets=("kara", "wyrm"), hours=2)).rolling(2, 20)
    assert [event.target for event in cold.events(CHECK)] == [10, 10]
    assert exhaustion(cold) == 1
    heat = scene.when(Peril(hazard="extreme heat", targets=("kara",), hours=2, after=3)).rolling(20, 20, 20, 20)
    assert [event.target for event in heat.events(CHECK)] == [8, 9]
    assert "kl1[armour]" in rolled(heat)[0]


@rule("R5.317")
@pytest.mark.parametrize("key", [key for key, row in catalogue.hazards().items() if row.category == "poison"])
def test_every_poison_has_a_save_and_does_something(key) -> None:
    row = catalogue.hazards()[key]
    assert row.form in ("contact", "ingested", "inhaled", "injury")
    assert row.price >= 15000
    save = row.effects[0]
    assert isinstance(save, kinds.Save)
    scene = table(post(hp=200)).when(Peril(hazard=row.name, targets=("post",))).rolling(1, *[1] * dice_of(save))
    assert any(isinstance(event, HURT | BEGAN) for event in scene.played.events)


def dice_of(save: kinds.Save) -> int:
    """The dice that fall where the save fails: damage, and spans that are rolled."""
    found = (getattr(each, "dice", "") or getattr(each, "lasts", "") for each in save.fail)
    return sum(int(text.partition("d")[0]) for text in found if "d" in text.split(" ")[0])


@rule("R5.317", "R5.82")
def test_poisons_halve_or_end_as_they_say() -> None:
    wyvern = Peril(hazard="wyvern poison", targets=("post",))
    table().when(wyvern).rolling(14, *[2] * 7).then(like(HURT, amount=7))
    table().when(wyvern).rolling(13, *[2] * 7).then(like(HURT, amount=14))
    blood = table().when(Peril(hazard="Assassin's Blood", targets=("post",))).rolling(12, 6)
    blood.then(like(HURT, amount=3)).never(BEGAN)
    with pytest.raises(NotFound, match="Wyvern"):
        _ = table().when(Peril(hazard="wyvern poson", targets=("post",))).played


@rule("R5.318")
def test_traps_grow_with_the_level() -> None:
    low = table(fighter(), post()).when(Peril(hazard="collapsing roof", targets=("kara", "post"))).rolling(20, 1, 4, 4)
    assert [event.amount for event in low.events(HURT)] == [4, 8]
    high = table(post(hp=300)).when(Peril(hazard="collapsing roof", targets=("post",), level=12)).rolling(1, *[5] * 10)
    high.then(like(CHECK, target=17), like(HURT, amount=50))
    pit = table(post()).when(Peril(hazard="spiked pit", targets=("post",))).rolling(3, 4, 4)
    pit.then(like(HURT, amount=11), like(BEGAN, condition="prone"))


@rule("R5.314", "R5.316", "R5.125")
def test_contagions_and_terrors_come_with_their_saves() -> None:
    plague = table().when(Peril(hazard="sewer plague", targets=("kara",))).rolling(2)
    plague.then(like(CHECK, target=11), like(NOTE))
    assert exhaustion(plague) == 1
    terror = table().when(Peril(hazard="fear effects", targets=("kara",), dc=15)).rolling(2)
    terror.then(like(CHECK, target=15), like(BEGAN, condition="frightened"))


@rule("R5.38", "R5.313")
def test_travel_is_as_fast_as_ground_and_the_slowest_allow_and_tires_after_eight_hours() -> None:
    told = table(fighter()).when(Travel(hours=8, pace="fast", terrain="forest")).events(NOTE)[0].text
    assert "24 miles at a normal pace" in told
    assert "forage 10, to find the way 15, to search 15" in told
    road = table(fighter()).when(Travel(hours=4, pace="fast", terrain="forest", road=True)).events(NOTE)[0].text
    assert "16 miles at a fast pace" in road
    tired = table(fighter()).when(Travel(hours=10)).rolling(2, 20)
    assert [event.target for event in tired.events(CHECK)] == [11, 12]
    assert exhaustion(tired) == 1
    slow = table(fighter(speed=15)).when(Travel(hours=1, pace="fast")).events(NOTE)[0].text
    assert "2 miles at a slow pace" in slow


@rule("R5.39", "R5.38")
def test_a_gallop_goes_twice_as_far_and_a_pace_helps_or_hinders_until_the_halt() -> None:
    assert "6 miles" in table(fighter()).when(Travel(hours=1, mounted=True)).events(NOTE)[0].text
    scene = table(fighter()).given(Travel(hours=1, pace="fast"))
    assert "2d20kl1[fast pace]" in rolled(scene.when(Check(who="kara", skill="perception")).rolling(2, 3))[0]
    assert "2d20kl1[fast pace]" in rolled(scene.go_on().when(Check(who="kara", skill="stealth")).rolling(2, 3))[0]
    slow = table(fighter()).given(Travel(hours=1, pace="slow"))
    assert "2d20kh1[slow pace]" in rolled(slow.when(Check(who="kara", skill="survival")).rolling(2, 3))[0]
    rested = table(fighter()).given(Travel(hours=1, pace="slow"), Halt())
    assert rolled(rested.when(Check(who="kara", skill="survival")).rolling(2))[0].startswith("1d20")


@rule("R5.33", "R5.34", "R5.35", "R5.60")
def test_darkness_hides_and_dim_light_spoils_perception() -> None:
    dark = table().given(Surroundings(light="darkness"))
    assert rolled(dark.when(swing()).rolling(2))[0].startswith("1d20[unseen, against, target unseen]")
    dim = table().given(Surroundings(light="dim"))
    assert "dim light" in rolled(dim.when(Check(who="kara", skill="perception")).rolling(2, 3))[0]
    assert rolled(dim.go_on().when(Check(who="kara", skill="perception", hearing=True)).rolling(2))[0].startswith(
        "1d20 "
    )
    assert rolled(dim.go_on().when(swing()).rolling(2))[0].startswith("1d20 ")
    bright = table().given(Surroundings(light="darkness"), Surroundings(light="bright"))
    assert rolled(bright.when(swing()).rolling(2))[0].startswith("1d20 ")


@rule("R5.112", "R5.127", "R5.197")
def test_darkvision_sees_in_the_dark_and_blindsight_sees_the_invisible() -> None:
    scene = table(fighter(), monster("Goblin Warrior", id="goblin")).given(Surroundings(light="darkness"))
    assert "2d20kh1[unseen]" in rolled(scene.when(swing("kara", "goblin", weapon="scimitar")).rolling(2, 3))[0]
    bats = table(fighter(), monster("Bat")).given(Surroundings(light="darkness"), condition("kara", "invisible"))
    assert "target" not in rolled(bats.when(swing("kara", "bat")).rolling(2, 3))[0]
    blind = table(fighter(), post()).given(condition("post", "invisible"))
    assert "target invisible" in rolled(blind.when(swing()).rolling(2, 3))[0]


@rule("R5.35", "R5.275")
def test_a_torch_lights_what_is_near_and_is_used_up() -> None:
    torch = events.GearGained(character="kara", item="Torch", count=2)
    scene = table().given(
        Surroundings(light="darkness"), torch, Place(who="kara", at=("0", "0")), Place(who="post", at=("1", "0"))
    )
    lit = scene.given(Kindle(who="kara", item="torch"))
    assert lit.before.characters["kara"].gear["Torch"].count == 1
    assert rolled(lit.when(swing()).rolling(2))[0].startswith("1d20 ")
    wind = lit.go_on().given(Surroundings(wind="strong"))
    assert not wind.before.characters["kara"].has("torch")
    wind.when(Kindle(who="kara", item="candle")).refused("no Candle")


@rule("R5.275")
@pytest.mark.parametrize(("edition", "cost"), [("2024", "bonus action"), ("2014", "action")])
def test_in_a_fight_a_light_takes_a_bonus_action_or_in_2014_an_action(edition: str, cost: str) -> None:
    torches = events.GearGained(character="kara", item="Torch", count=2)
    scene = fight(table(edition=edition).given(torches))
    lit = scene.when(Kindle(who="kara", item="torch")).then(like(events.TurnSpent, what=cost))
    lit.go_on().when(Kindle(who="kara", item="torch")).refused(f"used the {cost}")
    lit.go_on().when(Kindle(who="kara", item="torch", cost="free")).never(events.TurnSpent)


@rule("R5.194", "R5.115")
def test_who_has_air_need_not_breathe_and_nobody_halts_who_does_not_travel() -> None:
    table().when(Breathe(who="kara")).refused("Kara has air")
    table().when(Halt()).refused("Nobody travels")


@rule("R5.315")
def test_wind_spoils_shots_rain_spoils_perception_and_sunlight_some_monsters() -> None:
    windy = table().given(Surroundings(wind="strong", sky="heavy"))
    assert "strong wind" in rolled(windy.when(swing(weapon="longbow", distance=60)).rolling(2, 3))[0]
    assert "rain" in rolled(windy.go_on().when(Check(who="kara", skill="perception")).rolling(2, 3))[0]
    sunny = table(monster("Kobold Warrior", id="kobold"), monster("Shadow"), post()).given(
        Surroundings(light="sunlight")
    )
    assert "Sunlight Weakness" in rolled(sunny.when(swing("post", "shadow")).rolling(2, 3))[0]


@rule("R5.116")
def test_things_that_are_carried_have_their_weight() -> None:
    sheet = table(fighter(weapons=("longsword",), armour="chain mail")).sheet("kara")
    assert sheet.amount("weight") == 58


@rule("R5.141")
def test_who_flies_falls_when_speed_or_wits_are_gone_unless_hovering() -> None:
    prone = SetCondition(who="bat", condition="prone")
    high = table(monster("Bat")).given(Place(who="bat", at=("0", "0", "6")))
    high.when(prone).then(like(NOTE, text="Bat falls 30 feet: fall bat 30"))
    table(monster("Bat")).given(Place(who="bat", at=("0", "0"))).when(prone).never(NOTE)
    wisp = table(monster("Will-o'-Wisp", id="wisp")).given(Place(who="wisp", at=("0", "0", "6")))
    wisp.when(SetCondition(who="wisp", condition="stunned")).never(NOTE)


@rule("R5.316", "R5.318")
def test_stress_is_by_its_dc_and_darts_are_so_many() -> None:
    stress = (
        table(post(hp=200)).when(Peril(hazard="mental stress effects", targets=("post",), dc=20)).rolling(2, *[2] * 9)
    )
    stress.then(like(CHECK, target=20), like(HURT, amount=18))
    darts = table(post(hp=200)).when(Peril(hazard="poisoned darts", targets=("post",), level=5)).rolling(3, 2, *[2] * 6)
    darts.then(like(HURT, amount=12))
