"""Who acts, who may see it and who corrects it follow from what was asked; honest play is never accused of anything else.

The forgeries are in ``tests/attacks/live_envelopes.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.audit.answers import Verdict
from rollbook.domain.corrections.changes import CorrectionOptions
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.random_steps import RandomSteps

MIRAS = CorrectionOptions(seat="mira")


def test_secrets_whispers_and_the_corrections_of_both_are_as_they_should_be(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("hide", {"who": "robin"}, seat="mira")
    whispered = campaign.do("note", {"text": "psst", "to": "mira"}).action
    said = campaign.do("note", {"text": "a word"}, seat="mira").action
    campaign.do("join", {"name": "Zorg", "kind": "npc", "stats": {"max_hp": 5}}, secret=True)
    campaign.do("adjust", {"who": "hidden-zorg", "what": "hp", "by": -1, "reason": "Zorg fell"})
    campaign.corrections.amend(whispered, {"to": "gm"}, reason="for later").apply()
    campaign.corrections.amend(said, {"to": "gm"}, reason="to the GM").apply()
    campaign.corrections.amend(said, {"to": "table"}, reason="to all", options=MIRAS).apply()
    campaign.corrections.undo(said, reason="it names Zorg", options=MIRAS).apply()
    campaign.corrections.redo(said, reason="after all").apply()
    campaign.do("close-session")
    campaign.do("reveal-screen", {"session": 1})
    rules = campaign.audit()[2]
    assert rules.verdict is Verdict.VERIFIED, rules.findings


@pytest.mark.parametrize("seed", range(6))
def test_a_random_campaign_is_accused_of_nothing(seed: int, tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    play_campaign_steps(campaign, RandomSteps(seed), 50)
    rules = campaign.audit()[2]
    assert rules.verdict is Verdict.VERIFIED, rules.findings
