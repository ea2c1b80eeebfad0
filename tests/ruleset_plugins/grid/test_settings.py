"""House rules are written into the campaign's first entry, each with the ruling that it settles; sides are the GM's."""

from __future__ import annotations

import attrs

from rollbook.domain.rules.ruleset import settings_fields
from rollbook.kit.sides import Side
from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.settings import Settings
from rollbook.testing.scenarios import rule

RULED = {
    "class_table": "level-5",
    "twf": "skilled",
    "sneak_dice": 3,
    "crit_multiplies_sneak": False,
    "thrown_bonus": 2,
    "enforce_class_gear": "warn",
    "diagonal": "1",
    "mover_engages": False,
    "aoo_effect": "by-action",
    "flank_geometry": "center",
    "cast_refresh": "day",
    "buff_duration": "encounter",
    "spell_crit": True,
    "min_damage_on_hit": 1,
    "rounding": "floor",
    "round_seconds": 6,
}


@rule("QG.10", "Q4.1", "Q4.6", "Q4.8", "Q4.10", "Q4.13", "Q4.14", "Q4.16", "Q4.17", "Q4.20", "Q4.21", "Q4.30", "Q4.35")
def test_every_ruling_is_a_setting_with_the_default_that_was_ruled(table) -> None:
    assert attrs.asdict(Settings()) == RULED
    assert dict(table().before.settings) == RULED
    assert all("(Q" in field.help for field in settings_fields(RULESET))


@rule("R4.30")
def test_everybody_has_a_side_and_the_gm_changes_it(table) -> None:
    scene = table({"steve": (0, 0), "wolf": (5, 5), "page": (9, 9)})
    sides = {who: dict(scene.sheet(who).words)["Side"] for who in ("steve", "wolf", "page")}
    assert sides == {"steve": "party", "wolf": "foes", "page": "neither"}
    tamed = scene.when(Side(who="wolf", side="party"))
    tamed.then(events.TraitGained(character="wolf", trait="party", kind="side"), only=True)
    back = tamed.go_on().when(Side(who="wolf", side="foes"))
    back.then(events.TraitLost(character="wolf", trait="party", kind="side"), events.TraitGained)
    back.go_on().when(Side(who="wolf", side="foes")).refused("already sides with the foes")
    assert dict(back.sheet("wolf").words)["Side"] == "foes"
