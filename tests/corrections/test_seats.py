"""Who takes which seat can be corrected like anything else, and the history stays whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.corrections.changes import CorrectionOptions, Orphans
from tests.support.campaigns import begin_campaign, file_book
from tests.support.exports import full_export, verdicts
from tests.support.javascript import JavaScriptVerifier, needs_node


@pytest.fixture(params=Orphans)
def corrected(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Campaign]:
    """A campaign whose GM was meant to be a player, opened from its file after that was corrected."""
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book, session=False)
        options = CorrectionOptions(orphans=request.param)
        campaign.corrections.amend(2, {"role": "player"}, reason="so", options=options).apply()
    with file_book(tmp_path) as again:
        yield again.campaign("sherwood")


def test_a_gm_who_was_meant_to_be_a_player_gets_a_number_that_another_seat_has_until_it_is_corrected_too(
    corrected: Campaign, tmp_path: Path
) -> None:
    assert next(iter(corrected.state.seats.values())).number == 1
    full_export(corrected, tmp_path / "seats.jsonl")
    assert (corrected.session.damage, str(corrected.audit()[0].verdict)) == ("", "VERIFIED")
    assert verdicts(tmp_path / "seats.jsonl")[0] == "VERIFIED"


@needs_node
def test_the_verifier_in_javascript_finds_the_seats_whole_too(corrected: Campaign, tmp_path: Path) -> None:
    full_export(corrected, tmp_path / "seats.jsonl")
    with closing(JavaScriptVerifier()) as javascript:
        assert javascript.verify(tmp_path / "seats.jsonl")[1].split()[1] == "VERIFIED"
