"""The GM of a group that is split cuts from one fight to the other with a tap, and every page follows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.pages import DESK, PHONE, axe, needs_chromium, wait_until
from tests.support.web import GM, MIRA, StoreFiles, copied

pytestmark = needs_chromium


@pytest.fixture
def fight(clearing_played: StoreFiles, tmp_path: Path) -> StoreFiles:
    """The fight in the clearing waits while the Sheriff and the guard fight in the castle."""
    files = copied(clearing_played, tmp_path)
    with files.book() as book:
        campaign = book.campaign("sherwood")
        campaign.say("meanwhile The castle of Nottingham, in the great hall below the eastern tower")
        campaign.say("begin-encounter sheriff,guard ! 12 5")
    return files


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_one_tap_cuts_to_the_other_fight_at_which_a_player_looks_too(sit: Callable, fight: StoreFiles, size) -> None:
    mira = sit(MIRA, size=size).open("/c/sherwood#fight")
    gm = sit(GM, size=size).open("/c/sherwood#fight")
    assert "The Sheriff" in gm.locator("#turn").inner_text()
    for page in (gm, mira) if size == DESK else ():  # the part of a telephone's page that is in sight has no main
        assert not axe().run(page).response["violations"]
    assert gm.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert mira.locator("#fight .meanwhile").inner_text().startswith("Meanwhile:")
    assert mira.locator("#fight .meanwhile button").count() == 0
    gm.locator("#fight .meanwhile button").click()
    for page in (gm, mira):
        wait_until(page, "document.querySelector('#fight-h').textContent.includes('The clearing')")
        wait_until(page, "document.querySelector('.meanwhile').textContent.includes('The castle')")
    with fight.book() as book:
        assert book.campaign("sherwood").state.scene == "The road through Sherwood"
    gm.locator("#fight .meanwhile button").focus()
    gm.keyboard.press("Enter")
    wait_until(mira, "document.querySelector('.meanwhile').textContent.includes('The road')")
