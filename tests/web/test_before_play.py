"""Before play, in a browser: a GM for whom anybody can act has the panel too, and the dice lie in two rows at most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.wiring import open_book
from tests.support.pages import DESK, PHONE, expect, needs_chromium, visitor
from tests.support.web import GM, StoreFiles, running

pytestmark = needs_chromium

TABLE = "/c/the-mill"
ROWS = "row => new Set([...row.children].filter((each) => each.offsetHeight).map((each) => each.offsetTop)).size"


@pytest.fixture
def mill(tmp_path: Path) -> StoreFiles:
    with open_book(tmp_path / "mill.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Mill", "grid")
        for line in ("take-seat Ana --role gm", "take-seat Mira", "open-session"):
            campaign.say(line)
    return StoreFiles(tmp_path / "mill.db", tmp_path / "seeds")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_gm_with_anybody_who_can_act_has_the_panel(a_browser: Any, mill: StoreFiles, size: tuple[int, int]) -> None:
    with running(mill) as server, visitor(a_browser, server.address, server.cookies(GM), size=size) as gm:
        page = gm.open(f"{TABLE}#act" if size == PHONE else TABLE)
        steps = page.get_by_role("heading", name="Before you play")
        expect(steps).to_be_visible()
        expect(page.locator("#act")).to_be_hidden()
        with mill.book() as book:
            book.campaign("the-mill").say("bring-in steve --kind npc")
        expect(page.locator("#act")).to_be_visible()
        expect(steps).to_be_visible()
        boxes = [page.locator(each).bounding_box() for each in ("#welcome", "#act")]
        assert boxes[0] and boxes[1]
        assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
        assert boxes[0]["height"] > 200 and boxes[1]["height"] > 200


def test_the_dice_lie_in_two_rows_on_a_telephone_and_in_one_on_a_desk(a_browser: Any, mill: StoreFiles) -> None:
    with running(mill) as server:
        for size, rows in ((PHONE, 2), (DESK, 1)):
            with visitor(a_browser, server.address, server.cookies(GM), size=size) as gm:
                page = gm.open(f"{TABLE}#log")
                expect(page.locator(".tray-row")).to_be_visible()
                assert page.locator(".tray-row").evaluate(ROWS) == rows
                assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
