"""Corrections on their cards in a real browser: by the GM and players, without a script, on a telephone, by keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.support.pages import PHONE, Visitor, expect, needs_chromium
from tests.support.web import GM, MIRA, StoreFiles
from tests.support.web_corrections import counts

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = needs_chromium

TABLE = "/c/sherwood"
ROBINS_SHOT, ENDS_HER_TURN, DRACULAS_BLOW, HOLMES_HIT = 20, 21, 24, 31
"""Numbers of what was done in the fight: the first two are Mira's."""
Sit = Callable[..., Visitor]


def card(page: Page, action: int) -> Locator:
    return page.locator(f"#a{action}")


def press(page: Page, action: int, tool: str) -> Locator:
    """Press a button on a card. Returns the dialog."""
    card(page, action).locator("a.tool", has_text=tool).click()
    dialog = page.locator("#dialog")
    expect(dialog.locator("#dialog-h")).to_contain_text(f"#{action}")
    return dialog


def test_the_gm_corrects_a_mistake_on_its_card_and_everybody_sees_it(sit: Sit, fight: StoreFiles) -> None:
    page, mira = sit(GM).open(TABLE), sit(MIRA).open(TABLE)
    dialog = press(page, DRACULAS_BLOW, "Undo")
    expect(dialog).to_contain_text("1 undone")
    expect(dialog).to_contain_text("24 of 40")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("alert")).to_contain_text("a correction keeps its reason")
    expect(dialog.get_by_label("Why?")).to_be_focused()
    dialog.get_by_label("Why?").fill("he was too far away")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    for each in (page, mira):
        expect(card(each, DRACULAS_BLOW)).to_have_class(re.compile("card-undone"))
        expect(card(each, DRACULAS_BLOW)).to_contain_text("he was too far away")
    assert not counts(fight, DRACULAS_BLOW)


def test_a_player_corrects_what_is_theirs(sit: Sit, fight: StoreFiles) -> None:
    page = sit(MIRA).open(TABLE)
    expect(card(page, DRACULAS_BLOW).locator("a.tool", has_text="Undo")).to_have_count(0)
    dialog = press(page, ROBINS_SHOT, "Undo")
    dialog.get_by_label("Why?").fill("the bowstring snapped")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    expect(card(page, ROBINS_SHOT)).to_have_class(re.compile("card-undone"))
    assert not counts(fight, ROBINS_SHOT)


def test_what_a_player_asks_for_rings_at_the_gms_and_is_gone_when_it_is_handled(sit: Sit, fight: StoreFiles) -> None:
    page, mira = sit(GM).open(TABLE), sit(MIRA).open(TABLE)
    dialog = press(mira, ENDS_HER_TURN, "Undo")
    dialog.get_by_label("Why?").fill("I had not finished")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    expect(mira.locator("#requests")).to_contain_text("The GM is asked: Undo #21")
    expect(page.locator("#requests")).to_contain_text("Mira asks: Undo #21")
    page.locator("#requests").get_by_role("link", name="Look at it").click()
    asked = page.locator("#dialog")
    expect(asked.get_by_label("Why?")).to_have_value("I had not finished")
    asked.get_by_role("button", name="Apply").click()
    expect(asked).to_be_hidden()
    for each in (page, mira):
        expect(each.locator("#requests .request")).to_have_count(0)
    expect(card(mira, ENDS_HER_TURN)).to_have_class(re.compile("card-undone"))
    assert not counts(fight, ENDS_HER_TURN)


