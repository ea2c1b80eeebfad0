"""The board of a game on squares: who stands where, and a move that is planned by links alone and then made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.web.board.frame import MOST, framed, read_way, written_way
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from rollbook.domain.events import Role
from tests.support.casts import CastCampaign
from tests.support.web import GM, MIRA, SPECTATOR, Clients, StoreFiles
from tests.support.web_answers import text_of
from tests.support.web_boards import IDA, TOLL, TOM, WATCHER, at_the_toll, toll

__all__ = ["at_the_toll"]
BOARD = f"/c/{TOLL}/board"


def links(html: str) -> set[str]:
    return {unescape(found) for found in re.findall(r'href="([^"]*/board\?[^"]*)"', html)}


@pytest.fixture
def at_board(at_the_toll: StoreFiles) -> Iterator[Clients]:
    app = create_app(at_the_toll.store, at_the_toll.seeds)
    with TestClient(app) as started:
        yield Clients(app, started)


def test_the_board_says_who_stands_where_and_how_they_are(at_board: Clients) -> None:
    page = at_board.as_(GM).get(BOARD)
    assert page.status_code == 200
    labels = re.findall(r'<g role="img" aria-label="([^"]+)"', page.text)
    assert "Sill, 25 of 25, on turn, on 6,0" in labels
    assert any(label.startswith("Grosk, 42 of 42") and label.endswith("on 5,0") for label in labels)
    assert "Squares in reach of an enemy" in page.text
    assert " style=" not in page.text
    assert "<style" not in page.text


def test_a_move_is_planned_step_by_step_with_links_and_says_what_it_costs_and_who_gets_an_opening(
    at_board: Clients,
) -> None:
    tom = at_board.as_(TOM)
    first = tom.get(BOARD)
    assert "Sill on 6,0" in text_of(first.text)
    assert f"{BOARD}?who=sill&way=7,0" in links(first.text)
    page = tom.get(BOARD, params={"who": "sill", "way": "7,0;8,0;9,0;10,0"})
    shown = text_of(page.text)
    assert "Sill moves to 10,0 4 of 6 squares" in shown
    assert "Grosk as Sill leaves 6,0" in shown
    assert "Ysolde Ash as Sill comes to 7,0" in shown
    assert "Ysolde Ash as Sill leaves 8,0" not in shown
    assert "Ysolde Ash as Sill leaves 9,0" in shown
    assert "There is a way with fewer openings" in shown
    assert f"{BOARD}?who=sill&way=7,0;8,0;9,0" in links(page.text), "a step back"
    assert f"{BOARD}?who=sill&way=7,0;8,0;9,0;10,0;11,0" in links(page.text), "a step on"
    assert 'name="path" value="e,e,e,e"' in page.text


def test_the_odds_of_the_openings_stand_beside_them_and_many_are_counted_on_demand(at_board: Clients) -> None:
    tom = at_board.as_(TOM)
    few = text_of(tom.get(BOARD, params={"who": "sill", "way": "6,-1;7,-1"}).text)
    assert "Grosk, attack of opportunity against Sill" in few
    assert re.search(r"Sill: −[\d.]+ HP on average", few)
    many = tom.get(BOARD, params={"who": "sill", "way": "7,0;8,0;9,0;10,0"}).text
    counting = re.search(r'href="([^"]*/odds/move/counted[^"]*)"', many)
    assert counting is not None
    counted = tom.get(unescape(counting[1]))
    assert counted.status_code == 200
    assert "Ysolde Ash" in text_of(counted.text)


def test_every_link_of_a_plan_leads_to_a_plan_that_is_not_refused(at_board: Clients) -> None:
    tom = at_board.as_(TOM)
    seen = 0
    for link in sorted(links(tom.get(BOARD).text))[::9]:
        page = tom.get(link)
        assert page.status_code == 200
        assert 'role="alert"' not in page.text, link
        seen += 1
    assert seen > 5


def test_a_planned_move_is_made_once_however_often_it_is_sent(at_board: Clients, at_the_toll: StoreFiles) -> None:
    tom = at_board.as_(TOM)
    page = tom.get(BOARD, params={"who": "sill", "way": "6,1;7,2"}).text
    form = re.search(r'<form class="go-move" method="post" action="([^"]+)">(.*?)</form>', page, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form[2]))
    for _ in range(2):
        made = tom.post(form[1], data=fields, follow_redirects=False)
        assert (made.status_code, made.headers["location"]) == (303, BOARD)
    with at_the_toll.book() as book:
        campaign = book.campaign(TOLL)
        assert campaign.state.characters["sill"].position == (7, 2, 0)
        assert [line.verb for line in campaign.read_model.log(TOLL, last=1)] == ["move"]
    assert "Sill moves to" not in text_of(tom.get(BOARD).text)


def test_what_the_rules_refuse_and_what_is_no_square_is_said_with_what_was_typed(at_board: Clients) -> None:
    tom = at_board.as_(TOM)
    far = tom.get(BOARD, params={"who": "sill", "to": "20,1"})
    assert "this way costs 14. Go a shorter one." in text_of(far.text)
    assert 'value="20,1"' in far.text
    assert re.search(r'<button class="btn btn-main btn-wide" disabled>', far.text)
    odd = tom.get(BOARD, params={"who": "sill", "to": "<b>"})
    assert odd.status_code == 422
    assert "A square is two numbers" in text_of(odd.text)
    assert 'value="&lt;b&gt;"' in odd.text


def test_nobody_plans_for_whom_they_do_not_play(at_board: Clients) -> None:
    for identity in (IDA, WATCHER):
        page = at_board.as_(identity).get(BOARD, params={"who": "sill", "way": "7,0"})
        assert page.status_code == 200
        assert "go-move" not in page.text
        assert not links(page.text)


def test_who_is_hidden_stands_on_no_players_board_and_takes_no_opening_there(tmp_path: Path) -> None:
    plain, secret = (
        toll(tmp_path / "one"),
        toll(
            tmp_path / "other",
            'join "Lurker" --kind monster --hp 9 --attack 3 --at 7,-1 --secret',
            "join-encounter lurker ! 3",
        ),
    )
    pages = []
    for files in (plain, secret):
        app = create_app(files.store, files.seeds)
        with TestClient(app) as started:
            clients = Clients(app, started)
            shown = [
                clients.as_(identity).get(BOARD, params={"who": "sill", "way": "7,0;8,-1"}).text
                for identity in (TOM, WATCHER)
            ]
            pages.append([re.sub(r'name="(roll.command|after)" value="[^"]+"', "", page) for page in shown])
            assert ("Lurker" in clients.as_(GM).get(BOARD).text) == (files is secret)
    assert pages[0] == pages[1]


@pytest.mark.parametrize("unseen", ["join Lurker --kind monster --hp 9 --at 3,4 --secret", "place kara 3,4 --secret"])
def test_a_square_that_is_a_secret_shows_nobody_but_the_gm_that_there_is_a_board(unseen: str, tmp_path: Path) -> None:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        made = CastCampaign("srd5", book)
        for line in ("take-seat Mira", "take-seat Eve --role spectator", unseen):
            made.take(line)
        here = f"/c/{made.campaign.id}"
        identities = [
            Identity(role=Role.GM),
            Identity(campaign=made.campaign.id, seat="Mira", role=Role.PLAYER),
            Identity(campaign=made.campaign.id, seat="Eve", role=Role.SPECTATOR),
        ]
        app = create_app(tmp_path / "rollbook.db", tmp_path / "seeds")
        with TestClient(app) as started:
            readers = [Clients(app, started).as_(identity) for identity in identities]
            assert [_offers_board(reader, here) for reader in readers] == [True, False, False]
            made.take("place wolf 0,0")
            assert [_offers_board(reader, here) for reader in readers] == [True, True, True]


def _offers_board(reader: TestClient, here: str) -> bool:
    """True if the table's page leads to the board; a page of an error never does where squares are not always used."""
    assert f'"{here}/board"' not in reader.get(f"{here}/card/999").text
    return f'"{here}/board"' in reader.get(here).text


