"""What the rulebook reckons out comes out: from the odds of the dice, from all faces of the real action, and from a forecast."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rollbook.domain.forecast.search import forecast
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import intent_of
from rollbook.plugin import Action, chance, events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.attack import Attack, Trip
from rollbook.rulesets.grid.casting import Cast
from rollbook.rulesets.grid.movement import Move
from rollbook.testing.scenarios import Scenario, ScenarioFailed, like, rule

BOOK = Rulebook({"grid": RULESET})
SWING = Attack(attacker="steve", target="jeff")
RAY = Cast(who="jeff", spell="scorching-ray", targets=("steve",))
FIREBALL = Cast(who="jeff", spell="fireball", at=("0", "0"))
TRIP = Trip(attacker="jeff", target="steve")

HIT = like(events.CheckResolved, check="attack", character="steve", success=True)
BURNT = like(events.CheckResolved, check="spell attack", character="jeff", success=True)
FRIED = like(events.CheckResolved, check="Reflex save", character="steve", success=False)
STAYS_UP = like(events.CheckResolved, check="Strength save", character="steve", success=True)


def shares(scene: Scenario, action: Action, wanted, before: tuple[int, ...] = (), rest: int = 1) -> Fraction:
    """Of the twenty faces of the die that follows on ``before``, the share after which ``wanted`` is an event."""
    found = [_falls(scene, action, (*before, face), wanted, rest) for face in range(1, 21)]
    return Fraction(sum(found), 20)


def _falls(scene: Scenario, action: Action, dice: tuple[int, ...], wanted, rest: int) -> bool:
    """Play it with as many further dice, all ones, as it takes."""
    fault: Exception = AssertionError("never tried")
    for more in range(12):
        played = scene.go_on().when(action).rolling(*dice, *(rest,) * more)
        try:
            return any(wanted(event) for event in played.played.events)
        except ScenarioFailed:
            raise
        except Exception as error:  # noqa: BLE001 - too few dice or too many: try another number
            fault = error
    raise fault


def forecast_of(scene: Scenario, action: Action, check: str) -> Fraction:
    """The chance of success of a check, by the forecast."""
    found = forecast(BOOK, scene.after, intent_of(action)).checks
    return next(each.success / each.made for each in found if each.check == check)


@pytest.fixture
def apart(table) -> Scenario:
    """Steve and Jeff four squares from each other: nobody is in combat."""
    return table({"steve": (0, 0), "jeff": (4, 0)})


@pytest.fixture
def close(table) -> Scenario:
    """Steve and Jeff side by side, and Steve lets every opening pass."""
    return table({"steve": (0, 0), "jeff": (1, 0)})


@rule("R4.23", "R4.17", "Q4.2", "Q4.3")
def test_steve_hits_jeff_with_a_two_or_better_95_in_100(close) -> None:
    steve, jeff = close.sheet("steve"), close.sheet("jeff")
    assert (steve.amount("to_hit"), jeff.amount("ac")) == (8, 10)
    assert chance("1d20 + 8", 10) == Fraction(95, 100)
    assert shares(close, SWING, HIT) == Fraction(19, 20)
    assert forecast_of(close, SWING, "attack") == Fraction(95, 100)
    close.when(SWING).rolling(2, 1).then(HIT)
    close.when(SWING).rolling(1).never(HIT)


@rule("R4.24", "R4.16", "Q4.3", "Q4.46")
def test_jeffs_ray_touches_steve_with_a_six_or_better_75_in_100(apart) -> None:
    steve, jeff = apart.sheet("steve"), apart.sheet("jeff")
    assert (jeff.amount("ranged"), steve.amount("touch_ac")) == (5, 11)
    assert chance("1d20 + 5", 11) == Fraction(75, 100)
    assert shares(apart, RAY, BURNT) == Fraction(15, 20)
    assert forecast_of(apart, RAY, "spell attack") == Fraction(75, 100)
    apart.when(RAY).rolling(6, 1, 1, 1, 1).then(BURNT)
    apart.when(RAY).rolling(5).never(BURNT)


@rule("R4.27", "R4.26", "Q4.3", "Q4.32")
def test_a_fireball_fries_steve_55_in_100_and_else_does_nothing_to_him(apart) -> None:
    assert apart.sheet("steve").amount("save:ref") == 3
    assert 1 - chance("1d20 + 3", 15) == Fraction(55, 100)
    assert shares(apart, FIREBALL, FRIED) == Fraction(11, 20)
    assert 1 - forecast_of(apart, FIREBALL, "Reflex save") == Fraction(55, 100)
    apart.when(FIREBALL).rolling(12).never(events.DamageTaken)
    apart.when(FIREBALL).rolling(11, 6, 6, 6).then(like(events.DamageTaken, character="steve", amount=18))


@rule("R4.28", "Q4.3", "Q4.40")
def test_steve_stays_up_75_in_100_with_the_better_of_two_saves(close) -> None:
    assert (close.sheet("steve").amount("save:str"), close.sheet("steve").amount("save:dex")) == (3, 2)
    assert chance("1d20 + 3", 9) == Fraction(75, 100)
    spared = Trip(attacker="jeff", target="steve", spare=("steve",))
    assert shares(close, spared, STAYS_UP, before=(15,)) == Fraction(15, 20)
    assert forecast_of(close, spared, "Strength save") == Fraction(75, 100)
    close.when(spared).rolling(15, 6).then(like(events.CheckResolved, target=9, success=True))
    close.when(spared).rolling(15, 5).then(events.ConditionBegan(character="steve", condition="prone", source="jeff"))


@rule("Q4.3")
def test_the_first_face_that_serves_is_the_one_the_rulebook_names(close, apart) -> None:
    firsts = {
        2: lambda face: _falls(close, SWING, (face,), HIT, 1),
        6: lambda face: _falls(apart, RAY, (face,), BURNT, 1),
        12: lambda face: not _falls(apart, FIREBALL, (face,), FRIED, 1),
    }
    for first, serves in firsts.items():
        assert [face for face in range(1, 21) if serves(face)] == list(range(first, 21))


@rule("R4.31", "R4.33", "R4.35")
def test_a_forecast_follows_openings_inside_a_move_and_concentration_inside_a_spell(fight) -> None:
    scene = fight({"steve": (0, 0), "jeff": (3, 0)})
    closes = forecast(BOOK, scene.after, intent_of(Move(who="steve", to=("2", "0"))))
    assert [(each.check, each.character, each.success) for each in closes.checks] == [
        ("attack of opportunity", "jeff", Fraction(1, 20))
    ]
    beside = fight({"jeff": (1, 0), "steve": (0, 0)})
    leaves = forecast(BOOK, beside.after, intent_of(Move(who="jeff", path=("e", "e"))))
    falls = Fraction(17, 20) * Fraction(3, 8) + Fraction(2, 20) * Fraction(63, 64)
    assert leaves.chance_of("jeff", "incapacitated") + leaves.chance_of("jeff", "dead") == falls
    blurs = forecast(BOOK, beside.after, intent_of(Cast(who="jeff", spell="blur")))
    assert blurs.chance_of("jeff", "blurred") == 1 - leaves.chance_of("jeff", "incapacitated") - leaves.chance_of(
        "jeff", "dead"
    )
