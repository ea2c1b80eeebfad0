"""The board in a real browser: a move is planned by click, drag and keys, its openings are shown, and then it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from rollbook.adapters.web.seats.requester import Identity
from tests.support.pages import DESK, PHONE, Visitor, axe, needs_chromium, visitor, wait_until
from tests.support.picture_files import picture_file
from tests.support.web import GM, Running, StoreFiles, running
from tests.support.web_boards import IDA, TOLL, TOM, at_the_toll

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = needs_chromium

__all__ = ["at_the_toll"]
BOARD = f"/c/{TOLL}/board"
Sit = Callable[..., Visitor]


@pytest.fixture
def toll_server(at_the_toll: StoreFiles) -> Iterator[Running]:
    with running(at_the_toll) as server:
        yield server


@pytest.fixture
def sit(a_browser: Any, toll_server: Running) -> Iterator[Sit]:
    with ExitStack() as leaving:

        def sit_down(identity: Identity, **how: Any) -> Visitor:
            return leaving.enter_context(visitor(a_browser, toll_server.address, toll_server.cookies(identity), **how))

        yield sit_down


def heading(page: Page, words: str) -> None:
    wait_until(page, f"document.getElementById('plan-h')?.innerText.includes({words!r})")


def square(page: Page, name: str) -> Locator:
    return page.locator(f'[data-square="{name}"]')


def stands(files: StoreFiles) -> tuple[int, int, int]:
    with files.book() as book:
        return book.campaign(TOLL).state.characters["sill"].position


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_move_with_openings_is_planned_by_clicks_and_made(
    sit: Sit, at_the_toll: StoreFiles, size: tuple[int, int]
) -> None:
    page = sit(TOM, size=size).open(BOARD)
    square(page, "7,0").click()
    heading(page, "Sill moves to 7,0")
    square(page, "8,0").click()
    heading(page, "Sill moves to 8,0")
    assert page.locator(".openings li").all_inner_texts() == [
        "Grosk as Sill leaves 6,0",
        "Ysolde Ash as Sill comes to 7,0",
    ]
    assert page.locator(".board circle.open").count() == 2
    assert "2 of 6 squares" in page.locator("#plan header").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    with page.expect_navigation():
        page.locator(".go-move .btn-main").click()
    assert stands(at_the_toll) == (8, 0, 0)
    assert page.locator('g[aria-label^="Sill"]').first.get_attribute("aria-label").endswith("on 8,0")  # type: ignore[union-attr]


def test_a_piece_is_dragged_along_a_way_and_dropped(sit: Sit, at_the_toll: StoreFiles) -> None:
    page = sit(TOM).open(BOARD)

    def middle(at: Locator) -> tuple[float, float]:
        box = at.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    way = [middle(square(page, name)) for name in ("6,-1", "7,-2", "8,-2")]
    page.mouse.move(*middle(page.locator(".mover .piece")))
    page.mouse.down()
    for at in way:
        page.mouse.move(*at, steps=4)
    page.mouse.up()
    heading(page, "Sill moves to 8,-2".replace("-", "−"))
    assert page.locator('[name="path"]').get_attribute("value") == "s,se,e"
    with page.expect_navigation():
        page.locator(".go-move .btn-main").click()
    assert stands(at_the_toll) == (8, -2, 0)


def test_keys_alone_plan_a_move_take_a_step_back_and_make_it(sit: Sit, at_the_toll: StoreFiles) -> None:
    page = sit(TOM).open(BOARD)
    for key, where in (("s", ""), ("x", "6,−1"), ("c", "7,−2"), ("ArrowRight", "8,−2"), ("Backspace", "7,−2")):
        page.keyboard.press(key)
        heading(page, f"Sill moves to {where}" if where else "Sill on 6,0")
    page.keyboard.press("Escape")
    page.locator("#plan").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert stands(at_the_toll) == (7, -2, 0)


def test_the_way_with_fewer_openings_is_one_click_away(sit: Sit) -> None:
    page = sit(TOM).open(f"{BOARD}?who=sill&way=7,0;8,0;9,0;10,0")
    assert page.locator(".openings li").count() == 3
    page.locator("a", has_text="Go that way").click()
    wait_until(page, "document.querySelectorAll('.openings li').length === 1")
    heading(page, "Sill moves to 10,0")


def test_without_javascript_squares_and_steps_are_links_and_the_move_is_a_form(
    sit: Sit, at_the_toll: StoreFiles
) -> None:
    page = sit(TOM, scripts=False).open(BOARD)
    square(page, "7,-1").click()
    assert "Sill moves to 7,−1" in page.inner_text("#plan-h")
    page.locator('#pad [data-step="e"]').click()
    assert "Sill moves to 8,−1" in page.inner_text("#plan-h")
    page.fill("#to", "20,1")
    page.locator("button", has_text="Plan").click()
    assert "this way costs 14" in page.inner_text("#plan")
    page.fill("#to", "7,-1")
    page.locator("button", has_text="Plan").click()
    page.locator(".go-move .btn-main").click()
    assert stands(at_the_toll) == (7, -1, 0)


def test_who_watches_sees_the_move_on_their_board_by_itself(sit: Sit, at_the_toll: StoreFiles) -> None:
    page = sit(IDA).open(BOARD)
    assert page.locator(".go-move").count() == 0
    with at_the_toll.book() as book:
        book.campaign(TOLL).say("move sill --path s --spare grosk")
    wait_until(page, "document.querySelector('g[aria-label^=\"Sill\"]').getAttribute('aria-label').endsWith('on 6,−1')")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_everybody_can_use_it(sit: Sit, size: tuple[int, int], *, dark: bool) -> None:
    hindrances = axe()
    for identity, path in (
        (GM, BOARD),
        (TOM, f"{BOARD}?who=sill&way=7,0;8,0;9,0;10,0"),
        (TOM, f"{BOARD}?who=sill&to=20,1"),
    ):
        page = sit(identity, size=size, dark=dark).open(path)
        report = hindrances.run(page).response["violations"]
        assert [(each["id"], [node["html"][:160] for node in each["nodes"][:3]]) for each in report] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_foe_on_the_board_is_an_attack_with_its_chance_and_what_it_came_to_is_shown_there(
    sit: Sit, at_the_toll: StoreFiles
) -> None:
    page = sit(TOM).open(BOARD)
    page.locator('a.handle[aria-label^="Grosk"]').click()
    button = page.locator("#act .handles .tap").first
    button.wait_for()
    assert "at Grosk" in button.inner_text()
    assert "%" in button.inner_text()
    button.click()
    wait_until(page, "document.querySelector('.board-latest').innerText.includes('Sill strikes at Grosk')")
    page.locator("#turn button", has_text="End turn").click()
    wait_until(page, "!document.querySelector('#turn').innerText.includes('Your turn')")


def test_the_gm_puts_anybody_anywhere_at_any_time_by_dragging_or_by_the_square(
    sit: Sit, at_the_toll: StoreFiles
) -> None:
    page = sit(GM).open(BOARD)

    def grosk() -> tuple[int, int, int]:
        with at_the_toll.book() as book:
            return book.campaign(TOLL).state.characters["grosk"].position

    box = page.locator('a.handle[aria-label^="Grosk"] .piece').bounding_box()
    assert box is not None
    side = box["width"] * 40 / 26
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 2 * side, steps=6)
    page.mouse.up()
    heading(page, "Grosk to 5,2")
    with page.expect_navigation():
        page.get_by_role("button", name="Place on 5,2").click()
    assert grosk() == (5, 2, 0)
    page.locator("#plan summary", has_text="Place anybody").click()
    page.locator("#plan details a", has_text="Grosk").click()
    heading(page, "Grosk to any square")
    square(page, "5,3").click()
    heading(page, "Grosk to 5,3")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_view_shows_the_fight_and_stays_as_it_is(sit: Sit, at_the_toll: StoreFiles, size: tuple[int, int]) -> None:
    page = sit(GM, size=size).open(BOARD)
    seen = """() => { const box = document.querySelector(".board-scroll").getBoundingClientRect();
      return [...document.querySelectorAll("svg.board .piece, svg.board .piece-down")].every((each) => {
        const at = each.getBoundingClientRect();
        return at.left >= box.left && at.right <= box.right && at.top >= box.top && at.bottom <= box.bottom; }); }"""
    assert page.evaluate(seen), "everybody who fights"
    width = "document.querySelector('svg.board').getBoundingClientRect().width"
    before, frame = page.evaluate(width), page.locator("svg.board").get_attribute("viewBox")
    page.locator("[data-zoom=in]").click()
    assert page.evaluate(width) > before
    wide = page.evaluate(width)
    square(page, "7,0").click()
    heading(page, "Sill moves to 7,0")
    assert page.evaluate(width) == pytest.approx(wide)
    assert page.locator("svg.board").get_attribute("viewBox") == frame
    with page.expect_navigation():
        page.locator(".go-move .btn-main").click()
    assert page.locator("svg.board").get_attribute("viewBox") == frame, "the frame stays for the fight"


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_map_lies_under_the_squares_and_everybody_sees_it_at_once(
    sit: Sit, tmp_path: Path, size: tuple[int, int]
) -> None:
    file = tmp_path / "cellar.png"
    file.write_bytes(picture_file(size=(320, 200), colour="teal"))
    gm, tom = sit(GM, size=size).open(BOARD), sit(TOM, size=size).open(BOARD)
    gm.get_by_text("Map under the squares").click()
    gm.get_by_label("Picture", exact=True).set_input_files(file)
    gm.get_by_label("How many squares wide").fill("16")
    gm.get_by_label("Its lower left corner").fill("-1,-4")
    gm.get_by_label("What is on it").fill("a cellar")
    gm.get_by_role("button", name="Lay it").click()
    for page in (gm, tom):
        laid = page.locator(".board-map")
        wait_until(page, "document.querySelector('.board-map')?.getBoundingClientRect().width > 100")
        assert laid.get_attribute("aria-label") == "The map: a cellar"
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert axe().run(page).response["violations"] == []
        corner = """() => { const [map, axis] = [".board-map", ".board"].map((each) => document.querySelector(each));
            const { x, y, width, height } = map.getBBox(), { west, north } = axis.dataset;
            return [(x - 24) / 40 + Number(west), Number(north) + 1 - (y + height - 8) / 40, width / 40, height / 40]; }"""
        assert page.evaluate(corner) == [-1, -4, 16, 10]
    gm.get_by_text("Map under the squares").click()
    gm.get_by_role("button", name="Take it away").click()
    for page in (gm, tom):
        wait_until(page, "!document.querySelector('.board-map')")
    assert gm.locator("svg.board").count() == tom.locator("svg.board").count() == 1
