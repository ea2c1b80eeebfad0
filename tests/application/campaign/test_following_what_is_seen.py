"""Who follows a campaign for a seat takes in what was stored since, and sees what somebody sees who begins to look now."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.application.campaign import Campaign
from rollbook.application.visibility.seat_campaign import SeenCampaign, as_seen
from rollbook.domain.base.errors import RollbookError
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.secret_tables import ARRIVALS, HIDDEN, PUBLIC, REVEALING, Step, table


def look(campaign: Campaign, seat: str) -> tuple[object, ...]:
    """All that a seat may see."""
    return of(as_seen(campaign, seat))


def of(seen: SeenCampaign) -> tuple[object, ...]:
    history = seen.history
    return list(history.entries), seen.state, history.state, sorted(seen.ask("log --all --json").text.splitlines())


@pytest.mark.slow
@given(st.lists(st.sampled_from((*PUBLIC, *HIDDEN, *REVEALING, *ARRIVALS)), min_size=4, max_size=14))
@settings(max_examples=20)
def test_following_shows_what_looking_afresh_shows(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        campaign = table(Path(folder))
        seats = ("mira", "tom", "")
        followed = {seat: as_seen(campaign, seat) for seat in seats}
        for step in steps:
            try:
                step.take(campaign)
            except RollbookError:
                continue
            for seat in seats:
                if not followed[seat].follow():
                    followed[seat] = as_seen(campaign, seat)
                assert of(followed[seat]) == look(campaign, seat), (step, seat)


def test_what_is_revealed_and_words_that_are_removed_cannot_be_followed(tmp_path: Path) -> None:
    campaign = table(tmp_path)
    note = campaign.do("note", {"text": "the duke did it", "to": "gm"})
    seen = as_seen(campaign, "mira")
    campaign.do("roll", {"expression": "1d20"})
    assert seen.follow() and seen.history.head == campaign.head.entry
    campaign.do("reveal", {"entries": (note.number,)})
    assert not seen.follow()
    seen = as_seen(campaign, "mira")
    campaign.redact(note.action, why="a slip")
    assert not seen.follow()


def test_following_costs_what_was_stored_since_and_not_the_whole(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("note", {"text": "a secret", "to": "gm"})
    for at in range(800):
        campaign.do("note", {"text": f"they walk on, hour {at}"})
    began = time.perf_counter()
    seen = as_seen(campaign, "mira")
    whole = time.perf_counter() - began
    spent = []
    for at in range(5):
        campaign.do("note", {"text": f"they rest, hour {at}"})
        began = time.perf_counter()
        assert seen.follow()
        spent.append(time.perf_counter() - began)
    assert min(spent) < whole / 5
