"""The Sherwood session, played by a GM and two players in browsers of their own, while the room's screen follows.

Everything is done on the pages, as people would: links are taken, dice typed, mistakes undone on their cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from tests.support.pages import DESK, PHONE, Visitor, expect, needs_chromium, visitor
from tests.support.web import GM, SPECTATOR, Running, running
from tests.support.web_tables import at_the_beginning

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = needs_chromium

TABLE = "/c/sherwood"


@attrs.define
class Player:
    """Somebody at the table, with the page that they have open. ``left_at`` is the newest card when it was left to act."""

    page: Page
    left_at: str = ""

    def show(self, part: str) -> None:
        """On a telephone, that part of the page."""
        link = self.page.locator(f".thumbs a[href='#{part}']")
        if link.is_visible():
            link.click()

    def newest(self) -> Locator:
        """The last card of the log."""
        return self.page.locator("#entries > li").last

    def card(self, words: str) -> Locator:
        """The card that says this."""
        return self.page.locator("#entries > li", has_text=words).last

    def verb(self, name: str) -> None:
        """Choose what to do, from the buttons; one that does not fit the moment is in a fold."""
        self.show("act")
        self.look_beyond_the_welcome()
        act = self.page.locator("#act")
        other = act.get_by_role("link", name="Do something else")
        if other.is_visible():
            other.click()
        button = act.locator("a.verb", has_text=re.compile(f"^{name} ")).first
        expect(button).to_be_attached()
        fold = act.locator(
            "details.more:not([open])", has=self.page.locator("a.verb", has_text=re.compile(f"^{name} "))
        )
        if fold.count():
            fold.first.locator("summary").first.click()
        button.click()
        expect(self.page.locator("#act-verb")).to_contain_text(name)

    def look_beyond_the_welcome(self) -> None:
        """Before anybody plays, the buttons are on a page of their own."""
        everything = self.page.get_by_role("link", name="All that can be done already")
        if everything.is_visible():
            self.left_at = self.newest().get_attribute("id") or ""
            everything.click()
            self.page.wait_for_selector(".act-page #act")

    def come_back(self) -> None:
        """From that page to the table."""
        self.page.get_by_role("link", name="Back to the table").click()
        self.page.wait_for_selector("html[data-ready] #entries", state="attached")

    def act_as(self, name: str) -> None:
        """Act for somebody else, as the GM may."""
        with self.page.expect_response("**/act?*"):
            self.page.get_by_label("Act as").select_option(label=name)
        expect(self.page.locator("#act")).to_have_attribute("data-follow", re.compile(f"who={name.lower()}"))

    def pick(self, field: str, value: str) -> None:
        """Say a parameter, where the form offers it; some have to be unfolded."""
        found = self.page.locator(f"#act-form label.pick:has([name='{field}'][value='{value}'])")
        self.unfold(found)
        found.click()

    def unfold(self, field: Locator) -> None:
        """Have a field shown that is said seldom."""
        expect(field).to_be_attached()
        folds = field.locator("xpath=ancestor::details[not(@open)]")
        while folds.count():
            folds.first.locator("> summary").click()

    def fill(self, field: str, value: str) -> None:
        """Type a parameter into the form, of which some have to be unfolded."""
        found = self.page.locator(f"#act-form [name='{field}']")
        self.unfold(found)
        found.fill(value)

    def select(self, field: str, value: str) -> None:
        """Say a parameter, out of a list that opens."""
        found = self.page.locator(f"#act-form select[name='{field}']")
        self.unfold(found)
        found.select_option(value)

    def do(self) -> None:
        """Take the action that is filled in; it is recorded, and stands in the log."""
        is_away = self.page.locator("#entries").count() == 0
        before = self.left_at if is_away else self.newest().get_attribute("id")
        with self.page.expect_response(lambda answer: answer.request.method == "POST" and "/do/" in answer.url) as said:
            self.page.locator("#act-form .btn-main").click()
        assert said.value.ok, self.page.locator("#act-form .error").all_inner_texts()
        if is_away:
            self.come_back()
        expect(self.page.locator(f"#entries > li:last-child:not([id='{before}'])")).to_have_count(1)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Running]:
    with running(at_the_beginning(tmp_path)) as server:
        yield server


def seated(leaving: ExitStack, browser: Browser, table: Running, gm: Page, name: str, size: tuple[int, int]) -> Player:
    """A player who takes the link that the GM makes on the page of seats, and comes to the table with it."""
    gm.goto(f"{table.address}{TABLE}/gm/seats")
    gm.get_by_role("article", name=name).get_by_role("button", name="New link").click()
    link = gm.locator("#link").input_value()
    guest = leaving.enter_context(visitor(browser, table.address, (), size=size))
    page = guest.open(link.removeprefix(table.address))
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"**{TABLE}")
    page.wait_for_selector("html[data-ready]")
    return Player(page)


@attrs.define
class Group:
    """All who are there: the GM at a desk, Mira with a telephone, Jo with a laptop, and the room's screen."""

    gm: Player
    mira: Player
    jo: Player
    room: Page

    @property
    def everybody(self) -> tuple[Player, ...]:
        return (self.gm, self.mira, self.jo)

    def points(self, name: str) -> Locator:
        """Somebody's hit points on Jo's page."""
        return self.jo.page.locator(".fighter", has_text=name).locator(".fighter-hp")


