"""Foes as words: where the GM wishes it, nothing that a player is shown says a number of a foe's hit points.

Two tables that differ in such numbers alone answer a player alike, whatever is asked and in whichever way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import create_app
from tests.support.api import bearer
from tests.support.web import MIRA, SPECTATOR, Clients, StoreFiles, copied, until, without_commands
from tests.support.web_answers import STREAMS, plain, settled
from tests.support.web_corrections import preview, words
from tests.support.web_routes import addresses

FOES = ("Guard", "The Sheriff")
SAID = re.compile(rf"(?:{'|'.join(FOES)}) [−+-]\d+ HP|[−+-]\d+ HP, corrected")
PAGES = (
    *(
        "",
        "/log?q=Guard",
        "/log?before=40",
        "/card/24",
        "/card/36",
        "/replay?at=24",
        "/replay/moments?session=1&part=0",
    ),
    *("/screen", "/live", "/sheet/guard", "/charts/robin-hood"),
)
DRACULAS_BLOW = 24


@pytest.fixture
def in_words(gm: TestClient) -> TestClient:
    """The GM, who wishes it."""
    assert gm.post("/c/sherwood/foes", data={"words": "yes"}, follow_redirects=False).status_code == 303
    return gm


@pytest.mark.parametrize("identity", [MIRA, SPECTATOR], ids=["player", "spectator"])
def test_no_page_says_a_number_of_a_foe(clients: Clients, in_words: TestClient, identity: object) -> None:
    guest = clients.as_(identity)  # type: ignore[arg-type]
    until(lambda: guest.get("/c/sherwood").status_code == 200)  # the seat was taken by another program
    told = in_words.get("/c/sherwood/log?q=Guard").text
    assert SAID.search(told)
    for page in PAGES:
        answer = guest.get(f"/c/sherwood{page}")
        assert answer.status_code == 200, page
        assert SAID.search(answer.text) is None, page
        assert '"amount":17' not in answer.text, page
    assert "Guard loses hit points" in guest.get("/c/sherwood/log?q=Guard").text
    assert guest.get("/c/sherwood/why/guard/hp").status_code == 404


def test_the_wish_and_its_end_are_news_to_players_alone(clients: Clients, gm: TestClient, mira: TestClient) -> None:
    def cursor(client: TestClient) -> str:
        found = re.search(r'id="cursor" name="after" value="([^"]*)"', client.get("/c/sherwood").text)
        assert found is not None
        return found[1]

    before, of_the_gm = cursor(mira), cursor(gm)
    gm.post("/c/sherwood/foes", data={"words": "yes"})
    worded = cursor(mira)
    assert worded != before
    assert cursor(gm) == of_the_gm
    news = mira.get("/c/sherwood/live", params={"after": before}).text
    assert SAID.search(news) is None
    assert "Guard loses hit points" in news
    gm.post("/c/sherwood/foes", data={"words": "no"})
    assert cursor(mira) == before
    assert SAID.search(mira.get("/c/sherwood/log?q=Guard").text)


def test_a_players_preview_has_no_number_of_a_foe(in_words: TestClient, mira: TestClient) -> None:
    robins_shot = preview(mira, "undo/36")
    assert SAID.search(words(robins_shot)) is None
    sheets = words(robins_shot).partition("Sheets")[2].partition("Why?")[0]
    assert "Guard value before after Hit points close to falling hurt" in sheets
    assert "Hit points" in words(preview(in_words, f"undo/{DRACULAS_BLOW}"))


def test_own_hit_points_are_said_as_ever(in_words: TestClient, mira: TestClient) -> None:
    assert "36 of 36" in words(mira.get("/c/sherwood"))


# Two tables that differ in nothing but how many hit points foes have.

QUESTIONS = (
    *(
        "status",
        "sheet",
        "sheet guard",
        "why guard hp",
        "why robin hp",
        "diff 10 now",
        "diff 10 now guard",
        "log --all",
    ),
    *("log guard", "log kind=HitPointsCorrected", "xp", "stats", "odds attack robin guard longbow --distance 40"),
)
MORE = (
    *("sheet/guard", "sheet/guard?at=30", "sheet/sheriff", "sheet/ogre", "undo/36", "undo/39", "amend/36", "card/46"),
    *("charts/robin-hood", "charts/count-dracula", "replay?at=24", "replay/moments?session=all&from=0"),
    *(f"{way}/attack?attacker=robin-hood&target=guard&weapon=longbow&distance=40" for way in ("do", "odds")),
)
CHANCE = re.compile(
    r'\b\d+\.[0-9a-f]{8,}(?:\.[0-9a-f]+)?|name="fix\.(?:preview|command)" value="[^"]*"|preview/[\w.-]+'
)
MOMENTS = re.compile(r'"at":\d{10,}|datetime="[^"]*"')


@pytest.fixture
def two_tables(sherwood_played: StoreFiles, tmp_path: Path) -> Iterator[tuple[TestClient, TestClient]]:
    """Mira at two of them: foes came with other numbers, were adjusted by others, and an old blow as well."""
    with ExitStack() as leaving:

        def seated(name: str, by: int) -> TestClient:
            folder = tmp_path / name
            folder.mkdir()
            files = copied(sherwood_played, folder)
            with files.book() as book:
                campaign = book.campaign("sherwood")
                campaign.say("open-session Again")
                for line in (f"adjust guard hp {by} --why fog", f"adjust sheriff hp {by} --why fog"):
                    assert campaign.say(line).entries, line
                assert campaign.say(f"join Ogre --id ogre --kind npc --hp {60 + by} --armour light").entries
                assert campaign.say(f'amend 24 --adjust "guard hp={by}" --why fog --yes').entries
                book.page_settings.say_foes_in_words("sherwood", wanted=True)
                app = create_app(files.store, files.seeds)
                token = bearer(app, campaign, "Mira")
            mira = Clients(app, leaving.enter_context(TestClient(app))).as_(MIRA)
            mira.headers["Authorization"] = token
            mira.headers["Accept-Encoding"] = "identity"
            return mira

        yield seated("one", -1), seated("other", -2)


def bare(answer: object) -> str:
    """An answer without what is drawn by lot, hashes, and when it was."""
    return MOMENTS.sub("", CHANCE.sub("", without_commands(plain(answer))))


@pytest.mark.slow
def test_every_page_reads_the_same_whatever_hit_points_foes_have(two_tables: tuple[TestClient, TestClient]) -> None:
    one, other = two_tables
    app = one.app
    pages = [page for page in app.pages if page.method == "GET" and page.path not in STREAMS]  # type: ignore[attr-defined]
    asked = [address for page in pages if "{file:path}" not in page.path for address in addresses(page)]
    for address in (*asked, *(f"/c/sherwood/{path}" for path in MORE)):
        for headers in ({}, {"HX-Request": "true"}):
            answers = [
                bare(settled(client, client.get(address, headers=headers, follow_redirects=False)))
                for client in (one, other)
            ]
            assert answers[0] == answers[1], address
    assert len(asked) > 60
    assert "close to falling" in one.get("/c/sherwood/sheet/guard").text
    assert "close to falling" in one.get("/api/v1/campaigns/sherwood/sheets/guard").text


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_that_is_typed_is_answered_the_same(
    two_tables: tuple[TestClient, TestClient], question: str
) -> None:
    answers = [
        bare(client.post("/c/sherwood/say", data={"line": question}, headers={"HX-Request": "true"}))
        for client in two_tables
    ]
    assert answers[0] == answers[1]
    assert answers[0].startswith("404" if question == "why guard hp" else "200")


def test_odds_say_nothing_of_what_becomes_of_a_foe_and_all_of_the_roll(
    two_tables: tuple[TestClient, TestClient],
) -> None:
    mira = two_tables[0]
    odds = "/c/sherwood/odds/attack?attacker={}&target={}&weapon=longbow&distance=40"
    shot = words(mira.get(odds.format("robin-hood", "guard")))
    assert "%" in shot
    assert "HP" not in shot
    assert "HP" in words(mira.get(odds.format("robin-hood", "count-dracula")))
