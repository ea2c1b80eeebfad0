"""Usage dice shrink on a 1 or 2, from d20 down to nothing; spares make them larger."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.delve.encumbrance import used
from rollbook.rulesets.russell.delve.usage_dice import CHAIN, Fill, UseUp, sides, step
from rollbook.rulesets.russell.wealth.handover import HandOver
from rollbook.testing.scenarios import like, rule
from tests.support.russell import has_gear, party

DRINK = UseUp(who="ida", item="waterskin")
SHOOT = UseUp(who="ida", item="arrows")


def arrows(die: str, count: int = 1):
    return party().given(has_gear("ida", "arrows", count, f"usage:{die}"))


@rule("R3.95")
@pytest.mark.parametrize("place", range(2, len(CHAIN)))
def test_a_one_or_two_is_a_step_down_the_chain_and_a_three_is_not(place) -> None:
    for face, then in ((1, CHAIN[place - 1]), (2, CHAIN[place - 1]), (3, CHAIN[place])):
        game = arrows(f"d{CHAIN[place]}").when(SHOOT).rolling(face)
        assert sides(game.character("ida"), "arrows") == then


@rule("R3.95", "Q3.40")
def test_a_d4_that_shows_one_or_two_is_the_last_of_it() -> None:
    game = arrows("d4").when(SHOOT).rolling(2).then(like(events.GearLost, item="arrows", count=1))
    assert game.character("ida").pools["used up:arrows"] == 0
    game.go_on().when(SHOOT).refused("Ida has no 'arrows' with a usage die")
    fresh = game.go_on().given(has_gear("ida", "arrows", 1, "usage:d8"))
    assert sides(fresh.character("ida"), "arrows") == 8


@rule("R3.42", "R3.95")
def test_a_full_waterskin_has_a_d6_and_an_empty_one_is_kept() -> None:
    game = party().given(has_gear("ida", "waterskin"))
    assert str(game.sheet("ida").value("usage:waterskin")) == "d6"
    once = game.when(DRINK).rolling(1).then(like(events.DiceRolled, roller="ida", purpose="usage"))
    assert str(once.sheet("ida").value("usage:waterskin")) == "d4"
    empty = once.go_on().when(DRINK).rolling(2).never(events.GearLost)
    assert str(empty.sheet("ida").value("usage:waterskin")) == "out"
    empty.go_on().when(DRINK).refused("waterskin is empty", "fill ida waterskin")
    full = empty.go_on().when(Fill(who="ida", item="waterskin")).then(like(events.PoolSpent, amount=2), only=True)
    assert str(full.sheet("ida").value("usage:waterskin")) == "d6"
    full.go_on().when(Fill(who="ida", item="waterskin")).refused("full already")
    full.go_on().when(Fill(who="bram", item="waterskin")).refused("Bram has no 'waterskin'")


@rule("R3.95", "Q3.40")
def test_a_spare_is_a_slot_and_a_step_more() -> None:
    for count, die in ((1, 8), (2, 10), (3, 12), (4, 20), (5, 20)):
        who = arrows("d8", count).character("ida")
        assert (sides(who, "arrows"), used(who)) == (die, count)
    used_up = arrows("d8").when(SHOOT).rolling(1).go_on().given(has_gear("ida", "arrows"))
    assert sides(used_up.character("ida"), "arrows") == 8


@rule("R3.95", "Q3.40")
def test_even_the_largest_pile_shrinks() -> None:
    game = arrows("d20", 4).when(SHOOT).rolling(2)
    assert sides(game.character("ida"), "arrows") == 12
    assert step(game.go_on().when(SHOOT).rolling(2).character("ida"), "arrows") == CHAIN.index(10)


@rule("R3.95")
def test_the_terms_of_a_usage_die_are_its_sides() -> None:
    value = arrows("d8", 2).when(SHOOT).rolling(2).sheet("ida").value("usage:arrows")
    assert value is not None and [(term.label, term.amount) for term in value.terms] == [
        ("full", 8),
        ("spares", 2),
        ("used up", -2),
    ]
    assert value.amount == 8


@pytest.mark.parametrize("use", ["usage:d7", "usage:8", "usage:", "usage:d²", "arrows", ""])
def test_what_has_no_usage_die_is_not_used_up(use) -> None:
    party().given(has_gear("ida", "arrows", 1, use)).when(SHOOT).refused("no 'arrows' with a usage die", "usage:d8")


def handed(count: int, steps: int, *, given: int = 1, theirs: int = 0):
    """The dice of Ida and of Bram after she has given him so many waterskins."""
    game = party().given(has_gear("ida", "waterskin", count), has_gear("bram", "waterskin", theirs) if theirs else ())
    game = game.given(events.PoolGained(holder="ida", pool="used up:waterskin", amount=steps)) if steps else game
    game = game.when(HandOver(who="ida", to="bram", item="waterskin", count=given))
    return tuple(sides(game.character(name), "waterskin") for name in ("ida", "bram"))


@rule("R3.42", "R3.95")
def test_what_was_used_up_goes_along_with_the_thing() -> None:
    assert handed(1, 1) == (0, 4)
    assert handed(1, 2) == (0, 0)
    assert handed(2, 1) == (4, 6)
    assert handed(2, 3) == (0, 0)
    assert handed(1, 0, theirs=1) == (0, 8)
    assert handed(1, 2, theirs=1) == (0, 6)


@rule("R3.95")
def test_a_new_supply_is_full_when_the_old_one_was_given_away() -> None:
    game = party().given(
        has_gear("ida", "waterskin"), events.PoolGained(holder="ida", pool="used up:waterskin", amount=1)
    )
    game = game.given(HandOver(who="ida", to="bram", item="waterskin"), has_gear("ida", "waterskin"))
    assert sides(game.character("ida"), "waterskin") == 6
