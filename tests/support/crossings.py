"""The campaigns that go over from one game to another, and what their people take along."""

from __future__ import annotations

from pathlib import Path

from rollbook.application.campaign import Campaign
from rollbook.domain.rules.crossing import Passport
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState
from tests.support.games import INSTALLED_RULESETS
from tests.support.golden_campaigns import FOLDER


def _goldens() -> dict[str, Path]:
    """A golden campaign of each game, the oldest."""
    found: dict[str, Path] = {}
    for path in sorted(FOLDER.glob("*.jsonl"), key=lambda each: (each.suffixes, each.name)):
        with path.open(encoding="utf-8") as lines:
            played = "".join(next(lines, "") for _ in range(4))
        for key in INSTALLED_RULESETS:
            if f'"ruleset":"{key}"' in played:
                found.setdefault(key, path)
    return found


GOLDEN = _goldens()


def sheets(campaign: Campaign) -> dict[str, Sheet]:
    """The sheets of all."""
    return {name: campaign.sheet(name) for name in campaign.state.characters}


def passport(campaign: Campaign, state: CampaignState, name: str) -> Passport:
    """The passport of somebody, out of the game of a state."""
    game = campaign.session.rulebook.ruleset_of(state)
    assert game is not None
    assert game.crossing is not None
    return game.crossing.describe(state.characters[name], state)
