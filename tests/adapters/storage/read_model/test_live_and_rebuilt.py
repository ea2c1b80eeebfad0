"""Live equals rebuilt, row for row, however the events came in.

What the rows must say comes from an independent reading of the history, entry by entry, in plain Python.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.storage.read_model import projector
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.random_steps import RandomSteps
from tests.support.read_models import rebuilt, rows, says_what_happened


@pytest.mark.parametrize("seed", range(24))
def test_live_equals_rebuilt_whatever_was_played_and_corrected(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = RandomSteps(seed)
    book = memory_book(tmp_path)
    campaigns = [begin_campaign(book, name) for name in ("Sherwood", "Nottingham")]
    for _ in range(6):
        monkeypatch.setattr(projector, "PAGE", chance.random.choice((1, 2, 3, 5, 17, 5000)))
        for campaign in campaigns:
            play_campaign_steps(campaign, chance, chance.random.randint(0, 8), corrections=0.35)
        if chance.random.random() < 0.7:
            chance.random.choice(campaigns).session.project()
    for campaign in campaigns:
        campaign.session.project()
    live = rows(book.read_model)
    monkeypatch.setattr(projector, "PAGE", 5000)
    assert live == rows(rebuilt(book))
    for campaign in campaigns:
        says_what_happened(book.read_model, campaign)


@pytest.mark.parametrize("page", [1, 2, 3, 4, 7, 10, 5000])
def test_the_size_of_a_page_never_shows(page: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(8), 40, corrections=0.4)
    whole = rows(rebuilt(book))
    monkeypatch.setattr(projector, "PAGE", page)
    assert rows(rebuilt(book)) == whole
