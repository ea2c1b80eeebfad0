"""House rules are written into the campaign's first entry, each with the ruling that it settles."""

from __future__ import annotations

import attrs

from rollbook.rulesets.storytoken.settings import Settings
from rollbook.testing.scenarios import rule

RULED = {
    "shield_and_cover_stack": False,
    "base_speed_ft": 40,
    "surprise_roll": "none",
    "late_joiner": "next_round",
    "hp_flat_above_9": "text",
    "hp_con_cap_level": "none",
    "min_max_hp": 1,
    "level_hp": "add_die",
    "assign": "in_order",
    "extrapolate_levels": False,
    "topic_bonus_stack": "highest",
    "light_half": "ceil",
    "dual_light_ability": "dex",
    "token_cap": "level",
    "token_session_start": "set2",
    "token_revives_dead": "no",
    "extra_actions_per_turn": 1,
    "vampire_thirst": "blood_only",
    "were_ac_forms": "all",
    "condition_span": "score",
    "rage_per_day": "unlimited",
    "cast_target": "15",
    "casts_per_day": "unlimited",
    "per_day": "rolling24h",
    "long_rest_hours": 8,
    "half_level_min": 0,
    "rounding": "floor",
    "min_damage_on_hit": 1,
    "round_seconds": 10,
}


@rule("QG.10")
def test_every_ruling_is_a_setting_with_the_default_that_was_ruled(nobody) -> None:
    assert attrs.asdict(Settings()) == RULED
    assert dict(nobody().before.settings) == RULED