def test_a_page_of_an_error_leads_to_the_board_of_a_game_that_is_always_on_squares(at_board: Clients) -> None:
    assert f'href="{BOARD}"' in at_board.as_(TOM).get(f"/c/{TOLL}/card/999").text


@pytest.mark.parametrize("game", tuple(discover().keys))
def test_a_game_without_squares_says_so(game: str, tmp_path: Path) -> None:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        made = CastCampaign(game, book)
        has_squares = made.campaign.session.rulebook.has_squares(made.campaign.state)
    app = create_app(tmp_path / "rollbook.db", tmp_path / "seeds")
    with TestClient(app) as started:
        page = Clients(app, started).as_(Identity(role=Role.GM)).get(f"/c/{made.campaign.id}/board")
    assert page.status_code == 200
    assert ("not played on squares" in page.text) != has_squares
    assert ('<svg class="board"' in page.text) == has_squares


def test_ways_are_read_as_they_are_written() -> None:
    way = ((7, 0, 0), (-8, 1, 0), (9, 1, 2))
    assert written_way(way) == "7,0;-8,1;9,1,2"
    assert read_way(written_way(way), 0) == way
    assert read_way("3,4", 5) == ((3, 4, 5),)
    assert read_way("", 0) == ()
    for odd in ("3", "3,4,5,6", "x,y", "99999999,1", "1,2;" * 300):
        assert read_way(odd, 0) is None


def test_of_a_large_map_as_much_is_drawn_as_can_be_read() -> None:
    frame = framed(((0, 0, 0), (500, -300, 0)), (500, -300, 0))
    assert (len(frame.columns), len(frame.rows)) == (MOST, MOST)
    assert frame.has((500, -300, 0))
    assert not frame.has((0, 0, 0))


def test_the_board_is_on_the_table_and_in_the_heading_where_there_is_one(at_board: Clients) -> None:
    tom = at_board.as_(TOM)
    for page in ("", "/act", "/replay", "/undo/2"):
        assert f'href="/c/{TOLL}/board">Board</a>' in tom.get(f"/c/{TOLL}{page}").text, page
    assert f'hx-get="/c/{TOLL}/board/here"' in tom.get(f"/c/{TOLL}").text
    here = tom.get(f"/c/{TOLL}/board/here", headers={"HX-Request": "true"})
    assert here.text.count("<svg") == 1
    assert f'href="/c/{TOLL}/board?who=sill"' in here.text
    assert "#board-main" not in here.text
    news = tom.get(f"/c/{TOLL}/live?after=0.&with=/c/{TOLL}/board/here", headers={"HX-Request": "true"}).text
    assert news.count("<svg class") >= 1 and '<hx-partial hx-target="#board-now"' in news
    assert tom.get(f"/c/{TOLL}/board/here", follow_redirects=False).headers["location"] == f"/c/{TOLL}/board"


def test_a_game_without_squares_has_no_link_to_a_board(clients: Clients) -> None:
    for identity in (GM, MIRA, SPECTATOR):
        table = clients.as_(identity).get("/c/sherwood").text
        assert "/board" not in table, identity


def test_a_spectator_has_the_board_open(at_board: Clients) -> None:
    found = re.search(r'<details class="panel board-here"[^>]*>', at_board.as_(WATCHER).get(f"/c/{TOLL}").text)
    assert found is not None
    assert found[0].endswith(" open>")
