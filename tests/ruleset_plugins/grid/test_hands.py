"""Two hands, one suit of armour, one sheath; changing what they hold is a standard action."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.encounter import BeginEncounter
from rollbook.rulesets.grid.hands import Sheathe, Wear, Wield
from rollbook.rulesets.grid.movement import Place
from rollbook.rulesets.grid.weapons import CARRIED, SIZES, WEAPONS, Weapon, weapons_of
from rollbook.testing.scenarios import Scenario, like, rule, scenario, with_dice


@pytest.fixture
def ann() -> Scenario:
    """A fighter with a hammer in hand, a shield on the arm and an axe in the sheath, and a dagger on the ground."""
    joins = Join(name="Ann", class_name="fighter", weapon="hammer", shield="shield", sheath="axe", armour="leather")
    return scenario(RULESET).given(joins, events.GearGained(character="ann", item="dagger"))


def places(scene: Scenario) -> dict[str, str]:
    return {weapon.item: weapon.place for weapon in weapons_of(scene.character("ann"))}


@rule("R4.8", "Q4.44")
def test_one_thing_a_hand_and_one_in_the_sheath_and_a_fourth_is_refused(ann) -> None:
    assert places(ann) == {"hammer": "main", "axe": "sheath", "dagger": "down"}
    ann.when(Wield(who="ann", weapon="dagger")).refused("Ann has hammer in that hand already", "sheathe ann")
    ann.when(Wield(who="ann", weapon="dagger", place="off")).refused("Ann has shield in that hand already")
    ann.when(Wield(who="ann", weapon="hammer", place="both")).refused("shield")
    ann.when(Sheathe(who="ann", item="hammer")).refused("Ann has axe in the sheath, and it holds one weapon")
    down = ann.when(Sheathe(who="ann", item="hammer", down=True)).go_on()
    drawn = down.when(Wield(who="ann", weapon="axe")).go_on()
    assert places(drawn) == {"hammer": "down", "axe": "main", "dagger": "down"}


@rule("R4.8", "R4.53")
def test_one_suit_of_armour_at_a_time_and_the_old_one_lies_on_the_ground(ann) -> None:
    ann.given(events.GearGained(character="ann", item="full plate"))
    assert ann.sheet("ann").amount("ac") == 16
    worn = ann.when(Wear(who="ann", item="full plate", kind="plate")).go_on()
    assert worn.sheet("ann").amount("ac") == 21
    assert dict(worn.sheet("ann").words)["Worn"] == "full plate, shield"
    ann.go_on().when(Wear(who="ann", item="hat")).refused("has no 'hat'")
    nameless = ann.go_on().given(events.GearGained(character="ann", item=" "))
    nameless.when(Wear(who="ann", item=" ")).refused("Say it with --kind")


@rule("R4.8", "R4.15")
def test_a_shield_comes_off_and_frees_the_hand(ann) -> None:
    off = ann.when(Sheathe(who="ann", item="shield")).go_on()
    assert off.sheet("ann").amount("ac") == 13
    both = off.when(Wield(who="ann", weapon="hammer", place="both")).go_on()
    assert places(both)["hammer"] == "both"
    both.when(Wear(who="ann", item="shield")).refused("Ann has hammer in that hand already")


@rule("R4.2", "Q4.37")
def test_drawing_sheathing_and_picking_up_each_take_the_standard_action(ann) -> None:
    ann.given(with_dice(BeginEncounter(participants=("ann",)), 10))
    down = ann.when(Sheathe(who="ann", item="hammer", down=True))
    down.then(events.TurnSpent(character="ann", what="standard action"))
    down.go_on().when(Wield(who="ann", weapon="axe")).refused("Ann has used the standard action", "move action is left")


@rule("R4.50", "Q4.12", "R4.48")
def test_the_other_grip_is_a_die_size_up_in_both_hands_and_down_in_one() -> None:
    def dice(key: str, place: str) -> str:
        return Weapon(key, WEAPONS[key], place).dice

    assert SIZES == ("1d3", "1d4", "1d6", "1d8", "1d10", "1d12")
    assert (dice("hammer", "main"), dice("hammer", "both")) == ("1d8", "1d10")
    assert (dice("staff", "both"), dice("staff", "main")) == ("1d6", "1d4")
    assert (dice("spear", "both"), dice("spear", "off")) == ("1d8", "1d6")
    assert dice("greatsword", "both") == "2d6"
    steady = [key for key in CARRIED if "y" not in (WEAPONS[key].one_hand, WEAPONS[key].two_hands)]
    assert all(dice(key, WEAPONS[key].usual_grip) == WEAPONS[key].dice for key in steady)


@rule("R4.50", "Q4.44")
def test_a_weapon_is_held_only_as_it_can_be() -> None:
    scene = scenario(RULESET).given(
        Join(name="Ann", class_name="fighter", sheath="greatsword"), events.GearGained(character="ann", item="sword")
    )
    scene.when(Wield(who="ann", weapon="greatsword", place="main")).refused("held in two hands")
    scene.when(Wield(who="ann", weapon="sword", place="both")).refused("held in one hand")
    scene.when(Wield(who="ann", weapon="halberd")).refused("no weapon called 'halberd'", "greatsword, sword")


@rule("R4.48", "R4.49", "Q4.7", "Q4.14", "Q4.42")
def test_the_weapon_table_is_read_as_it_was_decoded() -> None:
    rows = {key: WEAPONS[key] for key in CARRIED}
    assert {key: row.dice for key, row in rows.items()} == {
        "dagger": "1d4",
        "club": "1d6",
        "staff": "1d6",
        "spear": "1d8",
        "shortbow": "1d6",
        "sling": "1d4",
        "axe": "1d6",
        "sword": "1d8",
        "hammer": "1d8",
        "greatsword": "2d6",
        "longbow": "1d8",
    }
    assert {key for key, row in rows.items() if row.threat == 19} == {"dagger", "sword", "greatsword"}
    assert {key for key, row in rows.items() if row.times == 3} == {"spear", "axe", "hammer", "longbow"}
    assert all(row.threat == 20 and row.times == 2 for row in rows.values() if row.key in ("club", "staff", "sling"))
    assert {key: row.range for key, row in rows.items() if row.range} == {"shortbow": 60, "longbow": 100, "sling": 50}
    assert {key for key, row in rows.items() if row.thrown} == {"dagger", "spear", "axe"}
    assert {key for key, row in rows.items() if row.light} == {"dagger"}
    assert rows["sword"].classes == ("fighter", "rogue")
    assert {row.confidence for row in rows.values()} == {"sure", "likely", "unsure"}


@rule("R4.8")
def test_a_drawn_weapon_gives_an_opening_but_stays_in_the_hand(fight) -> None:
    scene = fight({"steve": (0, 0), "jeff": (1, 0)})
    scene.when(Sheathe(who="steve", item="sword")).rolling(20, 6, 6).then(
        like(events.CheckResolved, character="jeff", outcome="critical hit"),
        like(events.GearGained, item="sword", count=0, use=("weapon", "sword", "sheath")),
    )


@rule("R4.8", "R4.2")
def test_a_weapon_that_fell_lies_on_its_square_until_somebody_comes_back_for_it(ann) -> None:
    weapon = next(iter(places(ann)))
    dropped = ann.given(Place(who="ann", east=2, north=2), Sheathe(who="ann", item=weapon, down=True))
    assert f"{weapon} on the ground at 2,2" in dict(dropped.sheet("ann").words)["Weapons"]
    dropped.given(Place(who="ann", east=4, north=2)).when(Wield(who="ann", weapon=weapon)).refused("lies on 2,2")
    dropped.given(Place(who="ann", east=3, north=2)).when(Wield(who="ann", weapon=weapon)).then(events.GearGained)
    held = dropped.given(Wield(who="ann", weapon=weapon))
    assert all(each.square is None for each in weapons_of(held.character("ann")))
