"""On a sheet every number opens its why, now and at any moment of the past; a player's own is true, others' are what was told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import attrs
import pytest
from starlette.testclient import TestClient

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from rollbook.domain.events import Role
from tests.support.casts import CastCampaign
from tests.support.web import GM, Clients
from tests.support.web_answers import text_of
from tests.support.web_tables import in_the_fight

GAMES = tuple(discover().keys)
HTMX = {"HX-Request": "true"}
MINUS = "−"


@attrs.frozen
class Played:
    """A campaign of a game, and who asks a server of its store."""

    cast: CastCampaign
    clients: Clients

    def client(self, role: Role) -> TestClient:
        seat = {Role.GM: "", Role.PLAYER: "mira", Role.SPECTATOR: "watcher"}[role]
        return self.clients.as_(
            Identity(campaign="" if role is Role.GM else self.cast.campaign.id, seat=seat, role=role)
        )

    @property
    def here(self) -> str:
        return f"/c/{self.cast.campaign.id}"


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Played]:
    """Two characters of each game, of whom Mira plays the first, after an attack and a correction."""
    store, seeds = tmp_path / "rollbook.db", tmp_path / "seeds"
    with open_book(store, seeds) as book:
        made = CastCampaign(request.param, book)
        made.take("take-seat mira")
        made.take(f"lend {made.who(made.hero)} --to mira")
        app = create_app(store, seeds)
        with TestClient(app) as started:
            yield Played(made, Clients(app, started))


def whys(html: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'<details class="number" hx-get="([^"]+)"', html)]


@pytest.mark.parametrize("role", [Role.GM, Role.PLAYER, Role.SPECTATOR])
def test_every_number_of_every_game_opens_its_why_for_everybody_at_the_table(game: Played, role: Role) -> None:
    client = game.client(role)
    opened = 0
    for who in game.cast.campaign.state.characters:
        sheet = game.cast.campaign.sheet(who)
        page = client.get(f"{game.here}/sheet/{who}")
        assert page.status_code == 200
        assert sheet.name in text_of(page.text)
        links = whys(page.text)
        assert len(links) == len(sheet.values) > 3
        for value, link in zip(sheet.values, links, strict=True):
            why = client.get(link, headers=HTMX)
            assert why.status_code == 200, link
            assert "<html" not in why.text
            shown = text_of(why.text)
            for term in value.terms:
                assert f"{term.amount:+d}".replace("-", MINUS) in shown
                assert " ".join(term.label.split()) in shown
                assert term.rule in shown
            opened += 1
    assert opened > 10


def test_a_sheet_and_the_room_show_the_notice_of_the_game(game: Played) -> None:
    campaign = game.cast.campaign
    notices = campaign.session.rulebook.notices(campaign.state)
    assert bool(notices) == (campaign.state.ruleset == "srd5")
    pages = [game.client(Role.PLAYER).get(f"{game.here}/sheet/{who}") for who in campaign.state.characters]
    for page in (*pages, game.client(Role.GM).get(f"{game.here}/gm")):
        shown = text_of(page.text)
        assert [line for line in notices if line not in shown] == []
        assert ("licensed under" in shown) == bool(notices)


def test_the_actions_behind_a_number_are_links_to_their_cards(game: Played) -> None:
    client, who = game.client(Role.GM), game.cast.who(game.cast.hero)
    page = "".join(client.get(link).text for link in whys(client.get(f"{game.here}/sheet/{who}").text)[:12])
    cards = set(re.findall(rf'href="({game.here}/card/\d+)"', page))
    assert f"{game.here}/card/{game.cast.hero}" in cards
    assert all(client.get(card).status_code == 200 for card in cards)


def test_a_past_moment_is_shown_as_it_was_known_and_as_it_is_corrected(game: Played) -> None:
    who, campaign = game.cast.who(game.cast.hero), game.cast.campaign
    lent = campaign.head.actions
    game.cast.take(f"adjust {who} hp -1 forgotten")
    action = campaign.head.actions
    client = game.client(Role.GM)
    for at, corrected in ((f"{lent}", ""), (f"#{lent}", "corrected"), (f"@{lent}", ""), ("last", ""), ("now", "")):
        page = client.get(f"{game.here}/sheet/{who}", params={"at": at, "as": corrected})
        assert page.status_code == 200
        state = campaign.history.as_known_at(lent if at not in ("last", "now") else action)
        for value in campaign.sheet(who, state).values:
            assert f"{value.label} {value}".replace("-", MINUS).replace(MINUS, "-") in text_of(page.text).replace(
                MINUS, "-"
            )
        for link in whys(page.text)[:3]:
            assert client.get(link).status_code == 200
            assert ("at=" in link) == (at != "now")


def test_what_is_no_moment_is_said_beside_what_was_typed_and_the_sheet_of_now_is_shown(game: Played) -> None:
    client, who = game.client(Role.GM), game.cast.who(game.cast.hero)
    for typed, said in (("yesterday", "That is not a moment"), ("9999", "no action #9999"), ("s7", "no session")):
        page = client.get(f"{game.here}/sheet/{who}", params={"at": typed})
        assert page.status_code == 422
        assert said in text_of(page.text)
        assert f'value="{typed}"' in page.text
        assert whys(page.text)


def test_who_was_not_there_yet_and_what_nobody_has_is_said(game: Played) -> None:
    client, foe = game.client(Role.GM), game.cast.who(game.cast.foe)
    early = client.get(f"{game.here}/sheet/{foe}", params={"at": str(game.cast.hero)})
    assert early.status_code == 404
    assert "was not in play yet" in text_of(early.text)
    assert client.get(f"{game.here}/sheet/nobody").status_code == 404
    nothing = client.get(f"{game.here}/why/{foe}/{quote('no such number')}")
    assert nothing.status_code == 404
    assert "no such number" in text_of(nothing.text)


def test_a_players_own_sheet_is_true_and_what_is_hidden_of_it_is_one_line(game: Played) -> None:
    who = game.cast.who(game.cast.hero)
    own, other = game.client(Role.PLAYER), game.client(Role.SPECTATOR)
    told = {value.key: value for value in game.cast.campaign.sheet(who).values}
    game.cast.take(f"adjust {who} hp -2 'a curse of the drowned god' --secret")
    changed = [value for value in game.cast.campaign.sheet(who).values if value.amount != told[value.key].amount]
    assert changed
    for value in changed:
        path = f"{game.here}/why/{who}/{value.key}"
        mine, theirs = text_of(own.get(path, headers=HTMX).text), text_of(other.get(path, headers=HTMX).text)
        difference = f"{value.amount - told[value.key].amount:+d}".replace("-", MINUS)
        assert f"{difference} unknown" in mine
        assert mine.endswith(f"{value} {value.label}")
        assert "unknown" not in theirs
        assert "drowned" not in mine + theirs
        assert str(told[value.key]) in theirs
        then = text_of(own.get(f"{path}?at=last", headers=HTMX).text)
        assert "unknown" not in then, "before the secret it was as everybody knew it"


def test_the_why_of_the_sheriffs_armour_names_what_the_correction_put_away(tmp_path: Path) -> None:
    files = in_the_fight(tmp_path)
    app = create_app(files.store, files.seeds)
    with TestClient(app) as started:
        client = Clients(app, started).as_(GM)
        shown = text_of(client.get("/c/sherwood/why/the-sheriff/ac").text)
        assert "+17 heavy armour" in shown
        assert "15 became 17 in entry" in shown
        assert "he wore plate from the start" in shown
        assert re.search(r"Put away by corrections \+15 medium armour", shown)
        before = text_of(client.get("/c/sherwood/why/the-sheriff/ac?at=12").text)
        assert "Put away" not in before
        assert "+15 medium armour" in before


def test_what_went_on_is_drawn_with_a_table_of_the_numbers_and_no_style_of_its_own(gm: TestClient) -> None:
    page = gm.get("/c/sherwood/charts/robin-hood")
    assert page.status_code == 200
    assert page.text.count("<svg xmlns") == page.text.count('<details class="numbers">') >= 3
    assert "<style" not in page.text
    assert " style=" not in page.text
    shown = text_of(page.text)
    assert "Hit points" in shown
    assert "Experience" in shown
    assert "What the dice did against what they should" in shown
    lanes = re.findall(r'<figure class="panel chart".*?</figure>', page.text, re.DOTALL)
    points = next(text_of(figure) for figure in lanes if "Hit points" in figure)
    assert "Robin Hood" in points
    assert "Dracula" not in points


def test_drawings_of_a_player_are_of_what_they_were_told(gm: TestClient, mira: TestClient) -> None:
    before = mira.get("/c/sherwood/charts/robin-hood").content
    assert gm.post("/c/sherwood/say", data={"line": "award robin-hood 100 --secret"}).status_code == 200
    assert mira.get("/c/sherwood/charts/robin-hood").content == before
    assert gm.get("/c/sherwood/charts/robin-hood").content != before


def test_where_the_gm_shows_foes_in_words_players_see_none_of_their_numbers(gm: TestClient, mira: TestClient) -> None:
    assert whys(mira.get("/c/sherwood/sheet/guard").text)
    assert gm.post("/c/sherwood/foes", data={"words": "yes"}, follow_redirects=False).status_code == 303
    page = mira.get("/c/sherwood/sheet/guard")
    assert page.status_code == 200
    assert not whys(page.text)
    assert "The numbers of Guard are the GM’s" in text_of(page.text)
    for path in ("why/guard/hp", "charts/guard"):
        assert mira.get(f"/c/sherwood/{path}").status_code == 404
        assert gm.get(f"/c/sherwood/{path}").status_code == 200
    assert whys(mira.get("/c/sherwood/sheet/robin-hood").text)
    said = mira.get("/c/sherwood/replay/moments?session=all&from=0").json()
    assert set(said["then"]["lanes"]) & {"robin-hood"}
    assert not set(said["then"]["lanes"]) & {"guard", "the-sheriff"}
    assert "of 40" not in repr([step.get("sides") for step in said["steps"]])
    assert "guard" in gm.get("/c/sherwood/replay/moments?session=all&from=0").json()["then"]["lanes"]


def test_of_a_number_that_changed_very_often_the_latest_actions_are_named_and_the_rest_counted(game: Played) -> None:
    who = game.cast.who(game.cast.hero)
    for _ in range(35):
        game.cast.take(f"adjust {who} hp -1 x")
        game.cast.take(f"adjust {who} hp 1 x")
    page = game.client(Role.GM).get(f"{game.here}/why/{who}/hp")
    assert "and 67 before" in text_of(page.text)
    assert "10 more are in the log" in text_of(page.text)
    assert page.text.count(f'href="{game.here}/card/') < 80
