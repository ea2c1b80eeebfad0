"""A sheet and a passport can be made of whatever is recorded on a character, and terms add up whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.events import Option
from rollbook.domain.rules.crossing import ABILITIES
from rollbook.domain.state.campaign_state import Character, OpenChoice
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.abilities import SKILLS, SPECIALS
from rollbook.testing.scenarios import rule
from tests.support.any_character import ANY_NUMBER, ANY_TEXT, Recorded, any_characters, sheet_and_passport_hold

RECORDED = Recorded(
    stats=st.sampled_from((*ABILITIES, *SKILLS, "location:london", "location:", "location:[x]", "lore:x", "max_hp",
                           "hit_dice", "armour_class", "speed_base", "to_hit", "damage", "initiative", "ac", "speed",
                           "luck_second", "luck", "hp", "level", "fighting", "", "skill points")),
    traits=st.sampled_from((*SPECIALS, "undead", "wizard", "standard", "darkvision", "")),
    trait_kinds=st.sampled_from(("special", "heritage", "method", "")),
    conditions=st.sampled_from(("critical", "prone", "bleeding", "stable", "dead", "busy", "out of reactions", "side",
                                "unconscious", "arriving", "weary", "")),
    uses=st.sampled_from(("", "armour:light", "armour:plate", "armour:", "armour:none", "weapon:light:silver",
                          "weapon:club", "weapon:", "weapon:heavy-melee", "weapon:rocket", "weapon", "shield",
                          "light:torch")),
    items=st.one_of(ANY_TEXT, st.sampled_from(("sword", "Pistol", "dynamite", "rocket launcher", "unarmed", "fist"))),
    pools=st.sampled_from(("luck", "token", "task:the vault", "task:", "")),
    choices={"level-4-skill-1": OpenChoice(options=(Option(key="lore"),)), "odd": OpenChoice()},
    chosen=st.fixed_dictionaries({"creation-skill-1": ANY_TEXT}),
)  # fmt: skip
HOUSE = st.dictionaries(st.sampled_from(("light_penalty", "level_cap", "round_seconds", "level")), ANY_NUMBER)


@pytest.mark.slow
@rule("R1.1")
@settings(max_examples=400, deadline=None)
@given(who=any_characters(RECORDED), fighting=st.booleans(), house=HOUSE)
def test_there_is_always_a_sheet_and_a_passport_and_terms_add_up(
    who: Character, fighting: bool, house: dict[str, int]
) -> None:
    passport = sheet_and_passport_hold(RULESET, who, house, fighting=fighting)
    assert passport.dies_at == -passport.max_hp
