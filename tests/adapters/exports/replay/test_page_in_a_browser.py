"""The page of a replay in Chromium: opened from disk without a network, dragged, watched both ways, and verified.

Every page that ``opened`` opens must ask nothing of a network, break no rule of its own policy, and say nothing in its console.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rollbook.application.campaign import Campaign
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.example_sessions import played_example
from tests.support.hostile import ELSEWHERE, RAW
from tests.support.pages import DESK, PHONE, Opened, drawn, needs_chromium, wait_until
from tests.support.replay_pages import replay_file, with_another_die, with_frames, with_part

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium


def ready(page: Page) -> Page:
    """The page, once all that it carries is unpacked."""
    page.wait_for_selector("html[data-ready]")
    return page


def verdict(page: Page) -> str:
    """Its answer, once there is one."""
    page.wait_for_selector("#answer[data-verdict]")
    return str(page.get_attribute("#answer", "data-verdict"))


def where(page: Page) -> str:
    return drawn(page).inner_text("#where")


def hit_points(page: Page, name: str) -> str:
    return drawn(page).inner_text(f".fighter:has-text('{name}') .fighter-hp")


def test_it_opens_from_disk_where_somebody_is_there_to_be_seen(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file))
    assert where(page).startswith("Entry 8 of 48: Robin Hood")
    assert page.locator(".fighter").count() == 1
    assert page.title() == "The Silver Arrow, watched again · rollbook"
    assert page.get_attribute("#marks", "aria-label") == (
        "Marks: scenes at entries 14, 18, 40; rounds at entries 19, 29; level-ups at entries 45; X-cards at entries 34; "
        "corrections at entries 30, 38, 46"
    )


def test_dragging_the_bar_moves_the_fight_and_the_log_along(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file))
    bar = page.locator("#at").bounding_box()
    assert bar is not None
    y = bar["y"] + bar["height"] / 2
    page.mouse.move(bar["x"] + 12, y)
    page.mouse.down()
    page.mouse.move(bar["x"] + 12 + (bar["width"] - 24) * 21 / 47, y, steps=12)
    page.mouse.up()
    wait_until(page, "document.querySelectorAll('#log .card').length > 9")
    assert where(page) == "Entry 22 of 48: Guard strikes at Robin Hood with the medium melee"
    assert hit_points(page, "Robin Hood") == "30 of 36 −6"
    assert page.locator("#log .card").last.inner_text().startswith("#22")
    assert page.inner_text(".lane[data-of=robin-hood] b") == "30 of 36"


def test_a_frame_that_comes_late_does_not_shorten_the_log(opened: Opened, page_file: Path) -> None:
    page = opened(page_file)
    page.context.add_init_script(
        "requestAnimationFrame = (does) => setTimeout(does, 400); cancelAnimationFrame = clearTimeout;"
    )
    page.reload()
    ready(page).evaluate("location.hash = '#22'")
    wait_until(page, "document.querySelectorAll('#log .card').length > 9")
    assert drawn(page).locator("#log .card").count() > 9


def test_keys_alone_go_everywhere(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file))
    for key, entry in (
        *(
            ("Home", 1),
            ("ArrowRight", 2),
            ("PageDown", 6),
            ("PageDown", 14),
            ("PageDown", 18),
            ("ArrowRight", 19),
            ("ArrowRight", 20),
        ),
        *(("Shift+ArrowRight", 21), ("Shift+ArrowRight", 23), ("Shift+ArrowLeft", 21), ("ArrowLeft", 20)),
        *(("c", 30), ("c", 38), ("C", 30), ("[", 18), ("End", 48), ("Home", 1)),
    ):
        page.keyboard.press(key)
        wait_until(page, f"document.getElementById('at').value === '{entry - 1}'")
    page.keyboard.press("g")
    page.keyboard.type("#31\n")
    wait_until(page, "document.getElementById('at').value === '31'")
    assert where(page).startswith("Entry 32 of 48")


def test_it_plays_by_itself_and_stops(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file, calm=True))
    page.select_option("#pace", "5")
    page.keyboard.press("Space")
    wait_until(page, "Number(document.getElementById('at').value) > 3")
    assert page.inner_text("#play").strip() == "Pause"
    page.keyboard.press("Space")
    stopped = page.input_value("#at")
    page.wait_for_timeout(500)
    assert page.input_value("#at") == stopped
    page.select_option("#pace", "pace60")
    page.click("#play")
    wait_until(page, f"Number(document.getElementById('at').value) > {stopped}")


@pytest.mark.parametrize(("fragment", "entry"), [("#31", 32), ("#@47", 47), ("#1", 1)])
def test_an_address_opens_at_an_action_or_an_entry(opened: Opened, page_file: Path, fragment: str, entry: int) -> None:
    page = ready(opened(page_file, fragment))
    wait_until(page, f"document.getElementById('at').value === '{entry - 1}'")


def test_a_number_that_is_not_there_is_said_to_be_missing(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file))
    page.fill("#go", "#999")
    page.press("#go", "Enter")
    assert "Nothing here is called #999" in page.inner_text("#go-error")
    assert page.get_attribute("#go", "aria-invalid") == "true"


def test_as_it_was_then_has_the_mistake_and_as_corrected_has_not(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file, "#22"))
    page.wait_for_selector("#log .card:has-text('will be undone')")
    assert hit_points(page, "Robin Hood") == "30 of 36 −6"
    page.check("input[name=course][value='1']", force=True)
    page.wait_for_selector("#log .card-undone")
    assert hit_points(page, "Robin Hood") == "36 of 36"
    assert hit_points(page, "The Sheriff") == "40 of 40"
    card = page.locator("#log .card:has-text('#20')")
    assert "Miss" in card.inner_text()
    assert card.locator(".outcomes s").inner_text() == "Hit; The Sheriff −15 HP"
    page.keyboard.press("v")
    wait_until(page, "document.querySelector('[name=course]').checked")
    assert hit_points(page, "The Sheriff") == "25 of 40"


def test_the_moment_of_a_correction_shows_both_sides(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file, "#@46"))
    page.wait_for_selector("#sides-panel:not([hidden])")
    said = page.inner_text("#sides")
    assert "he wore plate from the start" in said
    row = [page.inner_text(f"#sides tbody tr {cell}") for cell in ("th", "s", "ins")]
    assert (row[0].split("\n")[0].strip(), *row[1:]) == ("The Sheriff hit points", "25 of 40", "40 of 40") or row[
        0
    ].startswith("The Sheriff")
    page.keyboard.press("ArrowRight")
    wait_until(page, "document.getElementById('at').value === '46'")
    assert page.inner_text("#sides") == said
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#sides-panel[hidden]", state="attached")


HONEST = [["chain", "VERIFIED"], ["dice", "VERIFIED"], ["drawing", "UNPROVEN"]]
"""The answers of an honest page on which something is drawn that only the rules give."""


def answers(page: Page) -> list[list[str]]:
    """Each part and its verdict, once there are any."""
    verdict(page)
    return [row.split()[:2] for row in page.locator(".verdict li").all_inner_texts()]


def test_verify_proves_chain_and_dice_and_compares_the_drawing(opened: Opened, page_file: Path) -> None:
    page = ready(opened(page_file))
    page.click("#verify-now")
    assert answers(page) == HONEST
    assert "78 drawn values that only the rules give" in page.locator(".verdict li").last.inner_text()
    assert "What this page cannot know" in page.inner_text("#answer")
    assert "physical dice, which nobody can prove: 25" in page.inner_text("#answer")
    assert (
        page.locator(".stamp-open .stamp-field").evaluate("it => getComputedStyle(it).backgroundColor")
        == "rgb(138, 90, 0)"
    )


def test_an_address_that_ends_in_verify_verifies_at_once(opened: Opened, page_file: Path, sherwood: Campaign) -> None:
    page = opened(page_file, "#verify")
    assert answers(page) == HONEST
    page.fill("#receipt", str(sherwood.receipt()))
    page.press("#receipt", "Enter")
    wait_until(page, "!document.getElementById('verify-now').disabled")
    assert answers(page) == HONEST
    page.fill("#receipt", "sherwood @48 AAAAA-AAAAA-AAAAA-AAAAA-AAAAAA")
    page.press("#receipt", "Enter")
    page.wait_for_selector("#answer[data-verdict=FAILED]")
    assert "no entry here has the receipt" in page.inner_text("#answer")


def test_without_webcrypto_plain_javascript_verifies(opened: Opened, page_file: Path) -> None:
    page = opened(page_file)
    page.context.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.goto(f"{page_file.as_uri()}#verify")
    page.reload()
    assert page.evaluate("crypto.subtle === undefined")
    assert answers(page) == HONEST


def test_one_changed_digit_of_a_die_fails_with_the_entry_named(opened: Opened, page_file: Path) -> None:
    forged = with_part(page_file, "chain", with_another_die)
    page = opened(forged, "#verify")
    assert verdict(page) == "FAILED"
    assert "the entry after 18 good ones, @19: the next one was changed" in page.inner_text("#answer").replace(
        "\n", " "
    )
    assert page.locator(".stamp-bad").count() == 1


def _hurt(frames: dict[str, object]) -> None:
    changes = frames["changes"]
    assert isinstance(changes, list)
    changes[21]["people"]["robin-hood"]["left"] = 3


def _heal_as_corrected(frames: dict[str, object]) -> None:
    corrected = frames["corrected"]
    assert isinstance(corrected, dict)
    corrected["changes"][23] = {"people": {"guard": {"left": 30}}}


def _say(frames: dict[str, object]) -> None:
    steps = frames["steps"]
    assert isinstance(steps, list)
    steps[21]["text"] = steps[21]["text"].replace("−6", "−26")


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (_hurt, "entry @22: hit points of Robin Hood change by -33 in the drawing, and by -6 in its events"),
        (
            _heal_as_corrected,
            "entry @24: hit points of Guard change by -10 in the drawing as corrected, and by -17 in its events",
        ),
        (
            _say,
            "its line says “21 against 15: hit; Robin Hood −26 HP”, and its events say “21 against 15: hit; Robin Hood −6 HP”",
        ),
    ],
)
def test_what_is_drawn_and_not_so_in_the_chain_fails(opened: Opened, page_file: Path, forge: object, said: str) -> None:
    page = opened(with_frames(page_file, forge), "#verify")  # type: ignore[arg-type]
    assert verdict(page) == "FAILED"
    assert said in page.inner_text("#answer")


def test_a_board_of_squares_is_drawn_where_the_game_names_squares(opened: Opened, tmp_path: Path) -> None:
    path = replay_file(played_example("carrow-bridge", tmp_path), tmp_path / "bridge.html", "")
    page = ready(opened(path, "#35"))
    page.wait_for_selector("#board svg.board")
    pieces = page.locator("#board svg.board g[role=img]").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert "Brannoc, 0 of 42, prone, incapacitated, on 4,0" in pieces
    page.keyboard.press("Home")
    page.wait_for_selector("#board-panel[hidden]", state="attached")


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_wider_than_the_window_and_every_control_has_a_name(
    opened: Opened, page_file: Path, size: tuple[int, int], dark: bool
) -> None:
    page = ready(opened(page_file, "#22", size=size, dark=dark))
    wait_until(page, "document.querySelectorAll('#log .card').length > 9")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    nameless = page.locator("button, input, select, summary").evaluate_all(
        "all => all.filter((one) => one.checkVisibility() && !(one.ariaLabel || one.innerText.trim() || one.labels?.length))"
        ".map((one) => one.outerHTML)"
    )
    assert nameless == []


def test_hostile_names_are_letters_and_nothing_else(opened: Opened, tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    words = f'{ELSEWHERE} "><img src=x onerror=alert(1)></script><script>alert(2)</script> [[x]] ../x %%script%%'
    campaign.do("note", {"text": words + "".join(RAW).replace("\x00", "")})
    campaign.do("scene", {"title": words[:80]})
    path = replay_file(campaign, tmp_path / "hostile.html", "")
    page = ready(opened(path))
    page.keyboard.press("End")
    wait_until(page, "document.querySelectorAll('#log li').length > 5")
    shown = page.inner_text("#log")
    assert "<script>alert(1)</script>" in shown
    assert "onerror=alert(1)" in shown
    assert not any(mark in shown for mark in ("\u202e", "\u2066", "\x1b"))
    assert page.locator("img").count() == 0


def test_with_pseudonyms_there_are_no_names_of_people_and_nothing_to_verify(
    opened: Opened, sherwood: Campaign, tmp_path: Path
) -> None:
    path = replay_file(sherwood, tmp_path / "nobody.html", "", pseudonyms=True)
    page = ready(opened(path, "#20"))
    assert page.is_disabled("#verify-now")
    assert "nothing to verify" in page.inner_text("#answer")
    wait_until(page, "document.querySelector('#log').innerText.includes('Seat 1 sits down')")
