"""The dice tray and the macros: a roll is written by the table, and a line that a seat keeps is that seat's alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.local_files.paths import own_macros
from rollbook.adapters.web.acting.macros import LONGEST_LINE, MOST
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled
from tests.support.web import GM, JO, MIRA, Clients, StoreFiles
from tests.support.web_tables import in_the_fight

HTMX = {"HX-Request": "true"}
TRAY, MACROS = "/c/sherwood/tray", "/c/sherwood/macros"


@pytest.fixture
def sherwood(tmp_path: Path) -> StoreFiles:
    """In the middle of a fight, with an open session."""
    return in_the_fight(tmp_path)


def newest(files: StoreFiles) -> RecordedEntry:
    with files.book() as book:
        return book.campaign("sherwood").history.entries[-1]


def rolled(files: StoreFiles) -> str:
    (roll,) = [event for event in newest(files).events if isinstance(event, DiceRolled)]
    return roll.typed or roll.expression


@pytest.mark.parametrize(
    ("sent", "written"),
    [
        ({"die": "20"}, "1d20"),
        ({"die": "6", "many": "3", "plus": "+2"}, "3d6+2"),
        ({"die": "100", "plus": "−5"}, "1d100-5"),
        ({"die": "20", "many": "4", "ease": "advantage", "plus": "3"}, "2d20kh1+3"),
        ({"die": "20", "ease": "disadvantage"}, "2d20kl1"),
        ({}, "1d20"),
    ],
)
def test_the_dice_in_the_tray_are_rolled(clients: Clients, sherwood: StoreFiles, sent, written: str) -> None:
    answer = clients.as_(MIRA).post(TRAY, data={**sent, "command": "once"}, headers=HTMX)
    assert answer.status_code == 200
    assert rolled(sherwood) == written
    assert newest(sherwood).seat == "Mira"


@pytest.mark.parametrize(
    "sent",
    [
        {"die": "7"},
        {"die": "20", "many": "0"},
        {"die": "6", "many": "41"},
        {"plus": "1d4"},
        {"ease": "best"},
        {"die": "x"},
    ],
)
def test_what_no_tray_holds_is_refused_in_a_sentence(clients: Clients, sherwood: StoreFiles, sent) -> None:
    before = newest(sherwood).number
    answer = clients.as_(MIRA).post(TRAY, data={"command": "once", **sent}, headers=HTMX)
    assert answer.status_code == 422
    assert 'id="tray-e"' in answer.text
    assert newest(sherwood).number == before


def test_the_gm_rolls_for_the_gm_alone_and_a_player_does_not(clients: Clients, sherwood: StoreFiles) -> None:
    for identity, is_secret in ((GM, True), (JO, False)):
        clients.as_(identity).post(TRAY, data={"die": "20", "secret": "yes"}, headers=HTMX)
        assert bool(newest(sherwood).visibility) is is_secret


def test_a_roll_that_is_sent_twice_is_rolled_once(clients: Clients, sherwood: StoreFiles) -> None:
    mira = clients.as_(MIRA)
    mira.post(TRAY, data={"die": "20", "command": "same"}, headers=HTMX)
    before = newest(sherwood).number
    mira.post(TRAY, data={"die": "20", "command": "same"}, headers=HTMX)
    assert newest(sherwood).number == before


def test_a_macro_is_kept_for_its_seat_alone_and_is_in_no_history(clients: Clients, sherwood: StoreFiles) -> None:
    mira, before = clients.as_(MIRA), newest(sherwood).number
    answer = mira.post(MACROS, data={"name": " My  sneak ", "line": "roll 1d20+7 --purpose sneak"}, headers=HTMX)
    assert "My sneak" in answer.text
    assert newest(sherwood).number == before
    assert "My sneak" in mira.get("/c/sherwood").text
    assert not any("My sneak" in clients.as_(other).get("/c/sherwood").text for other in (GM, JO))
    assert mira.post("/c/sherwood/say", data={"line": "roll 1d20+7 --purpose sneak"}, headers=HTMX).status_code == 200
    assert rolled(sherwood) == "1d20+7"
    assert "My sneak" not in mira.post(MACROS, data={"drop": "My sneak"}, headers=HTMX).text
    assert not own_macros(sherwood.store, "sherwood", sherwood.seeds).exists(), "nothing is left of the last one"


def test_a_macro_needs_a_name_and_a_line_of_some_length_and_there_are_so_many(mira: TestClient) -> None:
    for sent in (
        {"name": "", "line": "roll 1d6"},
        {"name": "x", "line": " "},
        {"name": "x", "line": "r" * (LONGEST_LINE + 1)},
    ):
        assert mira.post(MACROS, data=sent, headers=HTMX).status_code == 422
    for number in range(MOST):
        assert mira.post(MACROS, data={"name": f"m{number}", "line": "roll 1d6"}, headers=HTMX).status_code == 200
    assert "Remove one first" in mira.post(MACROS, data={"name": "one more", "line": "roll 1d6"}, headers=HTMX).text
    assert mira.post(MACROS, data={"name": "m3", "line": "roll 1d8"}, headers=HTMX).status_code == 200, "in its place"


def test_markup_in_a_macro_is_shown_as_it_was_typed(mira: TestClient) -> None:
    answer = mira.post(MACROS, data={"name": "<b>x</b>", "line": '"><script>'}, headers=HTMX)
    assert "<b>x" not in answer.text
    assert "<script>" not in answer.text


def test_a_file_of_macros_that_is_spoilt_counts_as_none(clients: Clients, sherwood: StoreFiles) -> None:
    path = own_macros(sherwood.store, "sherwood", sherwood.seeds)
    path.parent.mkdir(exist_ok=True)
    for text in ("{", "[]", '{"Mira": 3}', "3"):
        path.write_text(text, encoding="utf-8")
        assert clients.as_(MIRA).get("/c/sherwood").status_code == 200
