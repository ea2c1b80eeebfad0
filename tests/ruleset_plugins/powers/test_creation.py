"""Characters are entered: hit points and Defense as they are, every other stat under the name that the table gives it."""

from __future__ import annotations

import pytest

from rollbook.plugin import CharacterKind, Refused, events
from rollbook.rulesets.powers import RULESET
from rollbook.rulesets.powers.creation import Join
from rollbook.rulesets.powers.stats import stat_key
from rollbook.testing.scenarios import like, rule, scenario


@rule("Q2.10", "Q2.12")
def test_somebody_joins_with_whatever_numbers_the_table_plays_with() -> None:
    ada = Join(
        name="Ada Quill",
        hp=18,
        defense=15,
        stats={"Strength": 3, "Sleight of Hand": 4, "initiative": -1},
        powers=("Patch Up", "cheer"),
        rerolls=2,
    )
    scenario(RULESET).when(ada).then(
        events.CharacterJoined(character="ada-quill", name="Ada Quill"),
        events.StatChanged(character="ada-quill", stat="max_hp", amount=18, reason="as entered"),
        events.StatChanged(character="ada-quill", stat="defense", amount=15, reason="as entered"),
        events.StatChanged(character="ada-quill", stat="sleight_of_hand", amount=4, reason="as entered"),
        events.StatChanged(character="ada-quill", stat="str", amount=3, reason="as entered"),
        events.StatChanged(character="ada-quill", stat="initiative", amount=-1, reason="as entered"),
        events.TraitGained(character="ada-quill", trait="patch-up", kind="power"),
        events.TraitGained(character="ada-quill", trait="cheer", kind="power"),
        events.PoolGained(holder="ada-quill", pool="reroll", amount=2, reason="as entered"),
        only=True,
    )


@pytest.mark.parametrize("kind", CharacterKind)
def test_everybody_joins_in_the_same_way(kind: CharacterKind) -> None:
    joined = scenario(RULESET).when(Join(name="Mill wheel", hp=30, kind=kind.value))
    joined.then(like(events.CharacterJoined, kind=kind))
    assert joined.sheet("mill-wheel").amount("hp") == 30
    assert joined.sheet("mill-wheel").amount("ac") == 10


@pytest.mark.parametrize(
    ("typed", "stat"),
    [
        ("Strength", "str"),
        ("STR", "str"),
        ("Defence", "defense"),
        ("ac", "defense"),
        ("hp", "max_hp"),
        ("Sleight-of-Hand", "sleight_of_hand"),
        (" wits ", "wits"),
    ],
)
def test_a_stat_has_one_name_however_it_is_typed(typed: str, stat: str) -> None:
    assert stat_key(typed) == stat


def test_numbers_that_are_none_are_refused() -> None:
    for stats in ("strength",), {"strength": "much"}, {"": 3}:
        with pytest.raises(Refused, match="name=number"):
            scenario(RULESET).when_typed(Join, name="Ada", hp=5, stats=stats)
    scenario(RULESET).when(Join(name="Ada", hp=5, stats={"3": 3})).refused("name=number")


def test_a_power_that_does_not_exist_is_refused_with_those_that_do() -> None:
    said = scenario(RULESET).when(Join(name="Ada", hp=5, powers=("swep",))).refused("no power called 'swep'")
    assert "Did you mean sweep" in said


def test_hit_points_are_needed_and_a_name_that_is_free() -> None:
    with pytest.raises(Refused, match="join also needs: hp"):
        scenario(RULESET).when_typed(Join, name="Ada")
    with pytest.raises(Refused, match="hp is 0, but it must be at least 1"):
        scenario(RULESET).when_typed(Join, name="Ada", hp=0)
    scenario(RULESET).given(Join(name="Ada", hp=1)).when(Join(name="Ada", hp=5)).refused(
        "already a character called 'ada'"
    )
