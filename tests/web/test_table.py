"""The table's page in a real browser: it follows what others do, keeps the reader's place, and is found through by keys alone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.support.pages import PHONE, HeldRequests, Visitor, axe, expect, needs_chromium
from tests.support.web import GM, JO, MIRA, SPECTATOR, StoreFiles

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = needs_chromium

TABLE = "/c/sherwood"
Sit = Callable[..., Visitor]


def play(files: StoreFiles, verb: str, **params: object) -> int:
    """Somebody does something in another program. Returns the number of the action."""
    with files.book() as book:
        return book.campaign("sherwood").do(verb, params).action  # type: ignore[arg-type]


def undo(files: StoreFiles, action: int, why: str) -> None:
    """The GM undoes something in another program."""
    with files.book() as book:
        book.campaign("sherwood").corrections.undo(action, reason=why).apply()


def at_end(page: Page) -> bool:
    return bool(page.evaluate("Math.abs(document.getElementById('log-scroll').scrollTop) < 2"))


def test_what_another_program_records_comes_to_every_page_and_secrets_only_to_the_gm(
    sit: Sit, fight: StoreFiles
) -> None:
    pages = [sit(asker).open(TABLE) for asker in (GM, MIRA, SPECTATOR)]
    action = play(fight, "scene", title="A clearing")
    for page in pages:
        expect(page.locator("#entries > .head").last).to_contain_text("A clearing")
        expect(page.locator("#fight")).to_contain_text("A clearing")
    with fight.book() as book:
        book.campaign("sherwood").do("note", {"text": "the spy has gone"}, secret=True)
    expect(pages[0].locator(f"#a{action + 1}")).to_contain_text("The spy has gone")
    play(fight, "scene", title="The camp")
    for page in pages[1:]:
        expect(page.locator("#entries > .head").last).to_contain_text("The camp")
        assert "spy has gone" not in page.content()


def test_a_bell_is_one_request_and_what_is_unfolded_stays_so(sit: Sit, fight: StoreFiles) -> None:
    page = sit(MIRA).open(TABLE)
    number = page.locator("#sheet details.number").first
    number.locator("summary").click()
    expect(number.locator(".why")).to_contain_text("#")
    page.evaluate("document.activeElement.blur()")  # a panel in which somebody is busy is left alone
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    play(fight, "scene", title="A clearing")
    expect(page.locator("#entries > .head").last).to_contain_text("A clearing")
    expect(page.locator("#sheet details.number").first).to_have_attribute("open", "")
    page.wait_for_timeout(300)
    (live,) = [url for url in asked if "/why/" not in url]
    assert urlsplit(live).path == f"{TABLE}/live"
    followed = page.locator("[data-follow]").evaluate_all("all => all.map(each => each.dataset.follow.split('?')[0])")
    assert [each.split("?")[0] for each in parse_qs(urlsplit(live).query)["with"]] == followed
    assert followed == [f"{TABLE}/{panel}" for panel in ("requests", "welcome", "act", "sheets")]


def test_who_acts_reads_on_with_the_answer_and_the_others_after_their_bell(sit: Sit, fight: StoreFiles) -> None:
    page, other = sit(GM).open(TABLE), sit(MIRA).open(TABLE)
    page.locator("#sheet details.number summary").first.click()
    page.evaluate("document.querySelector('#line input[name=line]').focus()")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {urlsplit(request.url).path}"))
    page.keyboard.type("note the oak is hollow")
    asked.clear()
    page.keyboard.press("Enter")
    for each in (page, other):
        expect(each.locator("#entries > li").last).to_contain_text("the oak is hollow")
    expect(page.locator("#sheet details.number").first).to_have_attribute("open", "")
    page.wait_for_timeout(300)
    assert [each for each in asked if each.endswith(("/say", "/live"))] == [f"POST {TABLE}/say"]
    play(fight, "scene", title="A clearing")
    expect(page.locator("#entries > .head").last).to_contain_text("A clearing")
    assert [each for each in asked if each.endswith(("/say", "/live"))][1:] == [f"GET {TABLE}/live"]


def test_what_came_by_another_way_meanwhile_stays_where_an_act_reads_on(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    post = HeldRequests(page, "**/say")
    page.evaluate("document.querySelector('#line input[name=line]').focus()")
    page.keyboard.type("note the oak is hollow")
    page.keyboard.press("Enter")
    post.wait()
    play(fight, "scene", title="A clearing")
    expect(page.locator("#entries > .head").last).to_contain_text("A clearing")
    post.release()
    expect(page.locator("#entries > li").last).to_contain_text("the oak is hollow")
    expect(page.locator("#entries > .head", has_text="A clearing")).to_have_count(1)
    expect(page.locator("#fight")).to_contain_text("A clearing")


def test_what_is_unfolded_while_an_answer_is_on_its_way_stays_so(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    fold = page.locator("#act details.more", has_text="The table").first
    expect(fold).not_to_have_attribute("open", "")
    live = HeldRequests(page, "**/live?*")
    play(fight, "scene", title="A clearing")
    live.wait()
    fold.locator("summary").click()
    expect(fold).to_have_attribute("open", "")
    page.evaluate("document.activeElement.blur(); document.getElementById('act').scrollTop = 40")
    live.release()
    expect(page.locator("#entries > .head").last).to_contain_text("A clearing")
    expect(page.locator("#act details.more", has_text="The table").first).to_have_attribute("open", "")


def test_a_card_that_is_undone_is_struck_through_where_it_stands(sit: Sit, fight: StoreFiles) -> None:
    page = sit(MIRA).open(TABLE)
    number = play(fight, "note", text="the oak is hollow")
    card = page.locator("#entries > li:has-text('the oak is hollow')")
    expect(card).to_have_count(1)
    play(fight, "note", text="so is the ash")
    undo(fight, number, "it was the elm")
    expect(card).to_have_class(re.compile("card-undone"))
    expect(card.locator("s")).to_contain_text("the oak is hollow", ignore_case=True)
    expect(card).to_contain_text("undone by Ana: it was the elm")
    expect(card).to_have_count(1)
    expect(page.locator("#entries > .card-correction").last).to_contain_text("it was the elm")


def test_new_cards_do_not_move_what_somebody_reads_and_are_counted(sit: Sit, fight: StoreFiles) -> None:
    page = sit(JO).open(TABLE)
    assert at_end(page)
    page.locator("#log-scroll").evaluate("it => it.scrollTo({top: -500})")
    card = page.locator("#entries > li:has-text('shaken')").first
    page.wait_for_timeout(50)
    before = page.locator("#a31").bounding_box()
    for words in ("one", "two", "three"):
        play(fight, "note", text=words)
    newer = page.get_by_role("button", name="3 new")
    expect(newer).to_be_visible()
    after = page.locator("#a31").bounding_box()
    assert before and after
    assert abs(before["y"] - after["y"]) < 2
    newer.click()
    expect(newer).to_be_hidden()
    assert at_end(page)
    expect(card).to_have_count(1)
    play(fight, "note", text="four")
    expect(page.locator("#entries > li").last).to_contain_text("four")
    assert at_end(page)
    expect(newer).to_be_hidden()


def test_older_lines_come_as_one_scrolls_up(sit: Sit) -> None:
    page = sit(GM).open(TABLE)
    expect(page.locator("#a36")).to_be_visible()
    assert page.locator("#a2").count() == 0
    page.locator("#log-scroll").evaluate("it => it.scrollTo({top: -it.scrollHeight})")
    expect(page.locator("#a2")).to_have_count(1)
    expect(page.locator("#older")).to_have_count(0)
    numbers = page.locator("#entries > li[id^=a]").evaluate_all("cards => cards.map(({id}) => Number(id.slice(1)))")
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1


def test_one_finds_what_one_looks_for_and_a_wrong_filter_says_why(sit: Sit, fight: StoreFiles) -> None:
    guest = sit(GM)
    guest.noticed.expected.append("422")
    page = guest.open(TABLE)
    box = page.get_by_role("searchbox").or_(page.locator("input[name=q]"))
    box.fill("who=robin verb=attack")
    box.press("Enter")
    expect(page.locator("#found > li.card")).to_have_count(2)
    play(fight, "note", text="meanwhile")
    expect(page.locator("#found > li.card")).to_have_count(2)
    page.locator("input[name=q]").fill("whom=robin")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#q-wrong")).to_contain_text("Did you mean who?")
    expect(page.locator("input[name=q]")).to_have_value("whom=robin")
    page.get_by_role("link", name="All", exact=True).click()
    expect(page.locator("#entries > li").last).to_contain_text("meanwhile")


def test_what_is_new_is_said_to_those_who_hear_the_page(sit: Sit, fight: StoreFiles) -> None:
    page = sit(MIRA).open(TABLE)
    play(fight, "note", text="an owl calls")
    expect(page.get_by_role("log")).to_contain_text("an owl calls")
    expect(page.locator("#spoken")).to_have_attribute("aria-live", "polite")


def test_a_page_that_slept_has_everything_when_it_wakes(sit: Sit, fight: StoreFiles) -> None:
    page = sit(MIRA).open(TABLE)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {get: () => window.asleep}); window.asleep = true;"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    for words in ("first", "second"):
        play(fight, "note", text=f"{words} while asleep")
    page.wait_for_timeout(400)
    assert "while asleep" not in page.locator("#entries").inner_text()
    page.evaluate("window.asleep = false; document.dispatchEvent(new Event('visibilitychange'))")
    for words in ("first", "second"):
        expect(page.locator(f"#entries > li:has-text('{words} while asleep')")).to_have_count(1)


def test_what_was_not_answered_is_asked_for_again_after_a_pause(sit: Sit, fight: StoreFiles) -> None:
    mira = sit(MIRA)
    mira.noticed.expected += ["Failed to load resource", "Failed to fetch"]
    page = mira.open(TABLE)
    asked: list[float] = []

    def fail_at_first(route: Route) -> None:
        asked.append(time.monotonic())
        if len(asked) == 1:
            route.abort()
        elif len(asked) == 2:
            route.fulfill(status=503, content_type="text/html", body="<!doctype html><main><p>Away.</p></main>")
        else:
            route.continue_()

    page.route("**/live?*", fail_at_first)
    play(fight, "note", text="said while the server was away")
    expect(page.locator("#lost")).to_contain_text("The table does not answer")
    expect(page.locator("#entries > li").last).to_contain_text("said while the server was away", ignore_case=True)
    expect(page.locator("#lost")).to_be_hidden()
    assert page.locator("#toast").inner_text() == ""
    page.wait_for_timeout(1_500)
    assert len(asked) == 3
    assert asked[1] - asked[0] > 0.4 and asked[2] - asked[1] > 0.9


def test_ten_tabs_of_one_browser_all_follow(sit: Sit, fight: StoreFiles) -> None:
    guest = sit(GM)
    pages = []
    for _ in range(10):
        page = guest.context.new_page()
        guest.noticed.watch(page)
        pages.append(page)
        page.goto(f"{guest.address}{TABLE}")
        if len(pages) < 10:
            page.evaluate(
                "Object.defineProperty(document, 'hidden', {get: () => true});"
                "document.dispatchEvent(new Event('visibilitychange'))"
            )
    play(fight, "note", text="ten tabs")
    expect(pages[-1].locator("#entries > li").last).to_contain_text("ten tabs")


def test_a_telephone_shows_one_part_at_a_time_and_the_bar_leads_to_each(sit: Sit) -> None:
    page = sit(MIRA, size=PHONE).open(TABLE)
    shown = {"Act": "#act", "Log": "#log", "Sheet": "#sheet"}
    expect(page.locator("#act")).to_be_visible()
    expect(page.locator("#log")).to_be_hidden()
    for name, part in shown.items():
        page.get_by_role("navigation", name="Parts of the page").get_by_role("link", name=name).tap()
        expect(page.locator(part)).to_be_visible()
        for other in set(shown.values()) - {part}:
            expect(page.locator(other)).to_be_hidden()
    page.get_by_role("navigation", name="Parts of the page").get_by_role("link", name="Fight").tap()
    expect(page.locator(".fighter-now")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_the_table_is_walked_through_by_keys_alone(sit: Sit) -> None:
    page = sit(GM).open(TABLE)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the acting panel"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert "log-scroll" in reached
    assert any("tool" in name.split() for name in reached)


def test_without_scripts_everything_is_read_and_links_lead_on(sit: Sit) -> None:
    page = sit(MIRA, scripts=False).open(TABLE)
    expect(page.locator("#a36")).to_contain_text("Hit")
    expect(page.locator("noscript").last).to_contain_text("Look again", use_inner_text=True)
    page.get_by_role("link", name="Older lines").click()
    expect(page.locator("#found")).to_contain_text("The campaign Sherwood begins")
    page.locator("input[name=q]").fill("verb=attack who=robin")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#found > li.card")).to_have_count(2)
    page.locator("#a20 .card-no a").click()
    expect(page.locator("#a20 .was")).to_contain_text("The Sheriff −15 HP")
    page.locator("#a20 summary").click()
    expect(page.locator("#a20 .rolls")).to_be_visible()


def test_the_rooms_screen_follows_and_knows_no_secret(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(f"{TABLE}/screen")
    assert "Spy" not in page.content()
    play(fight, "note", text="a horn, far away")
    expect(page.get_by_role("region", name="The latest result")).to_contain_text("A horn, far away")


def test_what_the_server_does_not_know_leaves_the_page_as_it_was_and_is_said(sit: Sit) -> None:
    guest = sit(GM)
    guest.noticed.expected.append("404")
    page = guest.open(TABLE)
    page.evaluate("htmx.ajax('GET', '/c/sherwood/nowhere', {target: '#sheet', swap: 'outerHTML'})")
    expect(page.locator("#toast")).to_contain_text("There is no such page at this table.")
    expect(page.locator("#sheet")).to_have_count(1)
    expect(page.locator("header.top")).to_have_count(1)


def test_a_verb_that_is_chosen_leads_to_its_form_by_keys_too(sit: Sit) -> None:
    page = sit(GM).open(TABLE)
    page.get_by_role("navigation", name="What to do").get_by_role("link", name="Attack").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#act-verb")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.form.id") == "act-form"
    assert page.evaluate("scrollY") == 0


def test_a_card_that_comes_twice_stands_there_once(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    before = page.locator("#cursor").input_value()
    play(fight, "note", text="the log was fresh already")
    expect(page.locator("#entries > li").last).to_contain_text("the log was fresh already")
    page.evaluate("cursor => { document.getElementById('cursor').value = cursor; }", before)
    play(fight, "note", text="and one more")
    expect(page.locator("#entries > li").last).to_contain_text("and one more")
    ids = page.locator("#entries > li[id]").evaluate_all("cards => cards.map(({id}) => id)")
    assert len(ids) == len(set(ids))


def test_a_card_is_undone_by_keys_alone_and_one_is_at_the_card_again(sit: Sit, fight: StoreFiles) -> None:
    page = sit(GM).open(TABLE)
    play(fight, "note", text="the wrong oak")
    card = page.locator("#entries > li", has_text="the wrong oak").first
    card.get_by_role("link", name="Undo").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Nothing is recorded yet")
    hindrances = axe()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert [each["id"] for each in hindrances.run(page).response["violations"]] == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert card.evaluate("card => card.contains(document.activeElement)")
    card.get_by_role("link", name="Undo").focus()
    page.keyboard.press("Enter")
    dialog.get_by_label("Why?").focus()
    page.keyboard.type("it was the ash")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(card).to_contain_text("undone by Ana: it was the ash")
    assert card.evaluate("card => card.contains(document.activeElement)")


def test_without_scripts_a_card_is_undone_by_links_and_forms(sit: Sit, fight: StoreFiles) -> None:
    number = play(fight, "note", text="the wrong oak")
    page = sit(GM, scripts=False).open(TABLE)
    page.locator(f"#a{number}").get_by_role("link", name="Undo").click()
    for _ in range(20):
        if page.get_by_role("button", name="Apply").count():
            break
        page.wait_for_timeout(200)
        page.get_by_role("button", name="Look again").or_(page.get_by_role("button", name="Apply")).first.click()
    page.get_by_label("Why?").fill("it was the ash")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(f"#a{number}")).to_contain_text("undone by Ana: it was the ash")
