"""What a newcomer from another game brings along is taken for what it means."""

from __future__ import annotations

import pytest

from rollbook.kit import crossing
from rollbook.plugin import Passport, events
from tests.support.bare_table import joined_events, recorded_events, table_after

ARMOURS = {"light": "leather", "heavy": "plate"}
WEAPONS = {"light": "knife", "medium": "sword"}
BROUGHT = Passport(
    max_hp=9, armour="heavy", worn="old harness", shield="buckler", weapons={"dirk": "light", "cannon": "ranged"}
)


def test_things_keep_their_names_and_are_used_as_what_they_mean() -> None:
    assert list(crossing.gear_for(BROUGHT, armours=ARMOURS, weapons=WEAPONS)) == [
        ("old harness", ("armour", "plate")),
        ("buckler", ("shield",)),
        ("dirk", ("weapon", "knife")),
        ("cannon", ("weapon", "sword")),
    ]


def test_what_is_worn_may_be_all_that_is_asked_for_and_a_shield_may_be_a_sort_of_its_own() -> None:
    assert list(crossing.armour_for(BROUGHT, shield=("shield", "round"))) == [
        ("old harness", ("armour", "heavy")),
        ("buckler", ("shield", "round")),
    ]


@pytest.mark.parametrize("passport", [Passport(max_hp=9), Passport(max_hp=9, worn="robe", armour="medium")])
def test_what_is_not_worn_or_has_no_counterpart_is_left_out(passport: Passport) -> None:
    assert list(crossing.gear_for(passport, armours=ARMOURS, weapons=WEAPONS)) == []


def test_conditions_go_by_what_they_mean() -> None:
    happened = [events.ConditionBegan(character="robin", condition=name) for name in ("floored", "in love")]
    who = table_after((*joined_events("robin"), *happened)).character("robin")
    assert crossing.shared_conditions(who, {"prone": "floored", "dead": "dead"}) == ("prone",)


@pytest.mark.parametrize(("stood", "change"), [(3, 4), (9, -2), (None, 7)])
def test_a_number_is_brought_to_what_it_was_elsewhere(stood: int | None, change: int) -> None:
    stands = () if stood is None else (events.StatChanged(character="robin", stat="str", amount=stood, reason=""),)
    table = table_after((*joined_events("robin"), *stands))
    crossing.bring_stat(table, "robin", "str", 7)
    crossing.bring_stat(table, "robin", "str", 7)
    assert recorded_events(table) == (
        events.StatChanged(character="robin", stat="str", amount=change, reason="from another game"),
    )
