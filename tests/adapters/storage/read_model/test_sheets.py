"""What moves at any moment, the clock and the fight, writes only the sheets that were made from it."""

from __future__ import annotations

from pathlib import Path

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from tests.support.read_models import rebuilt, rows


def written(campaign: Campaign) -> dict[str, int]:
    """When the row of each sheet was written: each time it gets a higher number."""
    campaign.session.project()
    found = campaign.read_model.db.execute("SELECT character, rowid FROM sheets WHERE campaign = ?", [campaign.id])
    return dict(found.fetchall())


def test_time_writes_only_the_sheets_that_say_until_when_something_lasts(tmp_path: Path) -> None:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        campaign = book.new("Sherwood", "storytoken")
        campaign.say("bring-in robin-hood --id robin")
        campaign.say("bring-in sherlock-holmes --id holmes")
        campaign.say("afflict holmes blinded --lasts 10 --unit minutes")
        before = written(campaign)
        campaign.say("pass-time 1 --unit minutes")
        after = written(campaign)
        assert after["robin"] == before["robin"]
        assert rows(book.read_model) == rows(rebuilt(book))
        campaign.say("pass-time 1 --unit hours")
        assert written(campaign)["robin"] == before["robin"]
        assert rows(book.read_model) == rows(rebuilt(book))


def test_a_fight_writes_the_sheets_that_look_at_it(tmp_path: Path) -> None:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        campaign = book.new("Caverns", "grid")
        for line in ("bring-in steve --at 0,0", "bring-in jeff --at 1,0", "open-session", "begin-encounter steve,jeff"):
            campaign.say(line)
            campaign.session.project()
            assert rows(book.read_model) == rows(rebuilt(book))
