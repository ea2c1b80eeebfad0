"""The replay on live data in a real browser: drag, keys, both ways to watch, on from a card, and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rollbook.adapters.web.replay import pages as chunks
from tests.support.pages import DESK, PHONE, HeldRequests, Visitor, expect, needs_chromium, wait_until
from tests.support.web import GM, MIRA, StoreFiles

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium

Sit = Callable[..., Visitor]
REPLAY = "/c/sherwood/replay"


def watched(guest: Visitor, path: str = REPLAY) -> Page:
    page = guest.open(path)
    wait_until(page, "document.documentElement.dataset.whole === 'yes' && document.getElementById('at').max > 0")
    return page


def place(page: Page) -> int:
    return int(page.input_value("#at"))


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_one_drags_the_bar_and_steps_with_buttons_and_keys(
    sit: Sit, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 7)
    page = watched(sit(MIRA, size=size))
    box = page.locator("#at").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    middle = place(page)
    assert 10 < middle < int(page.get_attribute("#at", "max") or 0)
    page.click("#on")
    wait_until(page, f"document.getElementById('at').value === '{middle + 1}'")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    wait_until(page, f"document.getElementById('at').value === '{middle - 1}'")
    page.keyboard.press("End")
    wait_until(
        page, "document.querySelector('#log').innerText.includes('corrected') || document.querySelector('#log li')"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_two_ways_to_watch_differ_where_something_was_corrected(sit: Sit) -> None:
    page = watched(sit(GM))
    page.fill("#go", "#20")
    page.keyboard.press("Enter")
    wait_until(page, "document.getElementById('where').innerText.includes('strikes')")
    sheriff = page.locator("#lanes .lane", has_text="The Sheriff").locator("b")
    expect(sheriff).to_have_text("25 of 40")
    page.locator("#at").focus()
    page.keyboard.press("v")
    wait_until(page, "document.querySelector('[name=course][value=\"1\"]').checked")
    expect(sheriff).to_have_text("40 of 40")


def test_one_watches_on_from_a_card(sit: Sit) -> None:
    guest = sit(MIRA)
    page = guest.open("/c/sherwood/card/20")
    page.locator("a", has_text="Watch from here").first.click()
    wait_until(page, "document.documentElement.dataset.drawn === 'yes'")
    wait_until(page, "document.getElementById('where').innerText.includes('Robin Hood strikes')")
    page.keyboard.press("Space")
    before = place(page)
    wait_until(page, f"Number(document.getElementById('at').value) > {before}")


def test_it_draws_the_wanted_moment_before_the_rest_has_come(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 5)
    guest = sit(GM)
    page = guest.open("/c/sherwood/log")
    others = HeldRequests(page, "**/replay/moments?*", passing=1)
    guest.go(page, f"{REPLAY}?at=20&session=all#@20")
    expect(page.locator("#where")).to_contain_text("Entry 20")
    assert int(page.get_attribute("#at", "max") or 0) == 4
    sheriff = page.locator("#lanes .lane", has_text="The Sheriff").locator("b")
    assert re.fullmatch(r"\d+ of 40", sheriff.inner_text())
    robin = page.locator("#lanes .lane", has_text="Robin Hood").locator("b")
    expect(robin).to_have_text("36 of 36")  # nothing of his changes in these moments
    others.release()
    wait_until(page, "document.documentElement.dataset.whole === 'yes'")
    expect(page.locator("#where")).to_contain_text("Entry 20")
    assert place(page) == 19
    whole = int(page.get_attribute("#at", "max") or 0)
    assert whole > 35
    page.locator("#at").focus()
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_contain_text("Entry 1 ")


def test_who_watches_the_end_goes_on_with_the_table_and_who_does_not_is_told(sit: Sit, fight: StoreFiles) -> None:
    at_end, before = watched(sit(MIRA), f"{REPLAY}?session=1"), watched(sit(GM), f"{REPLAY}?session=1&at=20#@20")
    expect(before.locator("#where")).to_contain_text("Entry 20")
    at_end.locator("#at").focus()
    at_end.keyboard.press("End")
    with fight.book() as book:
        book.campaign("sherwood").do("note", {"text": "an owl calls"})
    expect(at_end.locator("#log")).to_contain_text("an owl calls", ignore_case=True)
    expect(at_end.locator("#where")).to_contain_text("Ana writes a note")
    expect(before.locator("#more-moments")).to_contain_text("1 new moment at the table")
    expect(before.locator("#where")).to_contain_text("Entry 20")
    before.get_by_role("link", name="To the newest").click()
    expect(before.locator("#where")).to_contain_text("Ana writes a note")
    expect(before.locator("#more-moments")).to_be_empty()


def test_a_correction_that_comes_while_one_watches_changes_the_other_course_at_once(
    sit: Sit, fight: StoreFiles
) -> None:
    page = watched(sit(GM), f"{REPLAY}?session=1&at=24#@24")
    page.keyboard.press("v")
    wait_until(page, "document.querySelector('[name=course][value=\"1\"]').checked")
    guard = page.locator("#lanes .lane", has_text="Guard").locator("b")
    expect(guard).to_have_text("23 of 40")
    with fight.book() as book:
        book.campaign("sherwood").corrections.undo(24, reason="too far").apply()
    expect(guard).to_have_text("40 of 40")
    expect(page.locator("#where")).to_contain_text("Entry 24")


def test_a_player_sees_no_lane_of_who_is_hidden(sit: Sit) -> None:
    assert "Spy" in watched(sit(GM), f"{REPLAY}?session=all").inner_text("#lanes")
    assert "Spy" not in watched(sit(MIRA), f"{REPLAY}?session=all").content()


def test_without_javascript_moments_are_links(sit: Sit) -> None:
    page = sit(MIRA, scripts=False).open(f"{REPLAY}?at=20")
    assert "Robin Hood" in page.locator("noscript, body").first.inner_text()
    page.locator("a", has_text="One entry on").click()
    page.wait_for_url("**/replay?at=21")
    page.locator("a", has_text="One entry back").click()
    page.wait_for_url("**/replay?at=20")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_replay_opens_where_somebody_is_there_to_be_seen(sit: Sit, fight: StoreFiles, scripts: bool) -> None:
    with fight.book() as book:
        campaign = book.campaign("sherwood")
        for line in ("end-encounter", "close-session", "open-session"):
            campaign.say(line)
    guest = sit(GM, scripts=scripts)
    page = watched(guest) if scripts else guest.open(REPLAY)
    assert page.locator(".fighter").count() > 0
    assert page.locator("#session").input_value() == "1", "there is nothing in the second session yet"
