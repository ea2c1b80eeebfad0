"""Attacks with numbers of their own, further damage that the GM rules, and bodies on which no blow is critical."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import Give
from rollbook.plugin import events
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import fighter, post, rolled, swing, table

CLAW = Give(who="kara", item="Claw", use=("weapon", "entered", "+5", "1d6+3", "slashing"))


@rule("R5.9", "R5.79")
def test_an_attack_as_entered_adds_its_own_numbers_and_no_others() -> None:
    played = table(fighter(), post(), CLAW).when(swing(weapon="Claw")).rolling(10, 4)
    assert rolled(played) == ("1d20 + 5[Claw]", "1d6 + 3[Claw]")
    played.then(like(events.DamageTaken, amount=7, tags=("slashing",)))


@rule("R5.80")
def test_further_damage_of_a_hit_is_rolled_with_it_and_twice_in_a_critical_one() -> None:
    swung = swing(weapon="Claw", more=("1d6 necrotic", "4"))
    played = table(fighter(), post(), CLAW).when(swung).rolling(20, 1, 2, 3, 4)
    played.then(like(events.DamageTaken, dealt=3 + 3 + 7 + 4, tags=("slashing", "necrotic")))
    table(fighter(), post(), CLAW).when(swing(more=("much",))).rolling(20).refused("1d6 necrotic")


@rule("R5.13")
def test_a_critical_hit_on_who_is_immune_to_them_is_a_plain_hit() -> None:
    immune = events.TraitGained(character="post", trait="critical hits", kind="immunity")
    played = table(fighter(), post(), CLAW, immune).when(swing(weapon="Claw")).rolling(20, 4)
    played.then(like(events.CheckResolved, outcome="hit", success=True))


@pytest.mark.parametrize("use", [("+5", "many", "slashing"), ("five", "1d6", "slashing"), ()])
def test_what_is_not_written_as_an_attack_strikes_as_no_weapon(use) -> None:
    club = Give(who="kara", item="Thing", use=("weapon", "entered", *use))
    assert rolled(table(fighter(), post(), club).when(swing(weapon="Thing")).rolling(1)) == ("1d20 + 3[STR]",)
