"""What a card opens in a real browser: all that can be corrected, its correction undone, the replay from there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.pages import DESK, PHONE, HeldRequests, Visitor, axe, expect, needs_chromium, wait_until
from tests.support.web import GM, MIRA, SPECTATOR, StoreFiles
from tests.support.web_corrections import counts

pytestmark = needs_chromium

TABLE = "/c/sherwood"
ENDS_HER_TURN, DRACULAS_BLOW, A_NEW_ROUND, HOLMES_HIT = 21, 24, 29, 31
Sit = Callable[..., Visitor]


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_card_opens_with_all_its_tools_and_nothing_hinders_anybody(sit: Sit, size: tuple[int, int]) -> None:
    page = sit(GM, size=size).open(f"{TABLE}#log")
    page.locator(f"#a{HOLMES_HIT}").get_by_role("link", name="More").click()
    dialog = page.locator("#dialog")
    for tool in ("Undo", "Amend", "Adjust", "Insert before", "Watch from here"):
        expect(dialog.get_by_role("link", name=tool).first).to_be_visible()
    assert axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(f"#a{HOLMES_HIT}")).to_be_visible()


def test_a_short_card_and_a_heading_have_their_tools_where_they_stand_alone(sit: Sit) -> None:
    guest = sit(GM, size=PHONE)
    for number in (A_NEW_ROUND, ENDS_HER_TURN):
        page = guest.open(f"{TABLE}/card/{number}")
        for tool in ("Undo", "Amend", "Insert before"):
            expect(page.get_by_role("link", name=tool).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        page.close()


def test_a_correction_is_undone_on_its_own_card(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    page.locator(f"#a{DRACULAS_BLOW}").get_by_role("link", name="Undo").click()
    dialog = page.locator("#dialog")
    dialog.get_by_label("Why?").fill("too far away")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    card = page.locator(".card-correction", has_text="too far away")
    card.get_by_role("link", name="Undo").click()
    expect(dialog).to_contain_text("1 redone")
    dialog.get_by_text("How far it goes").click()
    dialog.get_by_label("all stays as it is recorded").check()
    dialog.get_by_label("Why?").fill("near enough")
    dialog.get_by_role("button", name="Look again").first.click()
    expect(dialog.get_by_label("Why?")).to_have_value("near enough")
    expect(dialog.get_by_label("all stays as it is recorded")).to_be_checked()
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    assert counts(fight, DRACULAS_BLOW)


def test_what_is_being_looked_at_again_cannot_be_applied_meanwhile(sit: Sit) -> None:
    page = sit(GM).open(TABLE)
    page.locator(f"#a{DRACULAS_BLOW}").get_by_role("link", name="Undo").click()
    dialog = page.locator("#dialog")
    dialog.get_by_text("How far it goes").click()
    preview = HeldRequests(page, f"**/undo/{DRACULAS_BLOW}")
    dialog.get_by_role("button", name="Look again").first.click()
    expect(dialog.get_by_role("button", name="Apply")).to_be_disabled()
    expect(dialog.get_by_role("button", name="X-card")).to_be_enabled()
    preview.wait().release()
    expect(dialog.get_by_role("button", name="Apply")).to_be_enabled()


def test_everybody_watches_on_from_any_card_and_hears_of_what_is_new(sit: Sit) -> None:
    gm = sit(GM).open(TABLE)
    for asker in (SPECTATOR, MIRA):
        page = sit(asker).open(TABLE)
        page.locator("#a20").get_by_role("link", name="Watch from here").click()
        wait_until(page, "document.documentElement.dataset.drawn === 'yes'")
        wait_until(page, "document.getElementById('where').innerText.includes('strikes')")
        gm.locator("#line-input").fill("note somebody knocks")
        gm.keyboard.press("Enter")
        expect(page.locator("#more-moments")).to_contain_text("1 new moment at the table")
        page.get_by_role("link", name="To the newest").click()
