"""Taps are counted: what a table does most often takes few of them, by mouse and by thumb."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from rollbook.domain.entries import EntryKind
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
        self.page.evaluate("document.getElementById('act-said')?.setAttribute('data-seen', '')")
        self.taps += 1
        found.click()

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.typed += 1
        self.page.keyboard.type(text)

    def said(self) -> str:
        """The outcome of the last tap, when it is there; that of an act before may still be shown."""
        outcome = self.page.locator("#act-said:not([data-seen])")
        outcome.wait_for()
        return outcome.inner_text()


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


def test_four_wolves_take_three_taps(sit: Callable, fight: StoreFiles, size) -> None:
    gm = hand(sit, GM, DESK)
    gm.tap(".arrivals > summary")
    gm.tap(".arrivals-name input")
    for text in ("Dire wolf", "4", "22", "14"):
        gm.type(text)
        gm.page.keyboard.press("Tab")
    gm.tap(".arrivals-row button")
    gm.said()
    assert gm.taps <= 3
    with fight.book() as book:
        people = [who for who in book.campaign("sherwood").state.characters.values() if who.name.startswith("Dire")]
        assert [who.kind for who in people] == ["monster"] * 4
    gm.tap(".beside-fight > summary")
    gm.tap(gm.page.locator(".beside-fight [data-who=dire-wolf-2] .fighter-open"))
    gm.tap(gm.page.locator("#act .tap", has_text="Joins the fight"))
    gm.said()
    with fight.book() as book:
        assert "dire-wolf-2" in book.campaign("sherwood").state.encounter.order


def test_a_fight_of_all_who_are_there_takes_three_taps(sit: Callable, fight: StoreFiles) -> None:
    with fight.book() as book:
        campaign = book.campaign("sherwood")
        campaign.say("end-encounter")
        for who in ("marian", "sheriff", "guard"):
            campaign.say(f"leave {who}")
    gm = hand(sit, GM, DESK)
    tile = gm.page.locator("#act a.verb", has_text="Begin encounter").first
    if not tile.is_visible():
        gm.tap(gm.page.locator("#act .more > summary", has_text="The game"))
    gm.tap(tile)
    gm.tap("#act-form .btn-main")
    gm.said()
    assert gm.taps <= 3
    assert len(newest(fight).intent.params["participants"]) == 7


def test_the_last_act_is_undone_with_one_tap_and_the_apply_of_its_preview(
    sit: Callable, fight: StoreFiles, size
) -> None:
    gm = hand(sit, GM, size)
    gm.tap("[data-who=sherlock-holmes] .fighter-bar")
    wait_until(gm.page, "document.activeElement.id === 'points-amount'")
    gm.type("7")
    gm.tap("#act [aria-label='Take hit points']")
    gm.said()
    gm.taps = 0
    gm.tap("#act-said a")
    apply = gm.page.locator("#dialog").get_by_role("button", name="Apply")
    gm.tap(apply)
    assert gm.taps == 2
    wait_until(gm.page, "!document.querySelector('#dialog').open")
    assert newest(fight).kind is EntryKind.UNDONE


def test_six_verbs_are_in_sight_each_with_a_key_and_what_cannot_be_done_says_why(
    sit: Callable, fight: StoreFiles
) -> None:
    mira = hand(sit, MIRA, DESK)
    tiles = mira.page.locator("#act .verbs a.verb:visible")
    assert tiles.count() == 6
    assert "Attack" in tiles.first.inner_text()
    mira.page.keyboard.press("1")
    mira.page.locator("#act-form").wait_for()
    assert mira.page.locator("#act-verb").inner_text().startswith("Attack")
    mira.page.close()
    with fight.book() as book:
        book.campaign("sherwood").say("end-turn --next wolf-1")
    mira = hand(sit, MIRA, DESK)
    reasons = mira.page.locator("#act .verbs a.verb-not:visible").all_inner_texts()
    assert any("already acted" in text for text in reasons)
    assert mira.page.locator("#act .verbs a.verb:visible").count() == 6


def test_keys_can_be_switched_off_and_never_take_what_is_typed(sit: Callable, fight: StoreFiles) -> None:
    mira = hand(sit, MIRA, DESK)
    mira.page.locator("#line-input").fill("")
    mira.page.keyboard.type("12")
    assert mira.page.locator("#line-input").input_value() == "12"
    mira.tap(".signals > summary")
    mira.page.get_by_label("no keys").check()
    mira.page.locator(".signals > summary").focus()
    mira.page.keyboard.press("1")
    mira.page.wait_for_timeout(400)
    assert mira.page.locator("#act-form").count() == 0


def test_dice_and_who_sees_them_stand_only_where_dice_fall(sit: Callable, fight: StoreFiles) -> None:
    gm = hand(sit, GM, DESK).page
    for address, falls in (
        ("/do/attack", True),
        ("/do/note", False),
        ("/do/end-turn?next=wolf-1", False),
        ("/do/begin-encounter", True),
        ("/do/open-session", False),
    ):
        gm.goto(f"{gm.url.split('/c/')[0]}/c/sherwood{address}")
        assert gm.locator("#f-dice").count() == int(falls), address
        assert gm.get_by_role("group", name="Seen by").is_visible() is falls, address


def test_a_roll_takes_two_taps_and_its_total_is_the_card(sit: Callable, fight: StoreFiles) -> None:
    mira = hand(sit, MIRA, DESK)
    mira.tap(".tray-die:has([value='8'])")
    mira.tap(".tray-roll")
    wait_until(
        mira.page,
        "document.querySelector('#entries').lastElementChild.textContent.includes('(d8)')"
        " || document.querySelector('#entries').lastElementChild.textContent.includes('(1d8)')",
    )
    assert mira.taps == 2
    total = mira.page.locator("#entries > li").last.locator(".card-total b").inner_text()
    assert 1 <= int(total) <= 8
