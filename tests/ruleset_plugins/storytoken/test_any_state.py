"""A sheet and a passport can be made of whatever is recorded on a character, and terms add up whatever it is."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.events import Option
from rollbook.domain.rules.crossing import ABILITIES
from rollbook.domain.state.campaign_state import Character, OpenChoice
from rollbook.rulesets.storytoken import RULESET
from rollbook.rulesets.storytoken.body.conditions import CONDITIONS
from rollbook.rulesets.storytoken.character.heritages import HERITAGES
from rollbook.rulesets.storytoken.character.roles import ROLES
from rollbook.rulesets.storytoken.magic.spells import SPELLS
from tests.support.any_character import ANY_NUMBER, ANY_TEXT, Recorded, any_characters, sheet_and_passport_hold

FIELDS = st.sampled_from(("strength", "rounds", "severity", "stage", "number", "form", "state", "ends", "scene", "thing",
                          "does", "ship", "course", "pilot", "anchor", "promise"))  # fmt: skip
VALUES = st.one_of(
    ANY_NUMBER, st.booleans(), st.sampled_from(("", "hybrid", "promised", "raging", "x")), st.tuples(ANY_TEXT)
)
RECORDED = Recorded(
    stats=st.sampled_from((*ABILITIES, "hit_dice", "max_hp", "armour_class", "speed_base", "to_hit", "damage",
                           "initiative", "ac", "speed", "hd", "fighting", "luck")),
    traits=st.sampled_from((*HERITAGES, *ROLES, *SPELLS, "undead", "friendly", "wizard", "")),
    trait_kinds=st.sampled_from(("heritage", "role", "spell", "attitude", "class", "")),
    conditions=st.sampled_from((*CONDITIONS, "impaired-str", "dead", "unconscious", "hidden", "slain", "weary", "floored")),
    condition_data=st.dictionaries(FIELDS, VALUES),
    uses=st.sampled_from(("", "armour:light", "armour:plate", "armour:", "weapon:light:throwing:silver", "weapon:club",
                          "weapon:", "weapon:heavy-ranged:tech", "shield", "advantage:x", "gadget", "light:torch")),
    pools=st.sampled_from(("token", "thirst", "burns", "body", "luck")),
    choices={"pick-4": OpenChoice(options=(Option(key="str+2"),))},
    chosen=st.dictionaries(
        st.sampled_from(("heritage-ability", "innate-spell", "pick-4")), st.sampled_from(("str", "sleep", "x"))
    ),
)  # fmt: skip
HOUSE = st.dictionaries(st.sampled_from(("round_seconds", "base_speed_ft", "level")), ANY_NUMBER)


@settings(max_examples=300, deadline=None)
@given(who=any_characters(RECORDED), fighting=st.booleans(), house=HOUSE)
def test_there_is_always_a_sheet_and_a_passport_and_terms_add_up(
    who: Character, fighting: bool, house: dict[str, int]
) -> None:
    sheet_and_passport_hold(RULESET, who, house, fighting=fighting)
