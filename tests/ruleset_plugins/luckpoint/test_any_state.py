"""A sheet and a passport can be made of whatever stands on a character, and terms add up whatever it is."""

from __future__ import annotations

from types import MappingProxyType

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.crossing import ABILITIES
from domain.events import CharacterKind
from domain.state import CampaignState, Character, Condition, Encounter, Gear, OpenChoice, Usage
from ruleset_plugins.kit import open_choices
from ruleset_plugins.luckpoint import RULESET
from ruleset_plugins.luckpoint.abilities import SPECIALS
from ruleset_plugins.luckpoint.crossing import describe
from ruleset_plugins.luckpoint.skills import SKILLS
from ruleset_plugins.testing.scenarios import rule

CHOICES = {"level-4-skill-1": OpenChoice(options=open_choices.named(("lore",))), "odd": OpenChoice()}
ANY = st.text(max_size=8)
NUMBERS = st.integers(-(10**6), 10**6)
STATS = st.sampled_from((*ABILITIES, *SKILLS, "location:london", "location:", "location:[x]", "lore:x", "max_hp", "hit_dice",
                         "armour_class", "speed_base", "to_hit", "damage", "initiative", "ac", "speed", "luck_second",
                         "luck", "hp", "level", "fighting", "", "skill points"))  # fmt: skip
TRAITS = st.sampled_from((*SPECIALS, "undead", "wizard", "standard", "darkvision", ""))
KINDS = st.sampled_from(("special", "heritage", "method", ""))
NAMES = st.sampled_from(
    (
        "critical",
        "prone",
        "bleeding",
        "stable",
        "dead",
        "busy",
        "out of reactions",
        "side",
        "unconscious",
        "arriving",
        "weary",
        "",
    )
)
USES = st.sampled_from(("", "armour:light", "armour:plate", "armour:", "armour:none", "weapon:light:silver", "weapon:club",
                        "weapon:", "weapon:heavy-melee", "weapon:rocket", "weapon", "shield", "light:torch"))  # fmt: skip
ITEMS = st.one_of(ANY, st.sampled_from(("sword", "Pistol", "dynamite", "rocket launcher", "unarmed", "fist")))
POOLS = st.dictionaries(st.sampled_from(("luck", "token", "task:the vault", "task:", "")), NUMBERS)


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Condition]:
    names = draw(st.lists(NAMES, max_size=4, unique=True))
    return {
        name: Condition(name=name, since=draw(NUMBERS), until=draw(NUMBERS), source=draw(ANY), detail=draw(ANY))
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
        stats=draw(st.dictionaries(STATS, NUMBERS, max_size=8)),
        traits=draw(st.dictionaries(TRAITS, KINDS, max_size=5)),
        gear={item: Gear(count=draw(st.integers(-2, 5)), use=draw(USES)) for item in draw(st.sets(ITEMS, max_size=4))},
        pools=draw(POOLS),
        conditions=draw(conditions()),
        choices=CHOICES if draw(st.booleans()) else MappingProxyType({}),
        chosen={"creation-skill-1": draw(ANY)},
        usages={"rally": Usage(count=1, last=draw(NUMBERS))},
    )


@rule("R1.1")
@settings(max_examples=400, deadline=None)
@given(
    who=characters(),
    fighting=st.booleans(),
    house=st.dictionaries(st.sampled_from(("light_penalty", "level_cap", "round_seconds", "level")), NUMBERS),
)
def test_there_is_always_a_sheet_and_a_passport_and_terms_add_up(
    who: Character, fighting: bool, house: dict[str, int]
) -> None:
    encounter = Encounter(order=("zed",), current="zed") if fighting else None
    campaign = attrs.evolve(CampaignState(), characters={"zed": who}, encounter=encounter, settings=house, sealed=False)
    sheet = RULESET.sheet(who, campaign)
    for value in sheet.values:
        assert not value.terms or sum(term.amount for term in value.terms) == value.amount, value.label
    assert all(label and isinstance(text, str) for label, text in sheet.words)
    for named in ([value.label for value in sheet.values], [value.key for value in sheet.values]):
        assert len(set(named)) == len(named)
    passport = describe(who, campaign)
    assert passport.max_hp >= 1
    assert passport.dies_at == -passport.max_hp
    assert set(passport.modifiers) == set(ABILITIES)
