"""The sheet says where every number comes from, and can be read whatever is recorded on a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import CampaignState, Character, Condition, Gear, events
from rollbook.rulesets.powers import RULESET
from rollbook.rulesets.powers.define_power import DefinePower
from rollbook.rulesets.powers.hit_points import Harm
from rollbook.testing.scenarios import rule


@rule("Q2.10", "Q2.12", "R2.3")
def test_every_number_of_alice(table) -> None:
    sheet = table().given(Harm(who="alice", amount="7")).sheet("alice")
    shown = {value.key: str(value) for value in sheet.values}
    assert shown == {
        "ac": "14",
        "hp": "13 of 20",
        "max_hp": "20",
        "initiative": "+2",
        "str": "+3",
        "stealth": "+2",
        "int": "+4",
        "wis": "+0",
        "con": "+0",
        "dc:str": "13",
        "dc:stealth": "12",
        "dc:int": "14",
        "dc:wis": "10",
        "dc:con": "10",
        "to_hit": "+3",
        "to_hit:sweep": "+3",
        "to_hit:blast": "+4",
    }
    assert [term.path for term in sheet.value("hp").terms] == ["stat.max_hp", "lost"]
    assert [(term.amount, term.path) for term in sheet.value("Strength DC").terms] == [
        (10, "settings"),
        (3, "stat.str"),
    ]


@rule("R2.17", "Q2.5", "Q2.10")
def test_the_powers_of_alice_in_words(table) -> None:
    words = dict(table(strike_damage="1d8").sheet("alice").words)
    assert words["Strike"] == "main attack, Strength against defense: 1d8 + STR damage"
    assert words["Patch up"] == "free power, Wisdom against average: 1d6 + WIS healing"
    assert words["Status"] == "Unhurt"
    everything = dict(table(power_cost="any_number").sheet("alice").words)
    assert everything["Sweep"] == "free attack, Strength against defense: 1d6 damage"


@rule("R2.9")
def test_reroll_effects_stand_on_the_sheet(table) -> None:
    given_both = (
        events.PoolGained(holder="bob", pool="reroll", amount=2),
        events.ExperienceAwarded(character="bob", amount=300),
    )
    sheet = table().given(*given_both).sheet("bob")
    assert (sheet.amount("rerolls"), sheet.amount("xp")) == (2, 300)


def test_a_power_of_ones_own_and_a_condition_in_words(table) -> None:
    hum = DefinePower(who="bob", name="Hum", rolls="cha", against="wis", condition="asleep")
    words = dict(table().given(hum).sheet("bob").words)
    assert words["Hum"] == "free power, Charisma against wis: asleep"


ODD_KEYS = st.sampled_from(("str", "hp", "ac", "level", "to_hit", "dc:str", "", "max_hp", "defense", "ö", "initiative"))
NUMBERS = st.integers(-(10**12), 10**12)
KINDS = st.sampled_from(("", "power", "role", "spell"))
OWN = st.sampled_from(({"key": 3}, {"key": "x", "title": "X"}, {"key": "x", "title": "X", "success.harm": 1}))


@given(
    stats=st.dictionaries(ODD_KEYS, NUMBERS),
    traits=st.dictionaries(st.sampled_from(("strike", "sweep", "elf", "x")), KINDS),
    own=st.dictionaries(st.sampled_from(("strike", "elf", "y")), OWN),
    lost=NUMBERS,
    gear=st.dictionaries(
        ODD_KEYS, st.builds(Gear, count=NUMBERS, use=st.sampled_from(((), ("armour", "light"), ("armour",))))
    ),
    pools=st.dictionaries(st.sampled_from(("reroll", "token")), NUMBERS),
    settings=st.dictionaries(st.sampled_from(("power_cost", "attr_dc_base", "unknown")), st.just(3)),
)
def test_any_character_has_a_sheet_whose_terms_add_up(stats, traits, own, lost, gear, pools, settings) -> None:
    frightened = {"frightened": Condition(name="frightened", since=0)}
    who = Character(
        id="x",
        name="X",
        stats=stats,
        traits=traits,
        trait_data=own,
        lost=lost,
        gear=gear,
        pools=pools,
        conditions=frightened,
    )
    campaign = CampaignState(settings=settings, characters={"x": who})
    sheet = RULESET.sheet(who, campaign)
    keys = [value.key for value in sheet.values]
    assert len(set(keys)) == len(keys)
    for value in sheet.values:
        assert sum(term.amount for term in value.terms) == value.amount
    passport = RULESET.crossing.describe(who, campaign)
    assert passport.armour in ("none", "light")


@pytest.mark.parametrize("who", ["alice", "bob", "cara", "dan"])
def test_a_sheet_reads_the_same_in_a_fight(table, fight, who: str) -> None:
    assert table().sheet(who) == fight().sheet(who)
