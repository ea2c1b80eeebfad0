"""An open die that would name somebody hidden comes from behind the screen, so that the open dice of a file have no gap."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.events import DiceRolled
from tests.support.campaigns import begin_campaign, file_book
from tests.support.exports import export_for, verdicts


@pytest.mark.parametrize("name", ["Hit", "Nobody here"])
def test_no_open_die_is_hidden_from_the_table(tmp_path: Path, name: str) -> None:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    campaign.do("join", {"name": name, "kind": "monster", "id": name[:3].lower()}, secret=True)
    first = campaign.do("attack", {"attacker": "robin", "target": "guard"})
    rolls = [event for event in first.events if isinstance(event, DiceRolled)]
    assert rolls
    assert all(roll.secret for roll in rolls) == (name == "Hit")
    assert first.visibility == ("gm" if name == "Hit" else "")
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    export_for(campaign, tmp_path / "table.jsonl", "")
    assert verdicts(tmp_path / "table.jsonl") == ("VERIFIED", "VERIFIED")
    assert [answer.verdict for answer in campaign.audit()][::2] == ["VERIFIED", "VERIFIED"]
    book.close()
