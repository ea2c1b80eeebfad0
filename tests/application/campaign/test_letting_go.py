"""A campaign that has let go of its past plays on, looks back and corrects as one that has not."""

from __future__ import annotations

from pathlib import Path

from rollbook.adapters.wiring import open_book
from tests.support.example_sessions import played_example


def test_what_is_let_go_is_read_again_when_it_is_asked_for(tmp_path: Path) -> None:
    played = played_example("sherwood", tmp_path)
    with open_book(tmp_path / "sherwood.db", tmp_path / "seeds") as book:
        campaign, other = book.campaign("sherwood"), played
        campaign.session.history.load()
        campaign.session.let_go()
        assert campaign.state == other.state
        assert [entry.hash for entry in campaign.session.history.look_back().entries] == [
            entry.hash for entry in other.history.entries
        ]
        campaign.session.let_go()
        campaign.say("note The river rises")
        last = campaign.head.actions
        campaign.session.let_go()
        undone = campaign.say(f"undo {last} --why 'it does not'")
        assert undone.entries[0].action == last
        campaign.session.let_go()
        other.refresh()
        assert other.head.hash == campaign.head.hash
        assert other.state == campaign.state
        assert {answer.verdict for answer in campaign.audit()} == {answer.verdict for answer in other.audit()}
