"""Pages that follow the table: none says that it is lost while it is answered, none keeps from its reader whose turn it is,
and no click is lost to an answer that comes at the same moment."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rollbook.adapters.web
from tests.support.pages import DESK, PHONE, HeldRequests, Visitor, expect, needs_chromium, visitor, wait_until
from tests.support.web import GM, JO, MIRA, SPECTATOR, Running, StoreFiles, running
from tests.support.web_tables import at_the_beginning

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium

Sit = Callable[..., Visitor]
ROOMS = Path(rollbook.adapters.web.__file__).parent
FOLLOWING = {
    "table/page.html": (MIRA, "/c/carrow-bridge"),
    "table/screen.html": (SPECTATOR, "/c/carrow-bridge/screen"),
    "board/page.html": (GM, "/c/carrow-bridge/board"),
    "replay/page.html": (GM, "/c/carrow-bridge/replay"),
}
"""Every page that follows a table, by its template."""
TO_ROBIN = ("end-turn --next guard", "end-turn ! 20 3 4 5 6")


TYPE_SOMETHING = """panel => panel.querySelector("input:not([type=hidden]), textarea")
  ?.dispatchEvent(new Event("input", {bubbles: true}))"""


def say(files: StoreFiles, *lines: str, campaign: str = "sherwood") -> None:
    """Somebody does something in another program."""
    with files.book() as book:
        for line in lines:
            book.campaign(campaign).say(line)


def test_somebody_acts_and_no_page_that_follows_says_that_it_is_lost_or_goes_on_asking(
    sit: Sit, fight: StoreFiles
) -> None:
    found = {
        f"{path.parents[1].name}/{path.name}"
        for path in ROOMS.glob("*/templates/*.html")
        if 'data-stream="' in path.read_text(encoding="utf-8")
    }
    assert found == set(FOLLOWING)
    asked: dict[str, list[str]] = {}
    pages = {}
    for name, (identity, path) in FOLLOWING.items():
        page = pages[name] = (
            sit(GM if identity is MIRA else identity).open(path) if "screen" not in name else sit(GM).open(path)
        )
        page.evaluate(
            "new MutationObserver(() => { if (!lost.hidden) lost.dataset.once = 'yes'; })"
            ".observe(document.getElementById('lost'), { attributes: true })"
        )
        page.on("request", lambda request, name=name: asked.setdefault(name, []).append(request.url))
    say(fight, "note one", campaign="carrow-bridge")
    for page in pages.values():
        page.wait_for_timeout(400)
    say(fight, "note two", campaign="carrow-bridge")
    pages["board/page.html"].wait_for_timeout(4_000)
    for name, page in pages.items():
        expect(page.locator("#lost")).to_be_hidden()
        assert page.locator("#lost[data-once]").count() == 0, name
        assert 1 <= len(asked[name]) <= 4, asked[name]
    expect(pages["table/screen.html"].locator("#screen")).to_contain_text("two", ignore_case=True)


def test_who_has_opened_a_form_learns_that_it_is_their_turn_and_keeps_what_is_filled_in(
    sit: Sit, fight: StoreFiles
) -> None:
    looking, typing = sit(MIRA).open("/c/sherwood"), sit(MIRA).open("/c/sherwood")
    for page in (looking, typing):
        expect(page.locator("#act-h")).to_have_text("The Sheriff’s turn")
        move = page.locator("a.verb[href*='/do/move']")
        page.locator("#act details.more").filter(has=move).locator("summary").click()  # it is not their turn yet
        move.first.click()
        expect(page.locator("#act-verb")).to_contain_text("Move")
    typing.locator("[name=feet]").fill("10")
    made = looking.locator("#act-form [name='roll.command']").get_attribute("value")
    say(fight, *TO_ROBIN)
    for page in (looking, typing):
        expect(page.locator("#act-h")).to_have_text("Your turn")
        expect(page.locator("#act-turn")).to_have_class("turn")
        expect(page).to_have_title(re.compile("^Your turn · "))
        expect(page.locator("#act-verb")).to_contain_text("Move")
    expect(looking.locator(f"#act-form [name='roll.command'][value='{made}']")).to_have_count(0)
    expect(looking.locator("#act-turn .look-again")).to_be_hidden()
    assert typing.locator("[name=feet]").input_value() == "10"
    typing.locator("#act-turn .look-again").click()
    expect(typing.locator("#act-form")).to_have_count(0)
    expect(typing.locator("#act .verbs a.verb[href*='/do/attack']").first).to_be_visible()


def test_every_panel_that_follows_says_so_while_it_does_not(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open("/c/carrow-bridge")
    expect(page.locator("#sheet .as-of")).to_be_visible()
    page.locator("#act a.verb").first.click()
    expect(page.locator("#act-form")).to_be_visible()
    board = sit(GM).open("/c/carrow-bridge/board")
    panels = [(each, at) for each in (page, board) for at in each.locator("[data-follow]").all()]
    names = {at.get_attribute("id") for _, at in panels}
    assert names == {"act", "sheet", "requests", "welcome", "board-main"}
    for _, panel in panels:
        panel.evaluate(TYPE_SOMETHING)
    say(fight, "note one", campaign="carrow-bridge")
    for each, panel in panels:
        name = panel.get_attribute("id")
        if panel.get_attribute("data-always") is None and panel.locator("[data-typed]").count():
            expect(each.locator(f"#{name} .look-again")).to_be_visible()


def test_the_first_steps_wait_while_players_are_being_named(a_browser: Any, tmp_path: Path) -> None:
    files = at_the_beginning(tmp_path)
    with running(files) as table, visitor(a_browser, table.address, table.cookies(GM)) as guest:
        page = guest.open("/c/sherwood")
        steps = page.locator("#welcome")
        expect(steps.locator(".look-again")).to_be_hidden()
        steps.get_by_label("Who plays?").fill("Tom, Jo")
        say(files, "open-session")
        expect(steps.locator(".look-again")).to_be_visible()
        assert steps.get_by_label("Who plays?").input_value() == "Tom, Jo"
        expect(steps).to_contain_text("Open the session")
        steps.locator(".look-again").click()
        expect(steps).to_contain_text("The session is open")
        expect(steps.locator(".look-again")).to_be_hidden()


def test_a_sheet_comes_as_soon_as_somebody_has_one(a_browser: Any, tmp_path: Path) -> None:
    files = at_the_beginning(tmp_path)
    with running(files) as table:
        seats = {identity.seat: table.cookies(identity) for identity in (GM, MIRA, SPECTATOR)}
        for cookies in seats.values():
            with visitor(a_browser, table.address, cookies) as guest:
                page = guest.open("/c/sherwood")
                if cookies is seats[GM.seat]:
                    expect(page.locator("#sheet")).to_contain_text("Nobody has a sheet yet")
                    say(files, "open-session", "join Guard --kind npc --hp 9 --armour light")
                expect(page.locator("#sheet h2")).to_have_text("Guard")


def test_the_sheet_that_was_clicked_last_is_the_one_that_stays(sit: Sit, fight: StoreFiles) -> None:
    guest = sit(JO)
    page = guest.open("/c/sherwood")
    load = HeldRequests(page, "**/sheets")
    page.reload()
    load.wait()
    page.wait_for_selector("html[data-ready]")
    click = HeldRequests(page, "**/sheet/guard")
    page.locator("#fight h3 a", has_text="Guard").first.click()
    click.wait()
    load.release()
    page.wait_for_timeout(300)
    click.release()
    expect(page.locator("#sheet h2")).to_have_text("Guard")
    live = HeldRequests(page, "**/live?*")
    say(fight, "note one")
    live.wait()
    page.locator("#fight h3 a", has_text="Sheriff").first.click()
    expect(page.locator("#sheet h2")).to_have_text("The Sheriff")
    live.release()
    expect(page.locator("#entries > li").last).to_contain_text("one", ignore_case=True)
    expect(page.locator("#sheet h2")).to_have_text("The Sheriff")


def test_a_press_is_not_lost_where_what_was_pressed_is_replaced_before_it_ends(sit: Sit, fight: StoreFiles) -> None:
    page = sit(JO).open("/c/sherwood")
    expect(page.locator("#sheet h2")).to_have_text("Sherlock Holmes")
    page.locator("#fight h3 a", has_text="Guard").first.hover()
    page.mouse.down()
    say(fight, "note one")
    expect(page.locator("#entries > li").last).to_contain_text("one", ignore_case=True)
    page.mouse.up()
    expect(page.locator("#sheet h2")).to_have_text("Guard")


def in_sight(page: Page, selector: str) -> bool:
    """Whether an element can be read where it stands: in the window, and with nothing over it."""
    return bool(
        page.evaluate(
            "(selector) => { const at = document.querySelector(selector), box = at.getBoundingClientRect();"
            " const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);"
            " return Boolean(top) && (at.contains(top) || top.contains(at)); }",
            selector,
        )
    )


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_refusal_is_in_sight_and_the_form_is_where_it_was(
    sit: Sit, fight: StoreFiles, size: tuple[int, int], table: Running
) -> None:
    say(fight, *TO_ROBIN)
    guest = sit(MIRA, size=size)
    guest.noticed.expected.append("422")
    page = guest.open("/c/sherwood#act")
    page.locator("#act a.verb[href*='/do/attack']").first.click()
    page.locator("#act-form label.pick:has([name=target][value=guard])").click()
    page.locator("#act-form label.pick:has([value=longbow])").click()
    page.get_by_label("Real dice").fill("17")
    page.locator("#act-form .btn-main").click()
    expect(page.locator("#f-dice-e")).to_contain_text("next comes a d6")
    wait_until(page, "document.activeElement.id === 'f-dice'")
    assert in_sight(page, "#f-dice-e span")
    assert in_sight(page, "#act-e span")
    page.get_by_label("Real dice").fill("17 5")
    page.locator("#act-form .btn-main").click()
    expect(page.locator("#act-said")).to_be_visible()
