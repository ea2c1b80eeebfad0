"""A level-up by page: the GM awards experience by form, and what a character may choose then is picked with buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import attrs
import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.events import Role
from tests.support.casts import CASTS
from tests.support.forms import form_in
from tests.support.web import GM, Clients

HTMX = {"HX-Request": "true"}
AWARDS = {"storytoken": 32_000, "luckpoint": 20_000, "srd5": 2_700}
"""Experience for some levels, in the games in which it brings any."""

TAKEN = {"srd5": 3}
"""So many levels are taken with a form of their own, where experience alone brings none."""

ENOUGH = 60
"""So many choices are made at most."""


@attrs.frozen
class Table:
    """A new campaign with a hero of Mira's, and a client for each of two seats."""

    book: Book
    hero: str
    gm: TestClient
    mira: TestClient

    def level(self) -> int:
        campaign = self.book.campaign("two-at-odds")
        return campaign.state.characters[self.hero].level

    def open_choices(self) -> tuple[str, ...]:
        return tuple(self.book.campaign("two-at-odds").state.characters[self.hero].choices)


@pytest.fixture(params=sorted(AWARDS))
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    store, seeds = tmp_path / "odds.db", tmp_path / "seeds"
    with open_book(store, seeds, create=True) as book:
        campaign = book.new("Two at odds", request.param)
        for line in ("take-seat Ana --role gm", "take-seat Mira", "open-session"):
            campaign.say(line)
        campaign.say(f"{CASTS[request.param].hero} --seat Mira")
        hero = next(iter(campaign.state.characters))
        app = create_app(store, seeds)
        with TestClient(app) as started:
            clients = Clients(app, started)
            mira = clients.as_(Identity(campaign="two-at-odds", seat="Mira", role=Role.PLAYER))
            yield Table(book, hero, clients.as_(GM), mira)


def test_levels_are_awarded_by_form_and_what_they_open_is_picked_with_buttons(table: Table) -> None:
    before = table.level()
    sent = form_in(table.gm.get("/c/two-at-odds/do/award").text)
    game = table.book.campaign("two-at-odds").state.ruleset
    sent |= {"who": [table.hero], "amount": [str(AWARDS[game])]}
    awarded = table.gm.post("/c/two-at-odds/do/award", data=sent, headers=HTMX)
    assert awarded.status_code == 200, awarded.text
    for _ in range(TAKEN.get(game, 0)):
        rise = form_in(table.mira.get(f"/c/two-at-odds/do/level-up?who={table.hero}").text) | {"who": [table.hero]}
        risen = table.mira.post("/c/two-at-odds/do/level-up", data=rise, headers=HTMX)
        assert risen.status_code == 200, risen.text
    assert table.level() > before
    for _ in range(ENOUGH):
        opened = table.open_choices()
        page = table.mira.get(f"/c/two-at-odds/act?who={table.hero}").text
        shown = re.findall(r'name="choice" value="(.*?)"', page)
        assert [unescape(choice) for choice in shown] == list(opened)
        if not opened:
            return
        choosing = page.partition('name="choice"')[2].partition("</form>")[0]
        options = re.findall(r'<(?:button class="btn" name="picked"|option) value="(.*?)"', choosing)
        assert options
        for option in options:
            picked = {"who": table.hero, "choice": opened[0], "picked": unescape(option)}
            answer = table.mira.post("/c/two-at-odds/choices", data=picked, headers=HTMX)
            if answer.status_code == 200:
                break
            assert 'role="alert"' in answer.text
        assert table.open_choices() != opened, f"nothing that is offered for {opened[0]} can be picked"
    raise AssertionError(f"there is no end to it: {table.open_choices()}")


@pytest.fixture
def wizard(tmp_path: Path) -> Iterator[TestClient]:
    """A client of Mira's, whose new wizard has many choices, some of many spells."""
    store, seeds = tmp_path / "many.db", tmp_path / "seeds"
    with open_book(store, seeds, create=True) as book:
        campaign = book.new("Many", "srd5")
        for line in ("take-seat Ana --role gm", "take-seat Mira", "join Ione --class-name wizard --seat Mira"):
            campaign.say(line)
        app = create_app(store, seeds)
        with TestClient(app) as started:
            yield Clients(app, started).as_(Identity(campaign="many", seat="Mira", role=Role.PLAYER))


def test_many_options_are_a_list_and_many_choices_are_put_away(wizard: TestClient) -> None:
    page = wizard.get("/c/many/act").text
    first = page.partition('name="choice"')[2].partition("</form>")[0]
    assert first.count("<option ") > 12
    assert 'name="picked" aria-label="What is picked"' in first
    assert page.partition("Further open choices")[0].count("may choose:") == 2
    picked = {"who": "ione", "choice": "wizard-cantrip-1", "picked": "fire-bolt"}
    assert wizard.post("/c/many/choices", data=picked, headers=HTMX).status_code == 200
    assert "may choose: wizard-cantrip-1<" not in wizard.get("/c/many/act").text