ARROW, MISTAKE = "strikes at The Sheriff", "strikes at Robin Hood"


@pytest.fixture
def group(a_browser: Any, table: Running) -> Iterator[Group]:
    """Everybody, seated by the links that the GM made."""
    with ExitStack() as leaving:
        rooms = table.cookies(SPECTATOR)  # before anybody asks: another program makes that seat
        host: Visitor = leaving.enter_context(visitor(a_browser, table.address, table.cookies(GM)))
        gm = Player(host.open(TABLE))
        mira = seated(leaving, a_browser, table, gm.page, "Mira", PHONE)
        jo = seated(leaving, a_browser, table, gm.page, "Jo", DESK)
        host.go(gm.page, TABLE)
        room: Visitor = leaving.enter_context(visitor(a_browser, table.address, rooms))
        yield Group(gm, mira, jo, room.open(f"{TABLE}/screen"))


def test_a_session_from_the_first_link_to_the_audit(group: Group) -> None:
    the_session_opens(group)
    the_gm_rolls_behind_the_screen(group)
    mira_shoots_from_her_telephone(group)
    a_mistake_is_undone_on_its_card(group)
    the_past_is_amended(group)
    the_x_card_is_raised(group)
    a_level_is_gained(group)
    the_session_is_closed(group)
    the_history_is_audited(group)


def the_session_opens(group: Group) -> None:
    """A player mixes in a line, the GM brings in who is known, and makes newcomers: all by their forms."""
    gm, mira = group.gm, group.mira
    gm.verb("Open session")
    gm.fill("title", "The Silver Arrow")
    gm.do()
    mira.verb("Entropy")
    mira.fill("text", "the oak, the ash and the thorn")
    mira.do()
    for who, seat in (("robin-hood", "Mira"), ("sherlock-holmes", "Jo")):
        gm.verb("Bring in")
        gm.pick("who", who)
        gm.pick("seat", seat)
        gm.do()
    marian_joins(gm)
    foe_joins(gm, "The Sheriff", hp="40", armour="medium", stats="to_hit=4,damage=2", id="sheriff")
    foe_joins(gm, "Guard", hp="40", armour="light", stats="to_hit=3", id="guard")
    gm.verb("Scene")
    gm.fill("title", "The road through Sherwood")
    gm.do()
    for player in group.everybody:
        expect(player.page.locator("#entries > .head").last).to_contain_text("The road through Sherwood")


def marian_joins(gm: Player) -> None:
    """A player's character, with everything that its form asks for."""
    gm.verb("Join")
    gm.fill("name", "Marian")
    gm.pick("seat", "Jo")
    gm.select("heritage", "human")
    for role in ("thieving", "wilderness", "noble"):
        gm.pick("roles", role)
    gm.fill("scores", "11,15,12,14,13,16")
    gm.fill("hit_dice", "4")
    gm.do()


