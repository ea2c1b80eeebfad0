"""House rules are written into the campaign's first entry, each with the ruling that it settles."""

from __future__ import annotations

import attrs

from rollbook.rulesets.powers.settings import Settings
from rollbook.testing.scenarios import rule

RULED = {
    "crit_fail_margin": 11,
    "power_cost": "main_and_free",
    "strike_damage": "1d6",
    "attr_dc_base": 10,
    "min_damage_on_hit": 1,
    "interrupt_across_rounds": True,
    "late_joiner": "this_round",
    "round_seconds": 0,
}


@rule("QG.10", "Q2.1", "Q2.5", "Q2.8", "Q2.10", "Q2.15", "QG.2", "QG.13")
def test_every_ruling_is_a_setting_with_the_default_that_was_ruled(table) -> None:
    assert attrs.asdict(Settings()) == RULED
    assert dict(table().before.settings) == RULED
