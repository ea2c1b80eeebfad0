"""Crossing into grid keeps modifiers, armour by meaning, weapons and hit points, and can cross out again with them."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import ABILITIES, CharacterKind, Passport, events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.creation import Choose
from rollbook.rulesets.grid.weapons import weapons_of
from tests.support import arrivals

KNIGHT = Passport(
    max_hp=31,
    dies_at=-10,
    modifiers={"str": 3, "dex": -1, "con": 2, "int": 0, "wis": 1, "cha": 2},
    armour_class=19,
    armour="heavy",
    worn="plate",
    shield="kite shield",
    weapons={"long sword": "medium", "knife": "light", "bow": "ranged"},
    attack=6,
    speed=20,
)
WOLF = Passport(max_hp=9, dies_at=-10, armour_class=14, is_entered=True, attack=3, speed=45)


arrived = partial(arrivals.arrived, RULESET, name="Knight")
described = partial(arrivals.described, RULESET, name="Knight")


def test_a_knight_comes_out_as_described() -> None:
    scene = arrived(KNIGHT)
    assert described(scene) == KNIGHT
    sheet = scene.sheet("knight")
    assert (sheet.amount("ac"), sheet.amount("hp"), sheet.amount("to_hit"), sheet.amount("str")) == (19, 31, 6, 3)


def test_weapons_go_where_there_is_room_and_nobody_is_given_arrows() -> None:
    who = arrived(KNIGHT).character("knight")
    assert [(each.item, each.kind.key, each.place) for each in weapons_of(who)] == [
        ("long sword", "sword", "main"),
        ("knife", "dagger", "sheath"),
        ("bow", "shortbow", "down"),
    ]
    assert set(who.gear) == {"plate", "kite shield", "long sword", "knife", "bow"}


def test_a_class_is_a_players_choice_and_takes_the_place_of_the_numbers_that_stood_in_for_it() -> None:
    scene = arrived(KNIGHT)
    chosen = scene.when(Choose(who="knight", choice="class", picked="fighter"))
    sheet = chosen.sheet("knight")
    assert (sheet.amount("max_hp"), sheet.amount("to_hit"), sheet.amount("save:fort")) == (42, 8, 6)
    assert "class" not in chosen.character("knight").choices


def test_a_wolf_stays_a_wolf_with_the_numbers_that_were_entered() -> None:
    scene = arrived(WOLF, CharacterKind.MONSTER)
    assert described(scene) == WOLF
    assert not scene.character("knight").choices


@given(
    modifiers=st.dictionaries(st.sampled_from(ABILITIES), st.integers(-8, 8)),
    armour=st.sampled_from(("none", "light", "medium", "heavy")),
    shield=st.sampled_from(("", "door")),
    weapons=st.dictionaries(
        st.sampled_from(("a", "b", "c", "d")), st.sampled_from(("light", "medium", "heavy", "ranged"))
    ),
    max_hp=st.integers(1, 300),
    kind=st.sampled_from(CharacterKind),
    entered=st.one_of(st.none(), st.integers(1, 40)),
    attack=st.integers(-5, 20),
)
def test_anyone_who_arrives_is_described_as_they_came(
    modifiers, armour, shield, weapons, max_hp, kind, entered, attack
) -> None:
    passport = Passport(
        max_hp=max_hp,
        modifiers=modifiers,
        armour_class=entered or 10,
        is_entered=entered is not None,
        armour=armour,
        worn="" if armour == "none" else "coat",
        shield=shield,
        weapons=weapons,
        attack=attack,
    )
    scene = arrived(passport, kind)
    found = described(scene)
    same = ("modifiers", "armour", "worn", "shield", "weapons", "max_hp", "attack", "is_entered")
    assert {name: getattr(found, name) for name in same} == {name: getattr(passport, name) for name in same}
    if entered is not None:
        assert found.armour_class == entered
    assert RULESET.sheet(scene.before.characters["knight"], scene.before).amount("max_hp") == max_hp


def test_what_passes_with_a_fight_does_not_cross() -> None:
    scene = arrived(KNIGHT).given(events.ConditionBegan(character="knight", condition="prone"))
    found = described(scene)
    assert (found.armour_class, found.attack, found.speed, found.conditions) == (19, 6, 20, ("prone",))
