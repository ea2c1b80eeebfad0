"""Who takes which seat can be corrected like anything else, and the history stays whole."""

from __future__ import annotations

from pathlib import Path

from adapters.campaign import Campaign
from domain.corrections.changes import CorrectionOptions, Orphans
from tests.support.campaigns import begin_campaign, file_book
from tests.support.exports import full_export, verdicts
from tests.support.javascript import NODE, JavaScriptVerifier


def is_whole(folder: Path, stream: str) -> bool:
    """Whether a program that opens the store finds nothing wrong, and the verifier neither."""
    with file_book(folder) as again:
        campaign: Campaign = again.campaign(stream)
        full_export(campaign, folder / "seats.jsonl")
        verdict = {str(campaign.audit()[0].verdict), verdicts(folder / "seats.jsonl")[0]}
        if NODE:
            node = JavaScriptVerifier(NODE)
            verdict.add(node.verify(folder / "seats.jsonl")[1].split()[1])
            node.close()
        return campaign.damage == "" and verdict == {"VERIFIED"}


def test_a_gm_who_was_meant_to_be_a_player_gets_a_number_that_another_seat_has_until_it_is_corrected_too(
    tmp_path: Path,
) -> None:
    for orphans in Orphans:
        folder = tmp_path / orphans
        folder.mkdir()
        with file_book(folder) as book:
            campaign = begin_campaign(book, session=False)
            made = campaign.corrections.amend(
                2, {"role": "player"}, reason="so", options=CorrectionOptions(orphans=orphans)
            )
            made.apply()
            numbers = [seat.number for seat in campaign.state.seats.values()]
        assert numbers[0] == 1
        assert is_whole(folder, "sherwood")
