"""Taps are counted: what a table does most often takes few of them, by mouse and by thumb."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from rollbook.domain.events import ConditionBegan, DamageTaken
from tests.support.pages import DESK, PHONE, needs_chromium, wait_until
from tests.support.web import GM, MIRA, StoreFiles, copied

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = needs_chromium


@attrs.define(slots=False)
class Hand:
    """A hand at a page, which counts its taps. Numbers that are typed are counted apart."""

    page: Page
    taps: int = 0
    typed: int = 0

    def tap(self, what: str | Locator) -> None:
        """Tap what is in sight, without scrolling to it first."""
        found = self.page.locator(what).first if isinstance(what, str) else what
        found.wait_for()
        self.taps += 1
        found.click()

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.typed += 1
        self.page.keyboard.type(text)

    def said(self) -> str:
        """The outcome, when it is there."""
        self.page.locator("#act-said").wait_for()
        return self.page.locator("#act-said").inner_text()


@pytest.fixture
def fight(clearing_played: StoreFiles, tmp_path: Path) -> StoreFiles:
    """A fight of seven, at the beginning of Robin's turn."""
    return copied(clearing_played, tmp_path)


def newest(files: StoreFiles):
    with files.book() as book:
        return book.campaign("sherwood").history.entries[-1]


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    return request.param


def hand(sit: Callable, who, size) -> Hand:
    """A hand at the table, which on a telephone shows the fight."""
    page: Page = sit(who, size=size).open("/c/sherwood#fight" if size == PHONE else "/c/sherwood")
    return Hand(page)


def test_an_attack_takes_two_taps_and_says_its_chance_before(sit: Callable, fight: StoreFiles, size) -> None:
    mira = hand(sit, MIRA, size)
    mira.tap(".pack-one >> nth=1")
    button = mira.page.locator("#act .tap").first
    button.wait_for()
    assert button.inner_text().split("\n") == ["Longbow at Wolf 2", "95 %"]
    mira.tap(button)
    assert "Robin Hood strikes at Wolf 2 with the longbow" in mira.said()
    assert mira.taps <= 2
    intent = newest(fight).intent
    assert (intent.verb, intent.params["attacker"], intent.params["target"]) == ("attack", "robin-hood", "wolf-2")


def test_a_turn_ends_with_one_tap(sit: Callable, fight: StoreFiles, size) -> None:
    mira = hand(sit, MIRA, size)
    mira.tap(mira.page.locator("#turn button", has_text="Sherlock Holmes"))
    wait_until(mira.page, "document.querySelector('#turn').textContent.includes('Sherlock Holmes’s turn')")
    assert mira.taps == 1
    assert newest(fight).intent.params["next"] == "sherlock-holmes"


def test_the_gm_takes_hit_points_with_two_taps_and_a_number(sit: Callable, fight: StoreFiles, size) -> None:
    gm = hand(sit, GM, size)
    gm.tap("[data-who=sherlock-holmes] .fighter-bar")
    wait_until(gm.page, "document.activeElement.id === 'points-amount'")
    gm.type("7")
    gm.tap("#act [aria-label='Take hit points']")
    gm.said()
    assert (gm.taps, gm.typed) == (2, 1)
    (hurt,) = [event for event in newest(fight).events if isinstance(event, DamageTaken)]
    assert (hurt.character, hurt.amount) == ("sherlock-holmes", 7)


def test_hit_points_are_given_back_beside_it(sit: Callable, fight: StoreFiles) -> None:
    gm = hand(sit, GM, DESK)
    gm.tap("[data-who=robin-hood] .fighter-bar")
    wait_until(gm.page, "document.activeElement.id === 'points-amount'")
    gm.type("2d4")
    gm.tap("#act [aria-label='Give hit points']")
    gm.said()
    assert newest(fight).intent.verb == "heal"


def test_a_condition_takes_three_taps_with_how_long(sit: Callable, fight: StoreFiles, size) -> None:
    gm = hand(sit, GM, size)
    gm.tap("[data-who=robin-hood] .fighter-add")
    gm.tap("#afflict-lasts")
    gm.type("3")
    gm.tap("#act .conditions button[value=afraid]")
    gm.said()
    assert gm.taps <= 3
    entry = newest(fight)
    assert [event.condition for event in entry.events if isinstance(event, ConditionBegan)] == ["afraid"]
    assert entry.intent.params["lasts"] == 3


def test_a_condition_ends_with_two_taps(sit: Callable, fight: StoreFiles) -> None:
    with fight.book() as book:
        book.campaign("sherwood").say("afflict robin-hood afraid")
    gm = hand(sit, GM, DESK)
    gm.tap("[data-who=robin-hood] .fighter-open")
    gm.tap(gm.page.locator("#act .tap", has_text="afraid"))
    wait_until(gm.page, "!document.querySelector('[data-who=robin-hood]').textContent.includes('afraid')")


def test_what_cannot_be_done_now_says_why_in_place(sit: Callable, fight: StoreFiles) -> None:
    with fight.book() as book:
        book.campaign("sherwood").say("end-turn --next wolf-1")
    mira = hand(sit, MIRA, DESK)
    mira.tap(".pack-one >> nth=1")
    found = mira.page.locator("#act .tap-not").first
    found.wait_for()
    assert "Longbow at Wolf 2" in found.inner_text()
    assert "already acted" in found.inner_text()


def test_a_player_is_given_no_handle_of_the_gms(sit: Callable, fight: StoreFiles) -> None:
    mira = hand(sit, MIRA, DESK)
    assert mira.page.locator(".fighter-bar, .fighter-add").count() == 0
    mira.tap("[data-who=sherlock-holmes] .fighter-open")
    mira.page.locator("#act .handles").wait_for()
    assert mira.page.locator("#act .points, #act .afflict").count() == 0
    assert mira.page.locator("#act .taps:visible").count() == 0, "an attack on a friend is not where a slip finds it"
