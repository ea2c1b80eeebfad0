"""Every house rule is one that a ruling leaves to the table, says so, and can be played either way."""

from __future__ import annotations

import re

import attrs

from rollbook.domain.rules.ruleset import settings_fields
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.settings import Settings
from rollbook.testing.scenarios import rule

DEFAULTS = {
    "rounding": "floor", "min_damage_on_hit": 1, "round_seconds": 6, "luck_start": "cap", "initiative_mode": "side",
    "light_penalty": -2, "damage_adder": "ability", "explosion_save": 15, "explosion_on_success": "half",
    "medical_untrained": "fails", "bleed_at": "round_end", "special_abilities_max": 1, "level_cap": 10,
}  # fmt: skip


@rule("Q1.3", "Q1.4", "Q1.6", "Q1.8", "Q1.11", "Q1.12", "Q1.20", "Q1.23", "Q1.30", "QG.1", "QG.2", "QG.13")
def test_the_house_rules_are_as_they_were_ruled_and_name_their_ruling() -> None:
    assert attrs.asdict(Settings()) == DEFAULTS
    named = {setting.name: re.findall(r"Q[G1]\.\d+", setting.help) for setting in settings_fields(RULESET)}
    assert named == {
        "light_penalty": ["Q1.3"], "damage_adder": ["Q1.4"], "initiative_mode": ["Q1.6"], "luck_start": ["Q1.8"],
        "medical_untrained": ["Q1.11"], "bleed_at": ["Q1.12"], "explosion_save": ["Q1.20"],
        "explosion_on_success": ["Q1.20"], "special_abilities_max": ["Q1.23"], "level_cap": ["Q1.30"],
        "rounding": ["QG.1"], "min_damage_on_hit": ["QG.2"], "round_seconds": ["QG.13"],
    }  # fmt: skip
