"""Acting in a real browser: by buttons on a telephone, by keyboard, without JavaScript; real dice, clicks in haste, choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled, XCardRaised
from tests.support.pages import DESK, PHONE, HeldRequests, expect, needs_chromium, wait_until
from tests.support.web import GM, JO, MIRA, StoreFiles, copied

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = needs_chromium

TO_ROBIN = ("end-turn --next guard", "end-turn ! 20 3 4 5 6")
"""Turns until it is Robin's again, who has an action then."""


@pytest.fixture
def fight(fight_played: StoreFiles, tmp_path: Path) -> StoreFiles:
    """The fight, at the beginning of a turn of Robin's."""
    files = copied(fight_played, tmp_path)
    with opened(files) as campaign:
        for line in TO_ROBIN:
            campaign.say(line)
    return files


@contextmanager
def opened(files: StoreFiles) -> Iterator[Campaign]:
    with files.book() as book:
        yield book.campaign("sherwood")


def newest(files: StoreFiles) -> RecordedEntry:
    with opened(files) as campaign:
        return campaign.history.entries[-1]


def actions(files: StoreFiles) -> int:
    with opened(files) as campaign:
        return campaign.head.actions


def faces(entry: RecordedEntry) -> list[int]:
    return [die.face for event in entry.events if isinstance(event, DiceRolled) for die in event.dice]


def verb_of(entry: RecordedEntry) -> tuple[str, str]:
    assert entry.intent is not None
    return entry.seat, entry.intent.verb


def pick(page: Page, field: str, value: str) -> Locator:
    """The button of an offer."""
    return page.locator(f"#act-form label.pick:has([name={field}][value={value}])")


@pytest.mark.parametrize("dark", [False, True])
def test_an_attack_by_buttons_alone_on_a_telephone(sit: Callable, fight: StoreFiles, dark: bool) -> None:
    page: Page = sit(MIRA, size=PHONE, dark=dark).open("/c/sherwood")
    page.locator("#act a.verb[href*='/do/attack']").tap()
    pick(page, "target", "guard").tap()
    pick(page, "weapon", "longbow").tap()
    wait_until(page, "document.getElementById('odds').dataset.chance === '95.0 %'")
    button = page.locator("#act-form .btn-main")
    assert "95.0 %" in button.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["y"] + box["height"] <= PHONE[1], "it is in sight without scrolling"
    button.tap()
    page.locator("#act-said").wait_for()
    assert "strikes at Guard" in page.locator("#act-said").inner_text()
    entry = newest(fight)
    assert verb_of(entry) == ("Mira", "attack")
    assert entry.intent.params["target"] == "guard"
    assert entry.intent.params["weapon"] == "longbow"
    spent = page.locator("#act .verbs a.verb-not", has_text="Attack").first
    expect(spent).to_contain_text("has no action left")


def test_the_gm_acts_on_a_telephone_where_the_log_comes_first(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM, size=PHONE).open("/c/sherwood")
    page.locator(".thumbs a[href='#act']").tap()
    page.locator("#act .more > summary", has_text="More to do").tap()
    page.locator("#act .verbs a.verb[href*='/do/move']").tap()
    page.locator("[name=feet]").fill("10")
    page.locator("#act-form .btn-main").tap()
    page.locator("#act-said").wait_for()
    assert verb_of(newest(fight)) == ("Ana", "move")
    with opened(fight) as campaign:
        campaign.say("note The rain begins.")
    wait_until(page, "document.getElementById('entries').textContent.includes('The rain begins.')")
    page.wait_for_timeout(500)
    expect(page.locator("#act .verbs a.verb").first).to_be_visible()


