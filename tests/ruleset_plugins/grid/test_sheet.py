"""A sheet adds up, says where every number comes from, and can be derived for anybody in any state."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.state.campaign_state import EMPTY, Character, Gear
from rollbook.kit import conditions
from rollbook.plugin import CharacterKind
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.armour import ARMOURS, SHIELDS
from rollbook.rulesets.grid.crossing import describe
from rollbook.rulesets.grid.stats import CLASSES
from rollbook.rulesets.grid.weapons import PLACES, WEAPONS

STRANGE = st.sampled_from(
    ["", "weapon", "armour:", "x:y:z", "armour:mithril", "weapon:sword:nose", "shield:door", "light:torch"]
)
USES = st.one_of(
    STRANGE,
    st.builds(lambda key, place: f"weapon:{key}:{place}", st.sampled_from(sorted(WEAPONS)), st.sampled_from(PLACES)),
    st.sampled_from([*(f"armour:{key}" for key in ARMOURS), *(f"shield:{key}" for key in SHIELDS)]),
)
GEAR = st.dictionaries(
    st.sampled_from(["a", "b", "sword", "arrows", "gate"]),
    st.builds(lambda n, use: Gear(count=n, use=tuple(use.split(":"))), st.integers(-2, 3), USES),
)
NUMBERS = st.dictionaries(
    st.sampled_from(
        ["str", "dex", "con", "armour_class", "max_hp", "speed", "attack", "hide", "fort", "hit_dice", "§"]
    ),
    st.integers(-200, 200),
)
TRAITS = st.dictionaries(
    st.sampled_from([*CLASSES, "bard", "hide", "blur", "foes", "orc"]),
    st.sampled_from(["class", "skill", "spell", "side", "role"]),
)
STATES = st.sampled_from(
    ["prone", "incapacitated", "dead", "stable", "hamstrung", "blurred", "resistant", "fleet", "raging"]
)


@given(NUMBERS, TRAITS, GEAR, st.lists(STATES, unique=True), st.sampled_from(CharacterKind), st.integers(-99, 99))
def test_whatever_is_recorded_on_a_character_there_is_a_sheet_that_adds_up_and_a_passport(
    numbers, traits, gear, states, kind, lost
) -> None:
    who = Character(
        id="ann",
        name="Ann",
        kind=kind,
        stats=numbers,
        traits=traits,
        gear=gear,
        lost=lost,
        conditions={state: conditions.Condition(name=state, since=0) for state in states},
    )
    sheet = RULESET.sheet(who, EMPTY)
    keys = [value.key for value in sheet.values]
    assert len(set(keys)) == len(keys)
    assert all(value.amount == sum(term.amount for term in value.terms) for value in sheet.values)
    assert {"ac", "hp", "max_hp", "speed", "initiative", "to_hit", "str", "cha"} <= set(keys)
    assert describe(who, EMPTY).max_hp >= 0


def test_a_term_says_which_rule_and_which_thing_it_comes_from(table) -> None:
    sheet = table().sheet("steve")
    terms = {term.label: (term.amount, term.rule, term.path) for term in sheet.value("ac").terms}
    assert terms == {
        "base": (10, "R4.15", ""),
        "Dexterity": (1, "R4.15", "stat.dex"),
        "full plate": (7, "R4.53", "gear.full plate"),
        "shield": (3, "R4.53", "gear.shield"),
    }
    assert dict(sheet.words)["Weapons"] == "sword in the main hand (1d8, 19-20 x2)"
    assert dict(sheet.words)["Square"] == "0,0"
