"""Crossing into powers keeps modifiers, Defense, hit points, armour and weapons, and can cross out again with them."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleset_plugins import ABILITIES, Action, Passport, Table, events
from ruleset_plugins.powers import RULESET
from ruleset_plugins.powers.attack import Attack
from ruleset_plugins.powers.crossing import CROSSING, describe
from ruleset_plugins.testing.scenarios import Scenario, like, scenario

KNIGHT = Passport(
    max_hp=31,
    level=4,
    modifiers={"str": 3, "dex": -1, "con": 2, "int": 0, "wis": 1, "cha": 2},
    armour_class=17,
    armour="heavy",
    worn="plate",
    shield="kite shield",
    weapons={"long sword": "medium", "bow": "ranged"},
    attack=6,
    speed=20,
    luck=2,
    conditions=("prone",),
)
WOLF = Passport(max_hp=9, armour_class=12, is_entered=True, attack=3)


@attrs.frozen
class Arrive(Action, verb="arrive"):
    """Somebody comes in with a passport."""

    passport: Passport

    def resolve(self, table: Table) -> None:
        for ability, modifier in self.passport.modifiers.items():
            CROSSING.set_modifier(table, "knight", ability, modifier)
        CROSSING.arrive(table, "knight", self.passport)


@pytest.fixture
def arrived() -> Callable[[Passport], Scenario]:
    def arrive(passport: Passport) -> Scenario:
        things = filter(None, (passport.worn, passport.shield, *passport.weapons))
        return scenario(RULESET).given(
            events.CharacterJoined(character="knight", name="Knight"),
            *(events.GearGained(character="knight", item=item) for item in things),
            Arrive(passport),
        )

    return arrive


def again(scene: Scenario) -> Passport:
    return describe(scene.before.characters["knight"], scene.before)


def test_a_knight_comes_out_as_described(arrived) -> None:
    scene = arrived(KNIGHT)
    sheet = scene.sheet("knight")
    assert (sheet.amount("ac"), sheet.amount("hp"), sheet.amount("str"), sheet.amount("dex")) == (17, 31, 3, -1)
    assert sheet.amount("to_hit") == 6
    assert sheet.amount("speed") == 20
    assert again(scene) == attrs.evolve(KNIGHT, level=0, luck=0, conditions=())


def test_a_wolf_stays_a_wolf_with_the_numbers_that_were_entered(arrived) -> None:
    scene = arrived(WOLF)
    assert again(scene) == WOLF
    assert scene.before.characters["knight"].stats == {"max_hp": 9, "defense": 12, "attack": 3}


def test_a_best_attack_that_is_not_strength_becomes_a_strike_of_ones_own(arrived) -> None:
    scene = arrived(KNIGHT).given(events.StatChanged(character="knight", stat="defense", amount=0))
    foe = events.CharacterJoined(character="foe", name="Foe")
    scene.given(foe, events.StatChanged(character="foe", stat="max_hp", amount=9))
    blow = Attack(attacker="knight", targets=("foe",))
    scene.when(blow).rolling(9, 2).then(
        like(events.DiceRolled, expression="1d20 + 6[Attack]"),
        like(events.DiceRolled, expression="1d6 + 3[Strength]"),
        like(events.DamageTaken, dealt=5),
    )
    as_strong = attrs.evolve(KNIGHT, attack=3)
    assert "strike" not in arrived(as_strong).before.characters["knight"].traits


def test_reroll_effects_are_luck_and_conditions_have_their_meaning(arrived) -> None:
    scene = arrived(KNIGHT).given(
        events.PoolGained(holder="knight", pool="reroll", amount=2),
        events.ConditionBegan(character="knight", condition="defeated"),
        events.ConditionBegan(character="knight", condition="prone"),
        events.ConditionBegan(character="knight", condition="off balance"),
    )
    passport = again(scene)
    assert (passport.luck, passport.conditions) == (2, ("unconscious", "prone"))
    assert CROSSING.luck_cap(scene.before.characters["knight"], scene.before) >= 2


def test_armour_of_an_unknown_sort_is_no_armour(arrived) -> None:
    odd = events.GearGained(character="knight", item="barrel", use="armour:wooden")
    assert again(arrived(WOLF).given(odd)).armour == "none"


@given(
    modifiers=st.dictionaries(st.sampled_from(ABILITIES), st.integers(-6, 12)),
    armour=st.sampled_from(("none", "light", "medium", "heavy")),
    shield=st.sampled_from(("", "buckler")),
    weapons=st.dictionaries(st.sampled_from(("axe", "sling")), st.sampled_from(("light", "medium", "heavy", "ranged"))),
    numbers=st.tuples(st.integers(1, 300), st.integers(-5, 40), st.integers(-5, 30), st.integers(0, 90)),
    is_entered=st.booleans(),
)
def test_describing_who_has_arrived_gives_the_passport_back(
    modifiers, armour, shield, weapons, numbers, is_entered
) -> None:
    worn = {"none": "", "light": "leather", "medium": "mail", "heavy": "plate"}[armour]
    max_hp, ac, attack, speed = numbers
    passport = Passport(
        max_hp=max_hp,
        modifiers=modifiers,
        armour_class=ac,
        armour=armour,
        worn=worn,
        shield=shield,
        weapons=weapons,
        attack=attack,
        speed=speed,
        is_entered=is_entered,
    )
    things = [item for item in (worn, shield, *weapons) if item]
    scene = scenario(RULESET).given(
        events.CharacterJoined(character="knight", name="Knight"),
        *(events.GearGained(character="knight", item=item) for item in things),
        Arrive(passport),
    )
    assert again(scene) == passport