def test_an_amendment_shows_what_follows_and_an_orphan_is_kept_as_a_ruling(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    dialog = press(page, ENDS_HER_TURN, "Undo")
    orphan = dialog.locator(".proof.lost", has_text=f"#{HOLMES_HIT}")
    orphan.locator(".pick", has_text="Keep it, as a ruling").click()
    dialog.get_by_role("button", name="Look again").click()
    expect(orphan).to_contain_text("stays")
    expect(orphan.get_by_label("Keep it")).to_be_checked()
    dialog.get_by_label("Why?").fill("it was the guard's turn")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    expect(card(page, ENDS_HER_TURN)).to_have_class(re.compile("card-undone"))
    with fight.book() as book:
        kept = book.campaign("sherwood").history.effective(HOLMES_HIT)
    assert kept is not None
    assert kept.provenance == "ruling"


def test_an_amendment_is_the_verbs_form_and_its_consequence_is_on_the_sheet(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    dialog = press(page, ROBINS_SHOT, "Amend")
    expect(dialog.get_by_label("Distance", exact=True)).to_have_value("120")
    dialog.get_by_label("Real dice").fill("17,12,4")
    dialog.get_by_role("button", name="Look at the preview").click()
    expect(dialog).to_contain_text("23 against 17: hit")
    expect(dialog.locator(".shifts", has_text="The Sheriff")).to_contain_text("25 of 40")
    dialog.get_by_label("Why?").fill("a 12, not a 5")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    expect(card(page, ROBINS_SHOT)).to_contain_text("The Sheriff −15 HP")
    expect(card(page, ROBINS_SHOT)).to_contain_text("a 12, not a 5")


def test_a_preview_that_somebody_overtook_is_made_again_with_its_reason_kept(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    dialog = press(page, DRACULAS_BLOW, "Undo")
    with fight.book() as book:
        book.campaign("sherwood").do("note", {"text": "somebody was faster"})
    dialog.get_by_label("Why?").fill("he was too far away")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("status")).to_contain_text("Somebody was faster")
    expect(dialog.get_by_label("Why?")).to_have_value("he was too far away")
    assert counts(fight, DRACULAS_BLOW)
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    expect(card(page, DRACULAS_BLOW)).to_have_class(re.compile("card-undone"))


def test_all_of_it_works_without_a_script(sit: Sit, fight: StoreFiles) -> None:
    visitor = sit(GM, scripts=False)
    visitor.noticed.expected.append("422")
    page = visitor.open(TABLE)
    card(page, ENDS_HER_TURN).locator("a.tool", has_text="Undo").click()
    page.locator(".proof.lost", has_text=f"#{HOLMES_HIT}").locator(".pick", has_text="Keep it").click()
    page.get_by_role("button", name="Look again").click()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("alert")).to_contain_text("a correction keeps its reason")
    page.get_by_label("Why?").fill("it was the guard's turn")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile(r"/c/sherwood#a21$"))
    expect(card(page, ENDS_HER_TURN)).to_have_class(re.compile("card-undone"))
    assert not counts(fight, ENDS_HER_TURN)


def test_on_a_telephone_the_dialog_fills_the_screen_and_its_foot_stays(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM, size=PHONE).open(f"{TABLE}#log")
    card(page, DRACULAS_BLOW).scroll_into_view_if_needed()
    dialog = press(page, DRACULAS_BLOW, "Undo")
    apply = dialog.get_by_role("button", name="Apply")
    expect(apply).to_be_in_viewport(ratio=1)
    box = apply.bounding_box()
    assert box
    assert box["height"] >= 44
    assert page.evaluate("document.querySelector('#dialog').scrollWidth") <= PHONE[0]
    dialog.get_by_label("Why?").fill("he was too far away")
    apply.tap()
    expect(dialog).to_be_hidden()
    assert not counts(fight, DRACULAS_BLOW)


def test_a_correction_is_made_by_keys_alone(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    card(page, DRACULAS_BLOW).locator("a.tool", has_text="Undo").focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#dialog")
    expect(dialog.locator("#dialog-h")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert counts(fight, DRACULAS_BLOW)
    card(page, DRACULAS_BLOW).locator("a.tool", has_text="Undo").focus()
    page.keyboard.press("Enter")
    expect(dialog.locator("#dialog-h")).to_be_focused()
    for _ in range(6):
        if dialog.get_by_label("Why?").evaluate("it => it === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(dialog.get_by_label("Why?")).to_be_focused()
    page.keyboard.type("he was too far away")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(card(page, DRACULAS_BLOW)).to_have_class(re.compile("card-undone"))