def test_an_attack_by_keyboard_alone(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(MIRA, size=DESK).open("/c/sherwood")
    page.keyboard.press("Tab")
    assert "acting panel" in page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")

    def tab_to(holds: str) -> None:
        for _ in range(60):
            if page.evaluate(f"(({holds})(document.activeElement))"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"nothing is reached of which {holds}")

    tab_to("(at) => at.matches('a.verb') && at.textContent.includes('Attack')")
    page.keyboard.press("Enter")
    page.locator("#act-form").wait_for()
    tab_to("(at) => at.name === 'target'")
    for _ in range(8):
        if page.evaluate("document.activeElement.value") == "guard":
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    wait_until(page, "document.getElementById('odds').dataset.chance === '95.0 %'")
    tab_to("(at) => at.matches('.btn-main')")
    page.keyboard.press("Enter")
    page.locator("#act-said").wait_for()
    entry = newest(fight)
    assert verb_of(entry) == ("Mira", "attack")
    assert entry.intent.params["target"] == "guard"


def test_an_attack_without_javascript(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(MIRA, size=PHONE, scripts=False).open("/c/sherwood")
    page.get_by_role("link", name="Attack").first.click()
    page.get_by_role("radio", name="Guard").check()
    page.get_by_role("button", name="What are the odds?").click()
    assert "95.0 %" in page.locator("#odds").inner_text()
    assert page.get_by_role("radio", name="Guard").is_checked()
    page.locator("#act-form .btn-main").click()
    page.wait_for_url("**/c/sherwood#log")
    assert verb_of(newest(fight)) == ("Mira", "attack")


def test_a_refusal_without_javascript_keeps_what_was_typed(sit: Callable, fight: StoreFiles) -> None:
    guest = sit(MIRA, size=PHONE, scripts=False)
    guest.noticed.expected.append("422")
    page: Page = guest.open("/c/sherwood/do/move")
    page.locator("[name=feet]").fill("300")
    before = actions(fight)
    page.locator("#act-form .btn-main").click()
    field = page.locator("[name=feet]")
    assert field.input_value() == "300"
    assert field.get_attribute("aria-invalid") == "true"
    told = [page.locator(f"#{part}").inner_text() for part in (field.get_attribute("aria-describedby") or "").split()]
    assert any("Robin Hood cannot move that far: 300 feet" in text for text in told)
    assert actions(fight) == before


def test_a_refusal_stands_beside_the_field_and_the_next_try_is_taken(sit: Callable, fight: StoreFiles) -> None:
    guest = sit(MIRA, size=PHONE)
    guest.noticed.expected.append("422")
    page: Page = guest.open("/c/sherwood/do/move")
    page.locator("[name=feet]").fill("300")
    page.locator("#act-form .btn-main").tap()
    page.locator("#f-feet-e").wait_for()
    assert page.locator("[name=feet]").input_value() == "300"
    page.locator("[name=feet]").fill("20")
    page.locator("#act-form .btn-main").tap()
    page.locator("#act-said").wait_for()
    assert newest(fight).intent.params["feet"] == 20


def test_a_real_die_is_typed(sit: Callable, fight: StoreFiles) -> None:
    guest = sit(MIRA, size=PHONE)
    guest.noticed.expected.append("422")
    page: Page = guest.open("/c/sherwood/do/attack?attacker=robin-hood&target=guard&weapon=longbow")
    assert (
        "It takes 2 dice: 1d20 for Robin Hood’s to hit, 1d6 for Robin Hood’s damage."
        in page.locator("#odds").inner_text()
    )
    page.get_by_label("Real dice").fill("17")
    page.locator("#act-form .btn-main").tap()
    page.locator("#f-dice-e").wait_for()
    assert "next comes a d6 for Robin Hood’s damage" in page.locator("#f-dice-e").inner_text()
    assert page.get_by_label("Real dice").input_value() == "17"
    page.get_by_label("Real dice").fill("17 5")
    page.locator("#act-form .btn-main").tap()
    page.locator("#act-said").wait_for()
    assert faces(newest(fight)) == [17, 5]


def test_two_clicks_in_haste_act_once(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(MIRA).open("/c/sherwood/do/move")
    page.locator("[name=feet]").fill("10")
    before = actions(fight)
    page.evaluate("for (let i = 0; i < 3; i++) document.querySelector('#act-form .btn-main').click()")
    page.locator("#act-said").wait_for()
    page.wait_for_timeout(500)
    assert actions(fight) == before + 1


def test_the_panel_follows_the_table_but_takes_nothing_away_that_is_being_filled_in(
    sit: Callable, fight: StoreFiles
) -> None:
    page: Page = sit(MIRA).open("/c/sherwood")
    watching: Page = sit(JO).open("/c/sherwood")
    assert "Robin Hood’s turn" in watching.locator("#act-h").inner_text()
    page.locator("#act .verbs a.verb[href*='/do/move']").click()
    page.locator("[name=feet]").fill("10")
    with opened(fight) as campaign:
        campaign.say("note The rain begins.")
    wait_until(page, "document.getElementById('entries').textContent.includes('The rain begins.')")
    assert page.locator("[name=feet]").input_value() == "10"
    with opened(fight) as campaign:
        campaign.say("end-turn --next sherlock-holmes")
    wait_until(watching, "document.getElementById('act-h').textContent === 'Your turn'")


def become_robin(page: Page) -> None:
    page.locator("select[name=attacker], [name=attacker][value=robin-hood]").first.evaluate(
        "(at) => { if (at.matches('select')) at.value = 'robin-hood'; else at.checked = true;"
        " at.dispatchEvent(new Event('change', { bubbles: true })); }"
    )


def test_another_who_acts_holds_other_things(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM).open("/c/sherwood/do/attack?roll.as=guard")
    assert page.locator("[name=weapon][value=longbow]").count() == 0
    become_robin(page)
    page.locator("[name=weapon][value=longbow]").wait_for(state="attached")


def test_what_is_typed_before_the_form_of_another_has_come_stays(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM).open("/c/sherwood/do/attack?roll.as=guard")
    form = HeldRequests(page, "**/do/attack?*")
    become_robin(page)
    form.wait()
    page.locator("#f-dice").fill("17")
    form.release()
    page.locator("[name=weapon][value=longbow]").wait_for(state="attached")
    assert page.locator("#f-dice").input_value() == "17"


def test_a_line_is_typed_with_words_that_are_offered(sit: Callable, fight: StoreFiles) -> None:
    guest = sit(MIRA)
    guest.noticed.expected += ["422", "404"]
    page: Page = guest.open("/c/sherwood")
    line = page.locator("#line-input")
    line.press_sequentially("attack g", delay=20)
    wait_until(
        page, "[...document.querySelectorAll('#line-words option')].some(({ value }) => value === 'attack guard ')"
    )
    line.fill("attack nobody-here")
    line.press("Enter")
    page.locator("#line-e").wait_for()
    assert line.input_value() == "attack nobody-here"
    line.fill("at gu longbow ! 15 4")
    line.press("Enter")
    wait_until(page, "document.getElementById('line-input').value === ''")
    entry = newest(fight)
    assert verb_of(entry) == ("Mira", "attack")
    assert faces(entry) == [15, 4]


def test_a_card_that_was_tapped_by_mistake_is_withdrawn_on_the_same_page(sit: Callable, fight: StoreFiles) -> None:
    mira: Page = sit(MIRA, size=PHONE).open("/c/sherwood")
    gm: Page = sit(GM).open("/c/sherwood")
    mira.locator(".thumbs .xcard").tap()
    wait_until(gm, "document.getElementById('paused') !== null")
    mira.get_by_role("button", name="It was a mistake").tap()
    wait_until(gm, "document.getElementById('paused') === null")
    assert gm.locator("#entries").inner_text().count("it was a mistake") == 1
    assert mira.locator("#x-mistake").count() == 0
    mira.locator(".thumbs .xcard").tap()
    mira.locator("#x-mistake").wait_for()
    mira.locator("#x-mistake").wait_for(state="detached", timeout=8_000)
    wait_until(gm, "document.getElementById('paused') !== null")


def test_a_dialog_closes_at_its_top_right_and_the_card_is_at_its_foot(sit: Callable, fight: StoreFiles) -> None:
    page: Page = sit(GM).open("/c/sherwood")
    for close in ("button", "escape"):
        page.locator("#entries .card-tools a", has_text="Undo").last.click()
        dialog = page.locator("#dialog[open]")
        dialog.locator(".dialog-close").wait_for()
        shut, card = dialog.locator(".dialog-close").bounding_box(), dialog.locator(".xcard").bounding_box()
        box = dialog.bounding_box()
        assert shut and card and box
        assert "Close" in dialog.locator(".dialog-close").inner_text()
        assert shut["x"] > box["x"] + 0.7 * box["width"] and shut["y"] < box["y"] + 80
        assert card["x"] < box["x"] + 0.3 * box["width"] and card["y"] > box["y"] + 0.6 * box["height"]
        if close == "button":
            dialog.locator(".dialog-close").click()
        else:
            page.keyboard.press("Escape")
        page.locator("#dialog[open]").wait_for(state="detached")
    with opened(fight) as campaign:
        assert not campaign.state.paused


def test_the_x_card_is_one_tap_and_everybody_sees_it(sit: Callable, fight: StoreFiles) -> None:
    mira: Page = sit(MIRA, size=PHONE).open("/c/sherwood")
    jo: Page = sit(JO).open("/c/sherwood")
    gm: Page = sit(GM).open("/c/sherwood")
    mira.locator(".thumbs .xcard").tap()
    for page in (mira, jo, gm):
        wait_until(page, "document.getElementById('paused') !== null")
    entry = newest(fight)
    assert (type(entry.events[0]), entry.seat) == (XCardRaised, "")
    assert [page.locator("#x-mistake").count() for page in (mira, jo, gm)] == [1, 0, 0], "on one's own page alone"
    assert mira.evaluate("history.length") <= 2
    assert mira.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])") == "[{},{}]"
    gm.get_by_role("button", name="Go on in another way").click()
    for page in (mira, jo):
        wait_until(page, "document.getElementById('paused') === null")


def test_a_level_brings_a_choice_that_is_picked_with_a_button(sit: Callable, fight: StoreFiles) -> None:
    lee = type(MIRA)(campaign="sherwood", seat="Lee", role=MIRA.role)
    page: Page = sit(lee, size=PHONE).open("/c/sherwood")
    legend = page.locator("#act legend", has_text="heritage-ability")
    legend.wait_for()
    page.locator("#act .choice .btn", has_text="con").tap()
    page.locator("#act-said").wait_for()
    entry = newest(fight)
    assert verb_of(entry) == ("Lee", "choose")
    assert entry.intent.params["picked"] == "con"
    assert page.locator("#act legend", has_text="heritage-ability").count() == 0