def foe_joins(gm: Player, name: str, *, is_secret: bool = False, **said: str) -> None:
    """Somebody whom the GM plays."""
    gm.verb("Join")
    gm.fill("name", name)
    gm.pick("kind", "npc")
    gm.pick("armour", said.pop("armour"))
    for field, value in said.items():
        gm.fill(field, value)
    if is_secret:
        gm.pick("roll.secret", "yes")
    gm.do()


def the_gm_rolls_behind_the_screen(group: Group) -> None:
    """Seen by the GM only: nobody else gets a card, a name or a gap in the numbers."""
    gm = group.gm
    foe_joins(gm, "Spy", is_secret=True, hp="8", armour="light")
    expect(gm.card("Spy comes in")).to_have_class(re.compile("card-secret"))
    last = [player.newest().get_attribute("id") for player in (group.mira, group.jo)]
    gm.verb("Roll")
    gm.fill("expression", "1d20")
    gm.pick("roll.secret", "yes")
    gm.fill("roll.why", "does the spy hide")
    gm.do()
    expect(gm.card("does the spy hide")).to_contain_text("GM only")
    expect(gm.card("does the spy hide")).to_have_class(re.compile("card-secret"))
    assert [player.newest().get_attribute("id") for player in (group.mira, group.jo)] == last
    for page in (group.mira.page, group.jo.page, group.room):
        assert not re.search("spy|1d20|GM only", page.content(), re.IGNORECASE)


def mira_shoots_from_her_telephone(group: Group) -> None:
    """Real dice, typed; the odds are there before."""
    gm, mira = group.gm, group.mira
    gm.verb("Begin encounter")
    faces = {"robin-hood": "16", "sherlock-holmes": "9", "sheriff": "10", "guard": "5"}
    boxes = gm.page.locator("#act-form [name='participants']:checked")
    for who in boxes.evaluate_all("boxes => boxes.map((box) => box.value)"):
        if who not in faces:
            gm.page.locator(f"#act-form [name='participants'][value='{who}']").uncheck()
    gm.fill("title", "The ambush")
    order = gm.page.locator("#act-form [name='participants']:checked").evaluate_all(
        "boxes => boxes.map((box) => box.value)"
    )
    gm.page.locator("#f-dice").fill(" ".join(faces[who] for who in order))
    gm.do()
    mira.show("act")
    expect(mira.page.locator("#act-h")).to_contain_text("Your turn")
    mira.verb("Attack")
    mira.pick("target", "sheriff")
    mira.pick("weapon", "longbow")
    mira.fill("distance", "120")
    mira.page.locator("#f-dice").fill("17 5 4")
    expect(mira.page.locator("#go-chance")).to_contain_text("%")
    mira.do()
    for player in group.everybody:
        expect(player.card(ARROW).locator(".card-result")).to_contain_text("Hit")
        expect(player.card(ARROW).locator(".card-total")).to_contain_text("16")
    expect(group.room.get_by_role("region", name="The latest result")).to_contain_text("Hit; The Sheriff −15 HP")
    expect(group.points("The Sheriff")).to_contain_text("25 of 40")
    for page in (mira.page, group.jo.page, group.room):
        assert not re.search("spy", page.content(), re.IGNORECASE)


def a_mistake_is_undone_on_its_card(group: Group) -> None:
    """The preview comes first; then it stands struck through everywhere."""
    group.mira.verb("End turn")
    group.mira.pick("next", "guard")
    group.mira.do()
    expect(group.gm.page.locator("#act-h")).to_contain_text("Guard")
    group.gm.act_as("Guard")
    group.gm.verb("Attack")
    group.gm.pick("target", "robin-hood")
    group.gm.page.get_by_label("Weapon: another").select_option("medium-melee")
    group.gm.page.locator("#f-dice").fill("18 6")
    group.gm.do()
    expect(group.points("Robin Hood")).to_contain_text("30 of 36")
    group.gm.card(MISTAKE).get_by_role("link", name="Undo").click()
    dialog = group.gm.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Nothing is recorded yet")
    dialog.get_by_label("Why?").fill("out of reach: he was 120 feet away")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    for player in group.everybody:
        expect(player.card(MISTAKE)).to_have_class(re.compile("card-undone"))
        expect(player.card(MISTAKE)).to_contain_text("undone by Ana: out of reach")
    expect(group.points("Robin Hood")).to_contain_text("36 of 36")


