"""Two fights at once on pages: the strip, the board and the room's screen say what waits, and a tap cuts to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.support.web import StoreFiles
from tests.support.web_tables import in_the_clearing


@pytest.fixture
def sherwood(tmp_path: Path) -> StoreFiles:
    """The fight in the clearing waits, and the Sheriff and a guard are about to fight in the castle."""
    files = in_the_clearing(tmp_path)
    with files.book() as book:
        campaign = book.campaign("sherwood")
        for line in ("meanwhile The castle", "begin-encounter sheriff,guard ! 12 5"):
            campaign.say(line)
    return files


def text_of(page: str) -> str:
    """The words of a page, without tags and marks of direction."""
    return re.sub(r"<[^>]+>|[\u2066-\u2069]", "", page)


def test_the_gm_cuts_to_the_other_fight_with_a_tap(gm: TestClient, sherwood: StoreFiles) -> None:
    page = text_of(gm.get("/c/sherwood").text)
    assert "The Sheriff’s turn" in page
    assert "Cut to" in page
    assert "round 1, Robin Hood’s turn" in page
    with sherwood.book() as book:
        (waiting,) = book.campaign("sherwood").state.elsewhere
    answer = gm.post("/c/sherwood/do/cut-to", data={"scene": str(waiting.number)})
    assert answer.status_code < 400
    page = text_of(gm.get("/c/sherwood").text)
    assert "Robin Hood’s turn" in page
    assert "Cut to The castle, round 1, The Sheriff’s turn" in page


def test_a_player_and_the_room_are_told_what_waits_and_have_no_button(
    mira: TestClient, gm: TestClient, sherwood: StoreFiles
) -> None:
    page = mira.get("/c/sherwood").text
    assert "Meanwhile: " in text_of(page)
    assert "do/cut-to" not in page
    assert "Meanwhile: " in text_of(gm.get("/c/sherwood/screen").text)
