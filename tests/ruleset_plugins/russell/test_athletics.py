"""Movement is 12 for people, and leaping and climbing is a save against it."""

from __future__ import annotations

from ruleset_plugins import events
from ruleset_plugins.russell.fight.saves import Save
from ruleset_plugins.testing.scenarios import like, rule
from tests.support.russell import has_gear, in_condition, party

LEAP = Save(who="bram", attribute="movement")


@rule("R3.10", "R3.76", "Q3.25")
def test_people_have_movement_12_and_walk_24_feet_a_round_half_of_it_when_wearied() -> None:
    game = party()
    sheet = game.sheet("ida")
    assert (sheet.amount("movement"), sheet.amount("turn_feet"), sheet.amount("speed")) == (12, 120, 24)
    wearied = game.given(in_condition("ida", "wearied")).sheet("ida")
    assert (wearied.amount("movement"), wearied.amount("turn_feet"), wearied.amount("speed")) == (6, 60, 12)
    for key in ("movement", "turn_feet", "speed"):
        value = wearied.value(key)
        assert value is not None and sum(term.amount for term in value.terms) == value.amount


@rule("R3.11", "R3.9")
def test_athletics_is_a_d20_at_or_under_movement() -> None:
    party().when(LEAP).rolling(12).then(like(events.CheckResolved, total=12, target=12, success=True))
    party().when(LEAP).rolling(13).then(like(events.CheckResolved, success=False))


@rule("R3.11", "R3.10", "R3.36", "R3.38")
def test_the_wearied_and_the_laden_leap_badly() -> None:
    game = party().given(in_condition("bram", "wearied"))
    game.when(LEAP).rolling(5, 7).then(like(events.CheckResolved, total=7, target=6, success=False))
    laden = party().given(has_gear("bram", "rope", 10))
    laden.when(LEAP).rolling(5, 13).then(like(events.CheckResolved, total=13, target=12, success=False))


def test_a_movement_below_nothing_is_none() -> None:
    sheet = party().given(events.StatChanged(character="ida", stat="movement", amount=-3)).sheet("ida")
    value = sheet.value("movement")
    assert value is not None and value.amount == 0 == sum(term.amount for term in value.terms)
