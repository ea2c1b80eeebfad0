"""Armour and shields are put on and taken off, one of each at a time; heroic inspiration comes one at a time, too."""

from __future__ import annotations

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.donning import Wear
from rollbook.rulesets.srd5.tasks.d20_tests import Inspire
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import fight, fighter, post, table


def outfitted() -> Scenario:
    """Kara in chain mail, with a shield and leather armour in her pack."""
    things = [events.GearGained(character="kara", item=item) for item in ("Shield", "Leather Armor")]
    return table(fighter(armour="chain mail"), post()).given(*things)


@rule("R5.272")
def test_armour_takes_minutes_and_a_shield_an_action() -> None:
    off = outfitted().when(Wear(who="kara", item="chain mail", off=True))
    off.then(like(events.TimePassed, seconds=300))
    assert off.sheet("kara").amount("ac") == 12
    on = off.go_on().when(Wear(who="kara", item="chain mail")).then(like(events.TimePassed, seconds=600))
    assert on.sheet("kara").amount("ac") == 16
    in_a_fight = fight(outfitted())
    in_a_fight.when(Wear(who="kara", item="chain mail", off=True)).refused("nobody has in a fight")
    shielded = in_a_fight.when(Wear(who="kara", item="shield")).then(like(events.TurnSpent, what="action"))
    assert shielded.sheet("kara").amount("ac") == 18


@rule("R5.273")
def test_only_one_suit_of_armour_and_one_shield_are_worn() -> None:
    outfitted().when(Wear(who="kara", item="leather armor")).refused("wears Chain Mail", "only one at a time")
    outfitted().when(Wear(who="kara", item="chain mail")).refused("wears Chain Mail already")
    outfitted().when(Wear(who="kara", item="shield", off=True)).refused("does not wear Shield")
    outfitted().when(Wear(who="kara", item="longsword")).refused("no armour or shield")


@rule("R5.19")
def test_a_second_heroic_inspiration_goes_to_somebody_else() -> None:
    scene = table(fighter(), fighter(name="Odo")).given(Inspire(who="kara"))
    scene.when(Inspire(who="kara", instead="odo")).then(like(events.PoolGained, holder="odo", pool="inspiration"))
    scene.when(Inspire(who="kara")).refused("has heroic inspiration already")