def the_past_is_amended(group: Group) -> None:
    """The Sheriff wore plate from the start: the arrow missed, and no wound is left of it."""
    group.gm.card("The Sheriff comes in").get_by_role("link", name="Amend").click()
    dialog = group.gm.page.get_by_role("dialog")
    dialog.locator("label.pick:has([name='armour'][value='heavy'])").click()
    dialog.get_by_label("Why?").fill("he wore plate from the start")
    dialog.get_by_role("button", name="Look at the preview").click()
    expect(dialog).to_contain_text("Comes out differently")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()
    for player in group.everybody:
        expect(player.card(ARROW).locator(".card-result")).to_contain_text("Miss")
        expect(player.card(ARROW).locator(".was")).to_contain_text("The Sheriff −15 HP")
    expect(group.points("The Sheriff")).to_contain_text("40 of 40")


def the_x_card_is_raised(group: Group) -> None:
    """One tap; everybody sees it, and nobody sees who."""
    group.mira.page.locator(".thumbs .xcard").tap()
    for player in group.everybody:
        expect(player.page.locator("#fight")).to_contain_text("The X-card is on the table")
        expect(player.card("raises the X-card")).to_have_count(1)
        assert "Mira" not in str(player.card("raises the X-card").text_content())
    expect(group.room.locator(".screen-x")).to_be_visible()
    group.gm.page.locator("#paused").get_by_role("button", name="Go on in another way").click()
    for player in group.everybody:
        expect(player.page.locator("#fight")).not_to_contain_text("The X-card is on the table")


def a_level_is_gained(group: Group) -> None:
    """Experience by the GM's form; what comes with the level is picked by the player, from buttons."""
    gm, jo = group.gm, group.jo
    gm.verb("End encounter")
    gm.do()
    gm.verb("Award")
    gm.page.locator("#act-form label.pick:has([name='who'][value='marian'])").click()
    gm.fill("amount", "8000")
    gm.fill("reason", "the silver arrow")
    gm.do()
    expect(jo.card("gains three levels").locator(".card-result")).to_contain_text("Marian")
    offered = jo.page.locator("#act form.choice", has_text="Marian may choose")
    expect(offered).to_have_count(1)
    expect(group.mira.page.locator("#act form.choice")).to_have_count(0)
    fold = jo.page.locator("#act details.more:not([open])", has=jo.page.locator("form.choice"))
    if fold.count():
        fold.locator("summary").click()
    offered.locator("button[value='dex+2']").click()
    expect(offered).to_have_count(0)
    expect(gm.newest()).to_contain_text("Marian")
    expect(gm.page.locator("#act form.choice")).to_have_count(0)


def the_session_is_closed(group: Group) -> None:
    """Its seed is revealed with it, so that its dice can be checked."""
    group.gm.verb("Close session")
    group.gm.do()
    expect(group.jo.page.locator("h1")).to_contain_text("session 1, The Silver Arrow, closed")
    for player in group.everybody:
        expect(player.card("session 1 ends")).to_have_count(1)


def the_history_is_audited(group: Group) -> None:
    """With the receipt that stands in the GM's room. Dice behind the screen stay sealed, and nobody can prove typed ones."""
    page = group.gm.page
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="GM").click()
    receipt = page.locator("main code").first.inner_text()
    page.get_by_role("link", name="Audit").click()
    page.get_by_label("Receipts that players kept").fill(receipt)
    page.get_by_role("button", name="Audit").click()
    answers = page.locator(".panel > header").filter(has=page.locator(".chip"))
    said = [re.compile(each) for each in ("VERIFIED", "UNPROVEN", "VERIFIED", "receipts.*VERIFIED")]
    expect(answers).to_have_text(said, timeout=30_000)
