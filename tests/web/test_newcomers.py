"""In a browser, before the game: all are invited, a player makes a character by thumb or by keys, and the GM confirms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.wiring import open_book
from rollbook.domain.events import Role
from tests.support.pages import DESK, PHONE, Visitor, axe, expect, needs_chromium, visitor
from tests.support.web import GM, Running, StoreFiles, running

pytestmark = needs_chromium

AT = "/c/the-mill"
MIRA = Identity(campaign="the-mill", seat="Mira", role=Role.PLAYER)
Sit = Callable[..., Visitor]


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[Running]:
    """A server of a new campaign with a player who has no character."""
    files = StoreFiles(tmp_path / "mill.db", tmp_path / "seeds")
    with open_book(files.store, files.seeds, create=True) as book:
        campaign = book.new("The Mill", "storytoken")
        campaign.say("take-seat Mira")
    with running(files) as server:
        yield server


@pytest.fixture
def sit_at(a_browser: Any, mill: Running) -> Iterator[Sit]:
    with ExitStack() as leaving:

        def sit_down(identity: Identity, **how: Any) -> Visitor:
            return leaving.enter_context(visitor(a_browser, mill.address, mill.cookies(identity), **how))

        yield sit_down


def usable(page: Any) -> None:
    """Axe finds nothing, and nothing is wider than the window."""
    found = axe().run(page).response["violations"]
    assert [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_player_makes_a_character_by_thumb_and_the_gm_confirms(sit_at: Sit) -> None:
    gm, mira = sit_at(GM, size=DESK), sit_at(MIRA, size=PHONE, dark=True)
    table, hers = gm.open(AT), mira.open(AT)
    table.get_by_role("button", name="Open the session").click()
    table.wait_for_selector("html[data-ready]")
    expect(hers.get_by_role("heading", name="The session is open")).to_be_visible()
    usable(hers)
    hers.get_by_role("link", name="Make your character").click()
    hers.get_by_label("Name", exact=True).fill("Wren")
    hers.get_by_role("button", name="Go on").click()
    hers.get_by_label("Heritage").select_option("human")
    for role in ("fighting", "noble", "thieving"):
        hers.get_by_role("checkbox", name=role).check()
    usable(hers)
    hers.get_by_role("button", name="Go on").click()
    hers.get_by_role("button", name="Go on").click()  # the numbers stay open
    usable(hers)
    hers.get_by_role("button", name="Roll them, and show the sheet").click()
    expect(hers.get_by_role("heading", name="What fell")).to_be_visible()
    usable(hers)
    hers.get_by_role("button", name="Ask the GM to bring the character in").click()
    expect(hers.get_by_role("main")).to_contain_text("Wren comes in when the GM confirms")
    table.locator("#requests").get_by_role("link", name="Look at the sheet").click()
    expect(table.get_by_role("main")).to_contain_text("fell here, in #")
    usable(table)
    table.get_by_role("button", name="Bring Wren in").click()
    table.wait_for_url(f"**{AT}/sheet/wren")
    mira.go(hers, AT)
    expect(hers.get_by_role("heading", name="Before you play")).to_have_count(0)
    expect(hers.locator("#fight")).to_contain_text("Wren")


def test_the_gm_invites_all_at_once_and_begins_by_keys(sit_at: Sit) -> None:
    page = sit_at(GM, size=PHONE).open(AT)
    usable(page)
    page.get_by_label("Who plays?").focus()
    page.keyboard.type("Tom, Jo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="The link as a QR code")).to_have_count(3)
    usable(page)
    page.get_by_role("button", name="Copy the link for Tom").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="the link for Tom")).to_have_text("Copied the link for Tom")
    page.get_by_role("link", name="Back to the table").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#welcome")
    page.get_by_role("button", name="Open the session").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The session is open")).to_be_visible()


def test_a_character_is_made_by_keys_alone(sit_at: Sit) -> None:
    page = sit_at(MIRA, size=DESK).open(f"{AT}/join")
    for _ in range(30):
        if page.evaluate("document.activeElement.name") == "name":
            break
        page.keyboard.press("Tab")
    page.keyboard.type("Wren")
    page.keyboard.press("Enter")
    page.get_by_label("Heritage").focus()
    page.keyboard.type("human")
    for role in ("fighting", "noble", "thieving"):
        page.get_by_role("checkbox", name=role).focus()
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Go on").press("Enter")
    page.get_by_label("Real dice").focus()
    page.keyboard.type(",".join(["4"] * 19))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Wren")).to_be_visible()
    page.get_by_role("button", name="Ask the GM to bring the character in").press("Enter")
    expect(page.get_by_role("main")).to_contain_text("The GM is asked")


def test_closing_the_session_shows_everybody_the_receipt(sit_at: Sit) -> None:
    gm, mira = sit_at(GM), sit_at(MIRA, size=PHONE)
    table, hers = gm.open(AT), mira.open(AT)
    for line in ("open-session", "bring-in robin-hood --seat Mira", "close-session"):
        table.locator("#line-input").fill(line)
        table.keyboard.press("Enter")
        expect(table.locator("#line-input")).to_have_value("")
    for page in (table, hers):
        expect(page.get_by_role("heading", name="Session 1 is closed")).to_be_visible()
        expect(page.locator("#receipt")).to_contain_text("the-mill @")
    usable(hers)
    hers.get_by_role("button", name="Copy the receipt").click()
    expect(hers.get_by_role("button", name="the receipt")).to_contain_text("Copied")
