"""Turns announce themselves: a band that no form hides, an end by one tap, and signals that a person switches on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.pages import DESK, PHONE, expect, needs_chromium, visitor, wait_until
from tests.support.web import GM, JO, SPECTATOR, StoreFiles, copied, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium

IS_ON_TOP = """(() => {
    const band = document.querySelector("#turn"), { x, y } = band.getBoundingClientRect();
    return band.contains(document.elementFromPoint(x + 20, y + 12));
})()"""


@pytest.fixture
def fight(clearing_played: StoreFiles, tmp_path: Path) -> StoreFiles:
    """A fight of seven, at the beginning of Robin's turn."""
    return copied(clearing_played, tmp_path)


def say(files: StoreFiles, line: str, campaign: str = "sherwood") -> None:
    with files.book() as book:
        book.campaign(campaign).say(line)


def last_intent(files: StoreFiles, campaign: str = "sherwood") -> tuple[str, str, dict[str, object]]:
    with files.book() as book:
        entry = book.campaign(campaign).history.entries[-1]
        assert entry.intent is not None
        return entry.seat, entry.intent.verb, dict(entry.intent.params)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_turn_shows_in_the_title_and_over_a_form_that_is_being_filled_in(
    sit: Callable, fight: StoreFiles, size
) -> None:
    page: Page = sit(JO, size=size).open("/c/sherwood/")
    page.goto(f"{page.url.rstrip('/')}#act")
    assert "Robin Hood’s turn" in page.title()
    if page.locator("#act .more summary").first.is_visible():
        page.locator("#act .more summary").first.click()
    page.locator("#act a.verb:visible").first.click()
    page.locator("#act-form .input:visible, #act-form [type=radio]").first.wait_for(state="attached")
    page.evaluate("document.querySelector('#act-form').dataset.typed = 'yes'")
    say(fight, "end-turn --next sherlock-holmes")
    wait_until(page, "document.querySelector('#turn[data-mine]') !== null && document.title.startsWith('Your turn')")
    band = page.locator("#turn")
    assert "Your turn" in band.inner_text()
    box = band.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < size[1] - box["height"]
    assert page.evaluate(IS_ON_TOP)
    assert page.locator("#act-form").count() == 1, "what is being filled in stays"


def test_where_the_player_chooses_the_names_are_the_buttons(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM).open("/c/sherwood")
    names = page.locator("#turn button").all_inner_texts()
    assert "Sherlock Holmes" in names
    assert len(names) > 1
    page.locator("#turn button", has_text="Sherlock Holmes").click()
    page.locator("#act-said").wait_for()
    assert last_intent(fight)[1:] == ("end-turn", {**last_intent(fight)[2], "next": "sherlock-holmes"})
    wait_until(page, "document.querySelector('#turn').textContent.includes('Sherlock Holmes’s turn')")


def test_where_the_game_knows_who_is_next_one_button_ends_the_turn_and_the_band_names_them(
    a_browser: Any, fight_played: StoreFiles, tmp_path: Path
) -> None:
    bridge = copied(fight_played, tmp_path)
    with running(bridge) as server, visitor(a_browser, server.address, server.cookies(GM)) as guest:
        page: Page = guest.open("/c/carrow-bridge")
        said = page.locator("#turn").inner_text()
        assert "Sill’s turn" in said
        assert "then " in said
        page.locator("#turn button").click()
        page.locator("#act-said").wait_for()
    assert last_intent(bridge, "carrow-bridge")[1] == "end-turn"


def test_nobody_ends_the_turn_of_another(sit: Callable) -> None:
    for identity in (JO, SPECTATOR):
        page: Page = sit(identity).open("/c/sherwood")
        assert page.locator("#turn button").count() == 0


def test_a_seat_that_types_its_dice_is_led_to_the_form_where_any_fall(sit: Callable, fight: StoreFiles) -> None:
    say(fight, "agree dice physical")
    for name in ("sherlock-holmes", "count-dracula", "wolf-1", "wolf-2", "wolf-3", "wolf-4"):
        say(fight, f"end-turn --next {name}")
    page: Page = sit(GM).open("/c/sherwood")
    page.locator("#turn a.btn", has_text="End turn").click()
    page.get_by_label("Real dice").wait_for()
    assert last_intent(fight)[2]["next"] == "wolf-4"


def test_signals_are_off_at_first_and_kept_in_the_browser_once_they_are_on(sit: Callable, fight: StoreFiles) -> None:
    guest = sit(JO)
    page: Page = guest.open("/c/sherwood")
    assert page.evaluate("Object.keys(localStorage).length") == 0
    page.locator(".signals > summary").click()
    expect(page.get_by_label("a sound")).not_to_be_checked()
    page.get_by_label("a sound").check()
    page.close()
    again: Page = guest.open("/c/sherwood")
    again.locator(".signals > summary").click()
    expect(again.get_by_label("a sound")).to_be_checked()
    assert again.evaluate("document.documentElement.dataset.signalled") is None
    say(fight, "end-turn --next sherlock-holmes")
    wait_until(again, "document.documentElement.dataset.signalled === '1'")
    again.get_by_label("a sound").uncheck()
    assert again.evaluate("Object.keys(localStorage).length") == 0
