"""A page calls people by name where their seats are stored under words of chance, and its own check agrees."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.exports import find_exporter
from rollbook.adapters.exports.exporter import request_for, seen_by
from rollbook.adapters.wiring import open_book
from rollbook.domain.base.seat_words import OF_CHANCE
from tests.support.pages import Opened, needs_chromium
from tests.support.replay_answers import answer_to
from tests.support.replay_pages import frames_of

pytestmark = needs_chromium
LINES = (
    *("take-seat Ana --role gm", "take-seat Zenobia", "open-session First", "join Robin --kind npc --hp 9 --ac 12"),
    *("lend robin --to Zenobia", "whisper Zenobia psst", "take-seat Yorick", "whisper Yorick psst"),
)


@pytest.mark.parametrize("reader", ["gm", "table", "Zenobia"])
def test_the_check_of_a_page_agrees_with_the_names_that_it_says(opened: Opened, tmp_path: Path, reader: str) -> None:
    with closing(open_book(tmp_path / "rollbook.db", tmp_path / "seeds")) as book:
        campaign = book.new("Sherwood", "storytoken", removable_names=True)
        for line in LINES:
            campaign.say(line)
        rolled = campaign.do("roll", {"expression": "1d20"}, seat="Zenobia").action
        campaign.corrections.undo(rolled, reason="a slip").apply()
        campaign.corrections.undo(rolled - 2, reason="he never came").apply()
        campaign.session.project()
        seats = {seat.shown: key for key, seat in campaign.state.seats.items()}
        seat, path = {"gm": None, "table": ""}.get(reader, seats.get(reader)), tmp_path / "page.html"
        find_exporter("replay", besides=())(request_for(seen_by(campaign, seat), campaign, seat, path))
    assert not OF_CHANCE.search(str(frames_of(path)))
    verdict, line = answer_to(opened, path)
    assert (verdict != "FAILED", "contradicted" in line) == (True, True), line
