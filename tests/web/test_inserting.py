"""An act that was forgotten, inserted in a real browser: it stands in its place on every page, and nobody's page jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.support.pages import PHONE, Visitor, expect, needs_chromium
from tests.support.web import GM, MIRA

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = needs_chromium

TABLE = "/c/sherwood"
HOLMES_HIT, NEW, NEW_TO_MIRA = 31, 41, 39
LINE = "attack sherlock guard unarmed ! 15 4"
ORDER = "cards => cards.map(({id}) => id)"
Sit = Callable[..., Visitor]


def fill_in(dialog: Locator) -> None:
    """Say what was forgotten, look at the preview, and apply it."""
    dialog.locator("#fix-line").fill(LINE)
    dialog.get_by_role("button", name="Look at the preview").click()
    expect(dialog).to_contain_text("1 inserted")
    dialog.get_by_role("button", name="Apply").click()


def is_in_its_place(page: Page, new: int) -> None:
    """The card stands just before the one before which it was inserted, and its correction at the end."""
    expect(page.locator(f"#entries > #a{new} + #a{HOLMES_HIT}")).to_have_count(1)
    expect(page.locator(f"#a{new}")).to_contain_text(f"inserted before #{HOLMES_HIT} by @")
    expect(page.locator(f"#a{HOLMES_HIT}")).to_contain_text(f"#{new} was inserted before it")
    last = page.locator("#entries > li").last
    expect(last).to_contain_text(f"#{new} is inserted before #{HOLMES_HIT}")
    made_by = page.locator(f"#a{new} .seen-as a").last.get_attribute("href")
    assert made_by == f"#{last.get_attribute('id')}"


def test_it_comes_to_its_place_on_every_page_and_one_who_reads_is_left_there(sit: Sit) -> None:
    page, mira, reading = sit(GM).open(TABLE), sit(MIRA).open(TABLE), sit(MIRA).open(TABLE)
    reading.locator("#log-scroll").evaluate("it => { it.scrollTop = -300; }")
    reading.wait_for_timeout(100)
    at = """() => { const top = document.getElementById("log-scroll").getBoundingClientRect().top;
        const card = [...document.querySelectorAll("#entries > li")].find((each) => each.getBoundingClientRect().bottom > top);
        return [card.id, card.getBoundingClientRect().top]; }"""
    was = reading.evaluate(at)
    page.locator(f"#a{HOLMES_HIT}").get_by_role("link", name="More").click()
    dialog = page.locator("#dialog")
    dialog.get_by_role("link", name="Insert before").click()
    fill_in(dialog)
    expect(dialog).to_be_hidden()
    is_in_its_place(page, NEW)
    for each in (mira, reading):
        is_in_its_place(each, NEW_TO_MIRA)
    assert mira.evaluate("Math.abs(document.getElementById('log-scroll').scrollTop) < 2")
    now = reading.evaluate(at)
    assert now[0] == was[0]
    assert abs(now[1] - was[1]) < 2
    shown = page.locator("#entries > li").evaluate_all(ORDER)
    page.reload()
    assert page.locator("#entries > li").evaluate_all(ORDER)[-20:] == shown[-20:]


def test_it_is_inserted_from_the_cards_own_page_on_a_telephone(sit: Sit) -> None:
    page = sit(GM, size=PHONE).open(f"{TABLE}/card/{HOLMES_HIT}")
    page.get_by_role("link", name="Insert before").click()
    fill_in(page.locator("#dialog"))
    expect(page.locator("#dialog")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.goto(page.url.replace(f"card/{HOLMES_HIT}", ""))
    page.locator(".thumbs").get_by_role("link", name="Log").tap()
    is_in_its_place(page, NEW)
