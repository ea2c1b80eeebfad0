"""The order of turns, where it is a list and the GM may change it: by dragging, by keys and by buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.support.pages import PHONE, needs_chromium, wait_until
from tests.support.web import GM, StoreFiles

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium

ORDER = (
    "[...document.querySelectorAll('#fight > .fight-rest > .order > .fighter')].map((each) => each.dataset.who).join()"
)
AT_FIRST = "sill,brannoc,merrin,mastiff,ash,grosk"


def order(files: StoreFiles) -> str:
    with files.book() as book:
        fight = book.campaign("carrow-bridge").state.encounter
        assert fight is not None
        return ",".join(fight.order)


def test_a_card_is_dragged_to_another_place(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM).open("/c/carrow-bridge")
    assert page.evaluate(ORDER) == AT_FIRST
    page.locator("[data-who=grosk]").drag_to(page.locator("[data-who=merrin]"), target_position={"x": 10, "y": 20})
    wait_until(page, f"{ORDER} === 'sill,brannoc,grosk,merrin,mastiff,ash'")
    assert order(fight) == "sill,brannoc,grosk,merrin,mastiff,ash"


def test_a_card_is_moved_with_keys(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM).open("/c/carrow-bridge")
    page.locator("[data-who=mastiff] .fighter-open").focus()
    page.keyboard.press("Alt+ArrowRight")
    wait_until(page, f"{ORDER} === 'sill,brannoc,merrin,ash,mastiff,grosk'")
    page.locator("[data-who=sill] .fighter-open").focus()
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_timeout(300)
    assert order(fight) == "sill,brannoc,merrin,ash,mastiff,grosk"


def test_a_thumb_moves_it_by_a_button(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM, size=PHONE).open("/c/carrow-bridge#fight")
    page.locator("[data-who=grosk] .fighter-open").tap()
    page.get_by_role("button", name="Earlier").tap()
    page.locator("#act-said").wait_for()
    assert order(fight) == "sill,brannoc,merrin,mastiff,grosk,ash"


def test_where_nobody_may_change_it_nothing_is_dragged(sit: Callable) -> None:
    page: Page = sit(GM).open("/c/sherwood")
    assert page.locator("[data-order], [draggable]").count() == 0
