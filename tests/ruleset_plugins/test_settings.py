"""The house rules of every game: each names the ruling that it settles, none is unknown, and what was recorded counts."""

from __future__ import annotations

import importlib

import attrs
import pytest

from rollbook.domain.events import RulesetAdopted
from rollbook.domain.rules.ruleset import Ruleset, chosen_settings, settings_fields
from rollbook.domain.rules.settings import settings_of
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.fold import fold
from rollbook.plugin import Refused
from rollbook.testing.scenarios import rule, scenario
from tests.support.games import INSTALLED_RULESETS

BEFORE = {"russell": {"dark_hinders": "everybody"}}
"""What campaigns play by that are older than a setting, where that is not its default."""

each_ruleset = pytest.mark.parametrize("key", INSTALLED_RULESETS)
OTHER_THAN_USUAL = {
    "storytoken": {"base_speed_ft": 30},
    "luckpoint": {"light_penalty": 0},
    "powers": {"attr_dc_base": 8},
    "russell": {"coin_ratio": 20},
    "grid": {"sneak_dice": 5},
    "srd5": {"edition": "2014"},
}


def ruleset_of(key: str) -> Ruleset:
    found = importlib.import_module(f"rollbook.rulesets.{key}").RULESET
    assert isinstance(found, Ruleset)
    return found


@each_ruleset
def test_every_setting_names_the_ruling_that_it_settles(key: str) -> None:
    for field in settings_fields(ruleset_of(key)):
        assert "(Q" in field.help or "(R3.97)" in field.help, field.name


@rule("QG.10")
@each_ruleset
def test_what_a_campaign_recorded_counts_whatever_the_defaults_become(key: str) -> None:
    ruleset, chosen = ruleset_of(key), OTHER_THAN_USUAL[key]
    usual, campaign = ruleset.settings(), scenario(ruleset, **chosen).before
    assert dict(campaign.settings) == attrs.asdict(usual) | chosen
    assert settings_of(ruleset.settings, campaign.settings) == attrs.evolve(usual, **chosen)
    from_another_version = RulesetAdopted(ruleset=key, version="9", settings={"unheard_of": 1})
    older = attrs.evolve(usual, **BEFORE.get(key, {}))
    assert settings_of(ruleset.settings, fold(campaign, (from_another_version,)).settings) == older
    assert settings_of(ruleset.settings, CampaignState().settings) == older


@pytest.mark.parametrize(
    ("key", "chosen", "said"),
    [
        ("storytoken", {"light_halve": "ceil"}, "Did you mean light_half"),
        ("storytoken", {"light_half": "up"}, "ceil"),
        ("storytoken", {"round_seconds": "0"}, "at least 1"),
        ("luckpoint", {"initiative_mode": "nobody"}, "side"),
        ("luckpoint", {"round_seconds": 0}, "at least 1"),
        ("luckpoint", {"luck_start": "7"}, "cap"),
        ("luckpoint", {"dice": 3}, "dice"),
        ("luckpoint", {"bleed_at": "dawn"}, "round_end"),
        ("russell", {"kill_ex": "split"}, "Did you mean kill_xp"),
        ("russell", {"xp_per_coin": "gold"}, "silver"),
        ("russell", {"coin_ratio": "0"}, "at least 1"),
        ("srd5", {"editon": "2014"}, "Did you mean edition"),
        ("srd5", {"edition": "2015"}, "2014"),
        ("srd5", {"monsters_die": "perhaps"}, "yes"),
    ],
)
def test_a_setting_that_does_not_exist_or_cannot_be_so_is_refused(
    key: str, chosen: dict[str, int | str], said: str
) -> None:
    with pytest.raises(Refused, match=said):
        chosen_settings(ruleset_of(key), chosen)
