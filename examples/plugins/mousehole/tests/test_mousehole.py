"""Mousehole, as its README tells it."""

from __future__ import annotations

import pytest
from rollbook_mousehole import RULESET, Check, Dawn, Join
from rollbook_mousehole.crossing import arrive, describe, set_modifier

from rollbook.plugin import Action, Passport, SecondThought, Table, events, second_thought
from rollbook.testing.conformance.suite import RulesetConformance
from rollbook.testing.scenarios import Scenario, like, scenario, with_dice

CHECKED, POOL = events.CheckResolved, events.PoolGained
EAT = SecondThought(kind="crumb", character="pip")
SNEAK = Check(who="pip", trait="nimble", target="tricky", cheese=True)
CLATTER = with_dice(Check(who="pip", trait="clever"), 1)


def kitchen(**settings: int) -> Scenario:
    pip = Join(name="Pip", nimble=4, bold=2, clever=1)
    return scenario(RULESET, **settings).given(pip, Join(name="Hazel"))


def test_every_5_and_6_is_a_nibble_and_a_piece_of_cheese() -> None:
    kitchen().when(SNEAK).rolling(5, 1, 6, 4).then(
        like(events.DiceRolled, expression="4d6"),
        CHECKED(character="pip", check="nimble", total=2, target=2, success=True, outcome="done", against="tricky"),
        POOL(holder="pip", pool="cheese", amount=2),
        only=True,
    )


def test_at_a_kinder_table_a_4_is_a_nibble_too() -> None:
    kitchen(nibble_from=4).when(SNEAK).rolling(5, 1, 6, 4).then(like(CHECKED, total=3))


def test_a_crumb_rolls_every_die_once_more_that_was_no_nibble() -> None:
    kitchen().when(SNEAK, EAT).rolling(5, 1, 2, 4, 6, 1, 1).then(
        events.PoolSpent(holder="pip", pool="crumb", amount=1),
        like(events.DiceRolled, expression="3d6", purpose="crumb"),
        like(CHECKED, total=2, success=True),
    )
    friend = SecondThought(kind="crumb", character="hazel")
    shared = kitchen().when(SNEAK, EAT, friend).rolling(1, 1, 2, 4, 6, 1, 1, 3, 5, 5, 2)
    assert shared.then(like(CHECKED, total=3)).character("hazel").pools["crumb"] == 2


@pytest.mark.parametrize(
    ("thought", "said"),
    [
        (SecondThought(kind="crumb"), "--by"),
        (second_thought("crumb", "pip", keep="old"), "that result counts"),
        (second_thought("crumb", "pip", roll=1), "this one check"),
    ],
)
def test_a_crumb_is_somebodys_and_for_this_check(thought: SecondThought, said: str) -> None:
    kitchen().when(SNEAK, thought).rolling(5, 1, 2, 4).refused(said)


def test_no_crumb_is_wasted_and_none_is_had_for_nothing() -> None:
    kitchen().when(SNEAK, EAT).rolling(5, 5, 6, 6).refused("Keep the crumb")
    hungry = kitchen().given(events.PoolSpent(holder="pip", pool="crumb", amount=3))
    hungry.when(SNEAK, EAT).rolling(5, 1, 2, 4).refused("Pip has no crumb left")


def test_the_fifth_noise_wakes_the_cat() -> None:
    scene = kitchen().given([CLATTER] * 4)
    scene.when(CLATTER.action).rolling(2).then(
        like(CHECKED, success=False),
        POOL(holder="", pool="noise", amount=1),
        events.ConditionBegan(character="pip", condition="under the paw", source="the cat"),
        like(events.PoolBecame, pool="noise", amount=0),
    )
    scene.go_on().when(SNEAK).refused("Pip is under the paw", "A friend may set Pip free")


def test_a_friend_sets_the_caught_one_free() -> None:
    scene = kitchen().given([CLATTER] * 5)
    rescue = Check(who="hazel", trait="bold", frees="pip")
    scene.when(rescue).rolling(6, 1).then(events.ConditionEnded(character="pip", condition="under the paw"))
    scene.when(rescue).rolling(2, 1).then(like(CHECKED, success=False)).never(events.ConditionEnded)
    kitchen().when(rescue).refused("Pip is not under the paw")


def test_dawn_counts_the_cheese_that_came_home() -> None:
    hazel = Check(who="hazel", trait="nimble", cheese=True)
    scene = kitchen().given(with_dice(SNEAK, 5, 5, 6, 1), [CLATTER] * 5, with_dice(hazel, 6, 1, 1))
    dawn = scene.when(Dawn())
    dawn.then(like(events.ExperienceAwarded, character="hazel", amount=1)).never(
        like(events.ExperienceAwarded, character="pip")
    )
    assert dawn.sheet("pip").amount("cheese") == 0
    assert dict(dawn.sheet("pip").words)["Status"] == "free"
    assert dawn.after.pools["noise"] == 0
    scenario(RULESET).when(Dawn()).refused("no mouse")


def test_a_mouse_has_seven_points() -> None:
    scenario(RULESET).when(Join(name="Rat", nimble=5, bold=5, clever=5)).refused("7 points, and 15 were given")


class Cross(Action):
    """Somebody comes in from another game."""

    def resolve(self, table: Table) -> None:
        for ability, modifier in {"dex": 3, "str": -3, "int": 0, "wis": 5}.items():
            set_modifier(table, "pip", ability, modifier)
        arrive(table, "pip", Passport(max_hp=31))


def test_who_crosses_keeps_what_a_mouse_has_and_gets_the_rest_back() -> None:
    scene = scenario(RULESET).given(events.CharacterJoined(character="pip", name="Pip"), Cross())
    passport = describe(scene.before.characters["pip"], scene.before)
    assert passport.modifiers == {"dex": 3, "str": -3, "int": 0}
    assert passport.max_hp == 31
    scene.when(Check(who="pip", trait="bold")).rolling(6).then(like(events.DiceRolled, expression="1d6"))


class TestMousehole(RulesetConformance):
    ruleset = "mousehole"
    playthroughs = 12
    examples = (
        "join Pip --nimble 4 --bold 2 --clever 1",
        "join Hazel",
        "check pip nimble --target tricky --cheese ! 5 6 1 2",
        "check hazel bold ! 1 2",
        "check hazel clever ! 2 4",
        "check hazel clever ! 2 4",
        "check hazel clever ! 2 4",
        "check hazel clever ! 2 4",
        "check pip bold --frees hazel ! 6 2",
        "dawn",
    )
