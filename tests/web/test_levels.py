"""A level-up in a real browser: the GM awards experience by form, and the player picks what comes with it on a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.wiring import open_book
from rollbook.domain.events import Role
from tests.support.casts import CASTS
from tests.support.pages import PHONE, expect, needs_chromium, visitor, wait_until
from tests.support.web import GM, Running, StoreFiles, running, until

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = needs_chromium

TABLE = "/c/two-at-odds"
MIRA = Identity(campaign="two-at-odds", seat="Mira", role=Role.PLAYER)
ENOUGH = 60
"""So many choices are made at most."""


Seated = tuple[Running, StoreFiles, str, str]
EARNED = {"storytoken": "32000", "srd5": "2700"}
"""Experience that a hero gains, by game: with a pick from a few and from hundreds."""


@pytest.fixture(params=sorted(EARNED))
def hero_at(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Seated]:
    """A server of a new campaign, the hero whom Mira plays there, and the experience that they earn."""
    files = StoreFiles(tmp_path / "odds.db", tmp_path / "seeds")
    with open_book(files.store, files.seeds, create=True) as book:
        campaign = book.new("Two at odds", request.param)
        for line in ("take-seat Ana --role gm", "take-seat Mira", "open-session"):
            campaign.say(line)
        campaign.say(f"{CASTS[request.param].hero} --seat Mira")
        hero = next(iter(campaign.state.characters))
    with running(files) as server:
        yield server, files, hero, EARNED[request.param]


def test_levels_are_awarded_by_form_and_what_comes_with_them_is_picked_with_a_thumb(
    a_browser: Any, hero_at: Seated
) -> None:
    server, files, hero, earned = hero_at
    with ExitStack() as leaving:
        gm = leaving.enter_context(visitor(a_browser, server.address, server.cookies(GM)))
        mira = leaving.enter_context(visitor(a_browser, server.address, server.cookies(MIRA), size=PHONE))
        mira.noticed.expected.append("422")
        hers = mira.open(f"{TABLE}#act")  # open before anything is awarded: the choices come with a bell
        page = gm.open(f"{TABLE}/do/award")
        page.locator(f'#act-form input[name="who"][value="{hero}"]').check(force=True)
        page.locator('#act-form input[name="amount"]').fill(earned)
        page.locator("#act-form .go .btn-main").click()
        until(lambda: open_choices(files, hero))
        choice = hers.locator("#act form.choice").first
        expect(choice).to_be_visible()
        for _ in range(ENOUGH):
            if not open_choices(files, hero):
                break
            before = open_choices(files, hero)
            options = hers.locator("#act form.choice").first.locator("[name=picked]:not(select), option").count()
            for at in range(options):
                pick(hers.locator("#act form.choice").first, at)
                wait_until(hers, "document.querySelector('#act .htmx-request, #act.htmx-request') === null")
                if open_choices(files, hero) != before:
                    break
            else:
                raise AssertionError(f"nothing that is offered for {before} can be picked")
            expect(hers.locator("#act form.choice")).to_have_count(len(open_choices(files, hero)))
        assert open_choices(files, hero) == ()
        assert hers.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        expect(page.locator("#fault")).to_have_count(0)


def pick(choice: Locator, at: int) -> None:
    """Pick what stands at a place: by its button, or from a list where there are many."""
    listed = choice.locator("select[name=picked]")
    if listed.count():
        listed.select_option(index=at)
        choice.get_by_role("button", name="Choose").click()
    else:
        choice.locator("button[name=picked]").nth(at).click()


def open_choices(files: StoreFiles, hero: str) -> tuple[str, ...]:
    """What is still to be chosen."""
    with files.book() as book:
        return tuple(book.campaign("two-at-odds").state.characters[hero].choices)
