"""A campaign with everything that an audit looks at."""

from __future__ import annotations

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.corrections.changes import CorrectionOptions
from tests.support.campaigns import begin_campaign, memory_book


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A closed session in which dice fell, for the table and behind the screen, and things were corrected."""
    campaign = begin_campaign(memory_book(tmp_path_factory.mktemp("audit")))
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    campaign.do("adjust", {"who": "robin", "what": "skill", "by": 20, "reason": "a good day"})
    campaign.do("roll", {"expression": "9d20"})
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    attack = campaign.head.actions
    campaign.do("hide", {"who": "robin"})
    campaign.do("bet", {"who": "marian", "dice": 2}, dice=(3, 5))
    campaign.corrections.undo(attack, reason="oops", options=CorrectionOptions(orphans="undo")).apply()
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    campaign.corrections.amend(
        attack + 1, {"who": "marian"}, reason="she hid", options=CorrectionOptions(draw=True)
    ).apply()
    campaign.do("close-session")
    return campaign
