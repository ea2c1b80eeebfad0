"""What somebody has, and what the rules take it for."""

from __future__ import annotations

import pytest

from rollbook.domain.events import Event
from rollbook.kit import equipment
from rollbook.plugin import Character, Term, events
from tests.support.bare_table import joined_events, recorded_events, table_after
from tests.support.gear import typed_use

ROWS = {"none": 10, "leather": 12, "chain": 14, "curse": 9}


def has(item: str, use: str = "", count: int = 1) -> Event:
    return events.GearGained(character="robin", item=item, use=typed_use(use), count=count)


def robin(*gear: Event) -> Character:
    return table_after((*joined_events("robin"), *gear)).character("robin")


LOST = (has("old hat", "armour:chain"), events.GearLost(character="robin", item="old hat", count=1))


def test_what_is_gone_is_not_there() -> None:
    who = robin(*LOST, has("longbow", "weapon:ranged:silver"))
    assert list(equipment.carried(who)) == [("longbow", ("weapon", "ranged", "silver"))]
    assert equipment.read_one(who, "old hat", lambda item, use: item) is None
    assert equipment.read_one(who, "sword", lambda item, use: item) is None
    assert equipment.read_one(who, "longbow", lambda item, use: use) == ("weapon", "ranged", "silver")


def test_a_use_is_a_sort_and_which_of_that_sort() -> None:
    who = robin(has("bow", "weapon:ranged:silver"), has("club", "weapon"), has("buckler", "weaponless"), has("rope"))
    assert list(equipment.used_as(who, "weapon")) == [("bow", ("ranged", "silver")), ("club", ())]


def test_everything_that_can_be_read_in_the_order_in_which_it_came() -> None:
    who = robin(has("rope"), has("sword", "weapon"), has("axe", "weapon"))
    assert equipment.read_all(who, lambda item, use: item.upper() if use else None) == ["SWORD", "AXE"]


@pytest.mark.parametrize(
    ("gear", "worn"),
    [
        ((), ("", 10)),
        ((has("jerkin", "armour:leather"), has("mail", "armour:chain")), ("mail", 14)),
        ((has("mail", "armour:chain"), has("more mail", "armour:chain")), ("mail", 14)),
        ((has("plate", "armour:plate"), has("rags", "armour:none"), has("hat", "armour")), ("", 10)),
        ((has("cursed shirt", "armour:curse"),), ("", 10)),
        (LOST, ("", 10)),
    ],
)
def test_the_best_armour_is_worn_and_none_that_is_no_better_than_none(gear, worn: tuple[str, int]) -> None:
    assert equipment.best_armour(robin(*gear), ROWS, lambda row: row) == worn


def test_where_less_is_better_the_lowest_is_worn() -> None:
    who = robin(has("mail", "armour:chain"), has("cursed shirt", "armour:curse"))
    assert equipment.best_armour(who, ROWS, lambda row: -row) == ("cursed shirt", 9)


def test_what_is_worn_says_which_thing_it_is_and_nothing_says_that_too() -> None:
    assert equipment.worn_term("old mail", "chain", 14, "R9.1") == Term(14, "old mail", "R9.1", "gear.old mail")
    assert equipment.worn_term("", "no armour", 10, "R9.1") == Term(10, "no armour", "R9.1")


def test_a_shield_is_a_shield_and_nothing_more() -> None:
    assert (
        equipment.shield_of(robin(has("tower", "shield:tower"), has("buckler", "shield"), has("lid", "shield")))
        == "buckler"
    )
    assert equipment.shield_of(robin(has("shield"))) == ""


MAIL = equipment.Armour(key="chain", name="chain", armour_class=14, adds_dex=False, rule="R9.1")
BARE = equipment.Armour(key="none", name="no armour", armour_class=10, adds_dex=True, rule="R9.2")
DEX = Term(2, "DEX", "R9.3", "stat.dex")


def test_dexterity_counts_in_armour_that_lets_it_and_nothing_counts_beside_a_number_that_was_entered() -> None:
    rows = {"none": BARE, "chain": MAIL}
    assert equipment.worn(robin(), rows) == ("", BARE)
    assert equipment.armour_terms(robin(), rows, DEX, rule="R9.4") == [Term(10, "no armour", "R9.2"), DEX]
    who = robin(has("old mail", "armour:chain"))
    assert equipment.worn(who, rows) == ("old mail", MAIL)
    assert equipment.armour_terms(who, rows, DEX, rule="R9.4") == [Term(14, "old mail", "R9.1", "gear.old mail")]
    entered = robin(events.StatChanged(character="robin", stat="armour_class", amount=17))
    assert equipment.armour_terms(entered, rows, DEX, rule="R9.4") == [
        Term(17, "as entered", "R9.4", "stat.armour_class")
    ]


def outfitted(*, armour: str, weapon: str, shield: bool) -> tuple[Event, ...]:
    table = table_after(joined_events("robin"))
    rows = {"chain": MAIL}
    equipment.outfit(table, "robin", armours=rows, armour=armour, weapons=rows, weapon=weapon, shield=shield)
    return recorded_events(table)


def test_a_newcomer_is_given_what_the_tables_call_it() -> None:
    assert outfitted(armour="none", weapon="", shield=False) == ()
    assert outfitted(armour="chain", weapon="chain", shield=True) == (
        events.GearGained(character="robin", item="chain", use=("armour", "chain")),
        events.GearGained(character="robin", item="shield", use=("shield",)),
        events.GearGained(character="robin", item="chain", use=("weapon", "chain")),
    )


@pytest.mark.parametrize("count", [1, 0])
def test_an_outfit_is_everything_that_has_a_name(count: int) -> None:
    table = table_after(joined_events("robin"))
    equipment.give(table, "robin", (("bow", ("weapon", "ranged")), ("", ("shield",)), ("hat", ())), count=count)
    assert recorded_events(table) == (has("bow", "weapon:ranged", count), has("hat", "", count))


@pytest.mark.parametrize("name", ["Silver Dagger", "silver dagger", "SILVER DAGGER"])
def test_a_thing_is_found_in_any_case_of_letters(name: str) -> None:
    table = table_after((*joined_events("robin"), has("Silver Dagger", "weapon:light", 1)))
    assert equipment.called(table.character("robin"), name) == "Silver Dagger"
    assert equipment.read_one(table.character("robin"), name, lambda item, use: (item, *use)) == (
        "Silver Dagger",
        "weapon",
        "light",
    )
