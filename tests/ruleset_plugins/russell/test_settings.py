"""House rules are written into the campaign's first entry, each with the ruling that it settles."""

from __future__ import annotations

import attrs

from rollbook.rulesets.russell.settings import Settings
from rollbook.testing.scenarios import rule

RULED = {
    "rounding": "floor",
    "min_damage_on_hit": 1,
    "round_seconds": 0,
    "turn_minutes": 10,
    "adv_clamp": 2,
    "xp_per_coin": "silver",
    "coin_ratio": 10,
    "kill_xp": "split",
    "avoided_xp": False,
    "level_zero": False,
    "levels_per_week": "1",
    "ws_after_10": "even",
    "min_hp_gain": 1,
    "attr_gen": "3d6_in_order",
    "monster_hp": "roll",
    "npc_wounds": "none",
    "skill_marks_needed": 3,
    "bands": "engaged,close,medium,far",
    "stunt_target": 20,
    "surprise": "by_light",
    "cha_morale": "rating",
    "dark_listen": "advantage",
    "dark_hinders": "party",
    "exploration_roll_after_combat": True,
}


@rule("QG.10")
def test_every_ruling_is_a_setting_with_the_default_that_was_ruled(nobody) -> None:
    assert attrs.asdict(Settings()) == RULED
    assert {name: nobody().before.settings[name] for name in RULED} == RULED


@rule("QG.1")
def test_halves_are_rounded_down_unless_the_table_rounds_up() -> None:
    assert [Settings().half(number) for number in (9, 12, 13)] == [4, 6, 6]
    assert [Settings(rounding="ceil").half(number) for number in (9, 12, 13)] == [5, 6, 7]
