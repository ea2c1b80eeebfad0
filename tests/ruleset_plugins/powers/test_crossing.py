"""Crossing into powers keeps modifiers, Defense, hit points, armour and weapons, and can cross out again with them."""

from __future__ import annotations

from functools import partial

import attrs
from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import ABILITIES, Passport, events
from rollbook.rulesets.powers import RULESET
from rollbook.rulesets.powers.attack import Attack
from rollbook.rulesets.powers.crossing import CROSSING
from rollbook.testing.scenarios import like
from tests.support import arrivals

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


arrived = partial(arrivals.arrived, RULESET, name="Knight")
described = partial(arrivals.described, RULESET, name="Knight")


def test_a_knight_comes_out_as_described() -> None:
    scene = arrived(KNIGHT)
    sheet = scene.sheet("knight")
    assert (sheet.amount("ac"), sheet.amount("hp"), sheet.amount("str"), sheet.amount("dex")) == (17, 31, 3, -1)
    assert sheet.amount("to_hit") == 6
    assert sheet.amount("speed") == 20
    assert described(scene) == attrs.evolve(KNIGHT, level=0, luck=0, conditions=())


def test_a_wolf_stays_a_wolf_with_the_numbers_that_were_entered() -> None:
    scene = arrived(WOLF)
    assert described(scene) == WOLF
    assert scene.before.characters["knight"].stats == {"max_hp": 9, "defense": 12, "attack": 3}


def test_a_best_attack_that_is_not_strength_becomes_a_strike_of_ones_own() -> None:
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


def test_reroll_effects_are_luck_and_conditions_have_their_meaning() -> None:
    scene = arrived(KNIGHT).given(
        events.PoolGained(holder="knight", pool="reroll", amount=2),
        events.ConditionBegan(character="knight", condition="defeated"),
        events.ConditionBegan(character="knight", condition="prone"),
        events.ConditionBegan(character="knight", condition="off balance"),
    )
    passport = described(scene)
    assert (passport.luck, passport.conditions) == (2, ("unconscious", "prone"))
    assert CROSSING.luck_cap(scene.before.characters["knight"], scene.before) >= 2


def test_armour_of_an_unknown_sort_is_no_armour() -> None:
    odd = events.GearGained(character="knight", item="barrel", use=("armour", "wooden"))
    assert described(arrived(WOLF).given(odd)).armour == "none"


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
    assert described(arrived(passport)) == passport
