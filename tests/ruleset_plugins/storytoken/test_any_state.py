"""A sheet and a passport can be made of whatever stands on a character, and terms add up whatever it is."""

from __future__ import annotations

from types import MappingProxyType

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.events import CharacterKind, Option
from domain.state import CampaignState, Character, Condition, Encounter, Gear, OpenChoice, Usage
from ruleset_plugins.storytoken import RULESET
from ruleset_plugins.storytoken.body.conditions import CONDITIONS
from ruleset_plugins.storytoken.character.heritages import HERITAGES
from ruleset_plugins.storytoken.character.roles import ROLES
from ruleset_plugins.storytoken.crossing import describe
from ruleset_plugins.storytoken.magic.spells import SPELLS

ANY = st.text(max_size=8)
NUMBERS = st.integers(-(10**6), 10**6)
STATS = st.sampled_from(("str", "dex", "con", "int", "wis", "cha", "hit_dice", "max_hp", "armour_class", "speed_base",
                         "to_hit", "damage", "initiative", "ac", "speed", "hd", "fighting", "luck"))  # fmt: skip
TRAITS = st.sampled_from((*HERITAGES, *ROLES, *SPELLS, "undead", "friendly", "wizard", ""))
KINDS = st.sampled_from(("heritage", "role", "spell", "attitude", "class", ""))
DATA = st.dictionaries(
    st.sampled_from(("strength", "rounds", "severity", "stage", "number", "form", "state", "ends", "scene", "thing",
                     "does", "ship", "course", "pilot", "anchor", "promise")),
    st.one_of(NUMBERS, st.booleans(), st.sampled_from(("", "hybrid", "promised", "raging", "x")), st.tuples(ANY)),
)  # fmt: skip
NAMES = st.sampled_from((*CONDITIONS, "impaired-str", "dead", "unconscious", "hidden", "slain", "weary", "floored"))
USES = st.sampled_from(("", "armour:light", "armour:plate", "armour:", "weapon:light:throwing:silver", "weapon:club",
                        "weapon:", "weapon:heavy-ranged:tech", "shield", "advantage:x", "gadget", "light:torch"))  # fmt: skip
CHOSEN = st.dictionaries(
    st.sampled_from(("heritage-ability", "innate-spell", "pick-4")), st.sampled_from(("str", "sleep", "x"))
)
POOLS = st.dictionaries(st.sampled_from(("token", "thirst", "burns", "body", "luck")), NUMBERS)


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Condition]:
    names = draw(st.lists(NAMES, max_size=4, unique=True))
    return {
        name: Condition(
            name=name, since=draw(NUMBERS), until=draw(NUMBERS), source=draw(ANY), detail=draw(ANY), data=draw(DATA)
        )
        for name in names
    }


@st.composite
def characters(draw: st.DrawFn) -> Character:
    return Character(
        id="zed",
        name=draw(ANY),
        kind=draw(st.sampled_from(CharacterKind)),
        lost=draw(NUMBERS),
        experience=draw(NUMBERS),
        level=draw(st.integers(-40, 400)),
        stats=draw(st.dictionaries(STATS, NUMBERS, max_size=6)),
        traits=draw(st.dictionaries(TRAITS, KINDS, max_size=6)),
        gear={item: Gear(count=draw(st.integers(-2, 5)), use=draw(USES)) for item in draw(st.sets(ANY, max_size=3))},
        pools=draw(POOLS),
        conditions=draw(conditions()),
        choices={"pick-4": OpenChoice(options=(Option(key="str+2"),))} if draw(st.booleans()) else MappingProxyType({}),
        chosen=draw(CHOSEN),
        usages={"rally": Usage(count=1, last=draw(NUMBERS))},
    )


@settings(max_examples=300, deadline=None)
@given(
    characters(), st.booleans(), st.dictionaries(st.sampled_from(("round_seconds", "base_speed_ft", "level")), NUMBERS)
)
def test_there_is_always_a_sheet_and_a_passport_and_terms_add_up(who: Character, fighting: bool, settings_) -> None:
    encounter = Encounter(order=("zed",), current="zed") if fighting else None
    campaign = attrs.evolve(
        CampaignState(), characters={"zed": who}, encounter=encounter, settings=settings_, sealed=False
    )
    sheet = RULESET.sheet(who, campaign)
    for value in sheet.values:
        assert not value.terms or sum(term.amount for term in value.terms) == value.amount, value.label
    assert all(label and isinstance(text, str) for label, text in sheet.words)
    labels = [value.label for value in sheet.values]
    assert len(set(labels)) == len(labels)
    passport = describe(who, campaign)
    assert passport.max_hp >= 1
    assert set(passport.modifiers) == {"str", "dex", "con", "int", "wis", "cha"}
