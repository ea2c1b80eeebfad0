"""How far weapons reach, and where it gets hard."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.fight.arms import BANDS, CLASSES, REACH, band_of
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.testing.scenarios import like, rule

AXE = events.GearGained(character="robin", item="axe", use=("weapon", "medium-melee", "throwing"))


@rule("R0.88", "R0.89", "Q0.26", "Q0.28")
@pytest.mark.parametrize(
    ("weapon", "distance", "is_hard"),
    [
        ("longbow", 0, False),
        ("longbow", 6, False),
        ("longbow", 50, False),
        ("longbow", 51, True),
        ("longbow", 330, True),
        ("axe", 6, False),
        ("axe", 7, True),
        ("axe", 50, True),
        ("two small blades", 6, False),
        ("heavy-ranged", 330, False),
        ("heavy-ranged", 1000, True),
    ],
)
def test_the_outermost_band_has_disadvantage_and_melee_never(
    sherwood, weapon: str, distance: int, is_hard: bool
) -> None:
    blow = Attack(attacker="robin", target="guard", weapon=weapon, distance=distance)
    dice = (1, 1) if is_hard else (1,)
    played = sherwood().given(AXE).when(blow).rolling(*dice).then(events.CheckResolved)
    assert len(played.events(events.DiceRolled)[0].dice) == len(dice)


@rule("R0.88", "Q0.26", "Q0.27")
@pytest.mark.parametrize(
    ("weapon", "distance"), [("longbow", 331), ("axe", 51), ("two small blades", 7), ("heavy-ranged", 1001)]
)
def test_beyond_its_range_a_weapon_does_not_reach(sherwood, weapon: str, distance: int) -> None:
    blow = Attack(attacker="robin", target="guard", weapon=weapon, distance=distance)
    sherwood().given(AXE).when(blow).refused(f"Guard is {distance} feet away", f"reaches {distance - 1}")


@rule("R0.60", "Q0.24")
def test_a_thrown_weapon_is_a_ranged_one(sherwood) -> None:
    throw = Attack(attacker="robin", target="guard", weapon="axe", distance=20)
    sherwood().given(AXE).when(throw).rolling(10, 12, 3).then(
        like(events.DiceRolled, expression="1d6 + 3[DEX] + 8[Fighting Expert]")
    )


@rule("R0.89", "R0.90", "Q0.27")
def test_the_bands_end_where_they_are_printed_in_feet_and_miles() -> None:
    mile = 5280
    assert {
        "touching": 0,
        "melee": 6,
        "throwing": 50,
        "short-shooting": 330,
        "long-shooting": 1000,
        "distant": 15 * mile,
        "orbital": 60 * mile,
        "short-astronomical": 600 * mile,
    } == REACH
    assert [band_of(feet).key for feet in (0, 1, 7, 51, 331, 1001)] == [*list(REACH)[:6]]


@rule("R0.91", "R0.92")
def test_farther_bands_are_listed_in_order() -> None:
    far = [band.name for band in BANDS if band.feet is None]
    assert len(far) == 13
    assert far[0] == "Medium Astronomical"
    assert far[-1] == "Universal"
    assert band_of(10**9).key == "medium-astronomical"


@rule("R0.58", "R0.59", "R0.60", "R0.61")
def test_every_class_of_weapon_has_a_range_that_is_measured() -> None:
    assert all(row.range in REACH for row in CLASSES.values())
    assert [row.dice for row in CLASSES.values()] == ["1d6", "1d6", "1d6", "1d6", "1d6", "2d6", "2d6"]
