"""Gear slots: what fills them, how many there are, and what too many do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import Gear, events
from rollbook.rulesets.russell.delve.encumbrance import is_overloaded, load_ease, most, slots_of, used
from rollbook.rulesets.russell.delve.exploration import Explore
from rollbook.rulesets.russell.settings import Settings
from rollbook.rulesets.russell.wealth.handover import HandOver, PickUp
from rollbook.testing.scenarios import like, rule
from tests.support.gear import typed_use
from tests.support.russell import has_gear, party


@rule("R3.35", "R3.68", "R3.69", "R3.70", "Q3.32")
@pytest.mark.parametrize(
    ("item", "count", "use", "slots"),
    [
        ("rope", 1, "", 1),
        ("rope", 3, "", 3),
        ("pole", 1, "large", 2),
        ("rowing boat", 1, "large:7", 7),
        ("halberd", 1, "weapon:two-handed", 2),
        ("sword", 1, "weapon:melee", 1),
        ("jerkin", 1, "armour:leather", 2),
        ("mail", 1, "armour:chain", 4),
        ("harness", 1, "armour:plate", 6),
        ("buckler", 1, "shield", 1),
        ("arrows", 20, "bundle", 1),
        ("spikes", 13, "bundle:12", 2),
        ("torch", 3, "", 1),
        ("torch", 4, "", 2),
        ("candles", 6, "", 1),
        ("candle", 7, "light:candle", 2),
        ("lantern", 2, "light:lantern", 2),
        ("oil flask", 1, "", 1),
        ("ration", 2, "", 2),
        ("gold", 5_000, "", 0),
        ("gem worth 500 gold", 1, "treasure:gem:50000", 0),
        ("rope", 0, "", 0),
        ("rope", -2, "", 0),
    ],
)
def test_a_thing_fills_its_slots(item, count, use, slots) -> None:
    assert slots_of(item, count, typed_use(use)) == slots


@rule("R3.35", "Q3.32")
def test_a_thousand_tiny_things_together_fill_a_slot() -> None:
    coins = party().given(has_gear("bram", "copper", 600), has_gear("bram", "silver", 399))
    assert coins.sheet("bram").amount("slots_used") == 0
    assert (
        coins.given(has_gear("bram", "gem worth 50 gold", 1, "treasure:gem:5000")).sheet("bram").amount("slots_used")
        == 1
    )
    value = coins.sheet("bram").value("slots_used")
    assert value is not None and [(term.label, term.amount) for term in value.terms] == [("coins and gems", 1)]


@rule("R3.34", "R3.3", "Q3.32", "QG.1")
def test_as_many_slots_as_strength_are_fine_and_one_and_a_half_times_is_the_end() -> None:
    nine = party().given(has_gear("bram", "rope", 9))
    assert not is_overloaded(nine.character("bram"))
    assert (nine.sheet("bram").amount("slots"), nine.sheet("bram").amount("slots_most")) == (9, 13)
    ten = nine.given(has_gear("bram", "bell"))
    assert is_overloaded(ten.character("bram"))
    assert dict(ten.sheet("bram").words)["Load"].startswith("Overloaded: 10 of 9 slots")
    assert most(ten.character("bram"), Settings(rounding="ceil")) == 14


@rule("R3.34")
def test_nobody_takes_up_or_walks_with_more_than_that() -> None:
    laden = party().given(has_gear("bram", "rope", 12), has_gear("ida", "bell", 2))
    laden.when(PickUp(who="bram", item="bell")).then(events.GearGained(character="bram", item="bell"), only=True)
    laden.when(PickUp(who="bram", item="bell", count=2)).refused("Bram cannot carry 2 bell more", "14 slots", "is 13")
    laden.when(HandOver(who="ida", to="bram", item="bell", count=2)).refused("the limit is 13")
    laden.when(HandOver(who="ida", to="bram", item="bell")).then(
        events.GearLost(character="ida", item="bell"), events.GearGained(character="bram", item="bell"), only=True
    )
    laden.when(Explore()).then(like(events.TimePassed, seconds=600))
    laden.given(has_gear("bram", "anvil", 1, "large")).when(Explore()).refused("Bram cannot take a step: 14 slots")


def test_only_what_is_there_is_handed_over() -> None:
    game = party().given(has_gear("ida", "bell"))
    game.when(HandOver(who="ida", to="bram", item="bell", count=2)).refused("Ida does not have 2 of 'bell', but 1")
    game.when(HandOver(who="bram", to="ida", item="bell")).refused("but 0")
    game.when(HandOver(who="ida", to="ida", item="bell")).refused("has it already")


@rule("R3.36", "Q3.20")
def test_a_heavy_load_hampers_what_the_body_does_and_nothing_else() -> None:
    who = party().given(has_gear("bram", "rope", 10)).character("bram")
    for kind in ("attack", "stunt", "initiative", "chase", "stealth", "athletics", "physical"):
        assert load_ease(who, kind).disadvantage == ("overloaded",)
    for kind in ("save", "skill", "morale", "listen"):
        assert not load_ease(who, kind).disadvantage
    assert not load_ease(party().character("bram"), "attack").disadvantage


@given(
    st.dictionaries(
        st.sampled_from(["rope", "torch", "gold", "arrows", "¾"]),
        st.tuples(st.integers(-9, 9_999), st.sampled_from(["", "large:3", "usage:d8", "bundle:²", "treasure:-1", ":"])),
    )
)
def test_the_terms_of_a_load_are_the_slots_in_use(things) -> None:
    who = party().character("bram").copy()
    who.gear = {item: Gear(count=count, use=tuple(use.split(":"))) for item, (count, use) in things.items()}
    game = party()
    value = game.ruleset.sheet(who, game.after).value("slots_used")
    assert value is not None and sum(term.amount for term in value.terms) == value.amount == used(who)
