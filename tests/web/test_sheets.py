"""Sheets in a real browser: every number opens, by mouse and by keyboard, on a telephone and without JavaScript; the past too."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.support.pages import DESK, PHONE, Visitor, needs_chromium, wait_until
from tests.support.web import GM, JO, MIRA, StoreFiles

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium

Sit = Callable[..., Visitor]
SHEET = "/c/sherwood/sheet/robin-hood"


def opened(page: Page) -> int:
    """So many numbers show what they are made of."""
    return page.locator("details.number[open] .why table, details.number[open] .why > p.quiet").count()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_number_of_a_sheet_opens_where_it_stands(sit: Sit, size: tuple[int, int]) -> None:
    page = sit(MIRA, size=size).open(SHEET)
    numbers = page.locator("details.number > summary")
    many = numbers.count()
    assert many > 20
    for at in range(many):
        numbers.nth(at).click()
        page.locator("details.number").nth(at).locator(".why table, .why > p.quiet").first.wait_for()
    assert opened(page) == many
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_number_opens_by_keyboard_alone_and_leads_to_the_card_of_an_action(sit: Sit) -> None:
    page = sit(GM).open("/c/sherwood/sheet/the-sheriff")
    armour = page.locator("details.number", has_text="Armour class").first
    armour.locator("summary").focus()
    page.keyboard.press("Enter")
    armour.locator(".put-away").wait_for()
    assert "he wore plate from the start" in armour.inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/card/12")


def test_on_the_table_a_sheet_stands_in_its_panel_and_follows_what_happens(sit: Sit, fight: StoreFiles) -> None:
    page = sit(JO).open("/c/sherwood")
    page.locator("#fight h3 a", has_text="Guard").first.click()
    page.locator("#sheet h2", has_text="Guard").wait_for()
    page.locator("#sheet-h").evaluate("heading => document.activeElement.blur()")
    before = page.locator("#sheet .number", has_text="Hit points").first.inner_text()
    with fight.book() as book:
        book.campaign("sherwood").say("harm guard 1")
    wait_until(page, f"!document.querySelector('#sheet').innerText.includes({before.split(chr(10))[-1]!r})")


def test_a_past_moment_is_asked_for_in_the_panel_and_what_is_none_is_said(sit: Sit) -> None:
    guest = sit(GM)
    guest.noticed.expected.append("422")
    page = guest.open("/c/sherwood/sheet/the-sheriff")
    page.fill("#sheet-at", "20")
    page.keyboard.press("Enter")
    page.locator(".notice", has_text="As known at #20").wait_for()
    assert "25 of 40" in page.locator("#sheet").inner_text()
    page.select_option("#sheet-as", "corrected")
    page.locator(".as-of button").click()
    page.locator(".notice", has_text="as corrected since").wait_for()
    assert "40 of 40" in page.locator("#sheet").inner_text()
    page.fill("#sheet-at", "last tuesday")
    page.keyboard.press("Enter")
    page.locator("#sheet-at-wrong").wait_for()
    assert page.input_value("#sheet-at") == "last tuesday"


def test_without_javascript_numbers_are_links_and_the_past_is_a_form(sit: Sit) -> None:
    page = sit(MIRA, scripts=False).open(SHEET)
    first = page.locator("details.number").first
    first.locator("summary").click()
    first.locator(".why a").click()
    page.locator(".why table").wait_for()
    page.locator("a", has_text="The whole sheet").click()
    page.fill("#sheet-at", "@20")
    page.locator(".as-of button").click()
    assert "As known at @20" in page.locator(".notice").first.inner_text()


def test_drawings_have_their_numbers(sit: Sit) -> None:
    page = sit(MIRA, size=PHONE).open("/c/sherwood/charts/robin-hood")
    charts = page.locator("figure.chart")
    assert charts.count() >= 3
    for at in range(charts.count()):
        charts.nth(at).locator("summary").click()
        assert charts.nth(at).locator("tbody tr").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
