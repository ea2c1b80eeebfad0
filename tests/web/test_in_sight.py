"""Everything on a page is where it can be read: in its card, in the window, and with nothing over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.wiring import open_book
from tests.support.pages import DESK, PHONE, TABLET, Visitor, expect, needs_chromium, visitor
from tests.support.web import GM, SPECTATOR, StoreFiles, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium

Sit = Callable[..., Visitor]
TABLE = "/c/sherwood"
NAMES = (
    "Fenna Brackwater",
    "Bartholomew the Elder",
    "Sherlock Holmes",
    "Wolf 1",
    "Wolf 2",
    "Wolf 3",
    "Wolf 4",
    "Zoë 🧙🏽‍♂️",
)


@pytest.fixture
def crowd(tmp_path: Path) -> StoreFiles:
    """A fight of eight with long names, of whom several may be next; one wolf lies unconscious."""
    files = StoreFiles(tmp_path / "crowd.db", tmp_path / "seeds")
    with open_book(files.store, files.seeds) as book:
        campaign = book.new("sherwood", "storytoken")
        campaign.say("open-session")
        for name in NAMES:
            campaign.say(f'join "{name}" --kind npc --hp 20 --armour light --stats to_hit=3')
        known = ",".join(who.id for who in campaign.state.characters.values())
        campaign.say(f"begin-encounter {known} --title 'The ford' ! 19 4 5 6 7 8 9 10")
        campaign.say("harm wolf-4 20")
    return files


@pytest.fixture
def sit(a_browser: Any, crowd: StoreFiles) -> Iterator[Sit]:
    with running(crowd) as table, ExitStack() as leaving:

        def sit_down(identity: Identity, **how: Any) -> Visitor:
            return leaving.enter_context(visitor(a_browser, table.address, table.cookies(identity), **how))

        yield sit_down


OVER_THE_EDGE = """() => [...document.querySelectorAll(".fighter")].flatMap((card) => {
  const edge = card.getBoundingClientRect(), when = card.querySelector(".fighter-when").getBoundingClientRect();
  const name = document.createRange();
  name.selectNodeContents(card.querySelector("h3"));
  const isOut = (box) => box.right > edge.right + 1 || box.left < edge.left - 1;
  const isOver = (box) => when.width && box.right > when.left + 1 && box.left < when.right - 1
    && box.bottom > when.top + 2 && box.top < when.bottom - 2;
  return [...name.getClientRects()].filter((box) => isOut(box) || isOver(box))
    .map(() => card.innerText);
})"""
"""The cards of which the name is over the edge, or over the word beside it."""

OUT_OF_ITS_SCROLLER = """() => [...document.querySelectorAll("body *")].filter((at) => {
  if (getComputedStyle(at).position !== "absolute") return false;
  let box = at.parentElement;
  while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
  return box && box !== document.body && box !== document.documentElement && at.offsetParent && !box.contains(at.offsetParent);
}).map((at) => at.outerHTML.slice(0, 120))"""
"""What stretches the page though it stands in a part that scrolls by itself."""


def too_high(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollHeight - innerHeight"))


def test_names_stay_on_their_cards_and_one_at_most_is_next(sit: Sit) -> None:
    for size in (DESK, TABLET, (1_100, 800)):
        page = sit(GM, size=size).open(TABLE)
        page.evaluate("for (const pack of document.querySelectorAll('.pack-all')) pack.open = true")
        expect(page.locator(".fighter[data-who]")).to_have_count(len(NAMES))
        assert page.evaluate(OVER_THE_EDGE) == [], size
    said = page.locator(".fighter[data-who] > .fighter-when").all_inner_texts()
    assert all(re.match(r"\d+", each) for each in said), "with the initiative"
    words = [re.sub(r"^\d+,? ?", "", each) for each in said]
    assert words.count("on turn") == 1
    assert words.count("next") <= 1
    assert words.count("may be next") > 1
    assert words.count("down") == 1
    expect(page.locator("#fight")).to_contain_text("🧙🏽‍♂️")


def test_no_page_of_the_table_scrolls_into_a_blank(sit: Sit) -> None:
    guest = sit(GM)
    page = guest.open(TABLE)
    assert too_high(page) <= 0
    for verb in ("join", "bring-in", "attack", "note"):
        guest.go(page, TABLE)
        page.locator(f"#act a.verb[href*='/do/{verb}']").first.evaluate("link => link.click()")
        expect(page.locator(f"#act-form[action$='/do/{verb}']")).to_have_count(1)
        page.evaluate("for (const fold of document.querySelectorAll('#act details')) fold.open = true")
        if verb == "bring-in":
            who = page.evaluate("new FormData(document.getElementById('act-form')).get('who')")
            assert not who, "nobody in play is a published character"
        assert too_high(page) <= 0, verb
        assert page.evaluate(OUT_OF_ITS_SCROLLER) == []
    page.locator("#entries .card-tools a", has_text="Undo").last.evaluate("link => link.click()")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate(OUT_OF_ITS_SCROLLER) == []
    assert too_high(page) <= 0


def test_who_is_on_turn_is_in_sight_on_the_rooms_screen(sit: Sit, crowd: StoreFiles) -> None:
    page = sit(SPECTATOR, size=(1_400, 900)).open(f"{TABLE}/screen")
    for _ in range(3):
        box = page.locator(".screen-order .now").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900
        whose = page.locator(".screen-order .now h2").inner_text()
        with crowd.book() as book:
            campaign = book.campaign("sherwood")
            fight = campaign.state.encounter
            assert fight is not None
            waiting = [who for who in fight.order if who not in (*fight.acted, fight.current, "wolf-4")]
            campaign.say(f"end-turn --next {waiting[-1]}")
        expect(page.locator(".screen-order .now h2")).not_to_have_text(whose)
    assert page.locator(".screen-order li").count() == len(NAMES)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_loose_roll_shows_its_number_and_what_is_said_of_it_leaves_the_line_free(
    sit: Sit, size: tuple[int, int]
) -> None:
    page = sit(GM, size=size).open(f"{TABLE}#act")
    if size == PHONE:
        page.locator(".thumbs a[href='#act']").click()
    page.locator("#act details.more", has=page.locator("a.verb[href*='/do/roll']")).locator("summary").first.click()
    page.locator("#act a.verb[href*='/do/roll']").click()
    page.locator("[name=expression]").fill("1d20+4")
    page.locator("#f-dice").fill("13")
    page.locator("#act-form .btn-main").click()
    said = page.locator("#act-said")
    expect(said).to_contain_text("17")
    if size == PHONE:
        page.locator(".thumbs a[href='#log']").click()
    expect(page.locator("#entries > li").last.locator(".card-result")).to_have_text(re.compile("17"))
    toast, line = said.bounding_box(), page.locator("#line").bounding_box()
    assert toast
    assert line
    assert toast["y"] + toast["height"] <= line["y"]
    assert toast["height"] < 48


def test_the_gm_does_not_go_on_as_a_wolf_that_lies_there(sit: Sit) -> None:
    page = sit(GM).open(TABLE)
    whose = page.locator("#act-h").inner_text()
    page.locator("#act details.more", has=page.locator("a.verb[href*='/do/roll']")).locator("summary").first.click()
    page.locator("#act a.verb[href*='/do/roll']").click()
    page.locator("[name=expression]").fill("1d20")
    who = page.locator("#act-form select[name=who], #act-form [name=who][value=wolf-4]").first
    who.evaluate("at => at.closest('details')?.setAttribute('open', '')")
    if who.evaluate("at => at.matches('select')"):
        who.select_option("wolf-4")
    else:
        page.locator("#act-form label.pick:has([name=who][value=wolf-4])").click()
    page.locator("#act-form .btn-main").click()
    expect(page.locator("#act-said")).to_be_visible()
    expect(page.locator("#act-form")).to_have_count(0)
    expect(page.locator("#act-h")).to_have_text(whose)
    expect(page.locator("#act")).not_to_have_attribute("data-follow", re.compile("wolf-4"))
    expect(page.locator("#act .verbs a.verb").first).not_to_have_attribute("href", re.compile("wolf-4"))


def test_a_refusal_names_the_field_and_no_option(sit: Sit) -> None:
    guest = sit(GM)
    guest.noticed.expected += ["422", "409"]
    page = guest.open(TABLE)
    page.locator("#act a.verb[href*='/do/end-turn']").first.evaluate("link => link.click()")
    page.locator("#act-form .btn-main").click()
    said = page.locator("#act-e")
    expect(said).to_contain_text("with “Next”")
    assert "--" not in page.locator("#act").inner_text()
