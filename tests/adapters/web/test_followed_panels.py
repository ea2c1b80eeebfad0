"""A server that follows a table shows at every step what a server that has just been started shows."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import Role
from tests.support.casts import CASTS
from tests.support.games import INSTALLED_RULESETS
from tests.support.web import StoreFiles, clients_of, without_commands

AT = "/c/table"
FRAGMENT = {"HX-Request": "true"}


def begun(game: str, folder: Path) -> StoreFiles:
    """Two at a table, one of them Mira's, before a fight."""
    files, cast = StoreFiles(folder / "table.db", folder / "seeds"), CASTS[game]
    with open_book(files.store, files.seeds) as book:
        table = book.new("Table", game)
        for line in ("take-seat Ana --role gm", "take-seat Mira", "open-session", cast.hero, cast.foe):
            table.say(line)
        table.say(f"lend {people(table)[0]} --to Mira")
    return files


def people(table: Campaign) -> list[str]:
    return list(table.state.characters)


def lines_of(game: str, hero: str, foe: str) -> list[str]:
    """What happens: a fight with its turns, hit points lost and given back, conditions, a newcomer, and corrections."""
    return [
        f"harm {foe} 2",
        f"begin-encounter {hero},{foe}",
        CASTS[game].attack,
        "end-turn",
        f"heal {foe} 1",
        "end-turn",
        f"harm {hero} 500",
        "undo",
        "conceal 4",
        "end-encounter",
        f"join Newcomer{' 9' if game == 'powers' else ''} --kind npc",
        "leave-seat Mira",
    ]


def shown(client: TestClient, panels: list[str]) -> str:
    """The answer to a bell with these panels."""
    asked = urlencode([("after", "0."), *(("with", f"{AT}{panel}") for panel in panels)])
    answer = client.get(f"{AT}/live?{asked}", headers=FRAGMENT)
    return without_commands(re.sub(r'data-turn="[^"]*"', "", answer.text))


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_what_is_followed_is_what_a_new_server_shows(game: str, tmp_path: Path) -> None:
    files = begun(game, tmp_path)
    seats = [
        Identity(campaign="table", seat=name, role=role) for name, role in (("Ana", Role.GM), ("Mira", Role.PLAYER))
    ]
    done = 0
    with ExitStack() as stack:
        clients = stack.enter_context(clients_of(files))
        following = [clients.as_(seat) for seat in seats]
        book = stack.enter_context(files.book())
        table = book.campaign("table")
        hero, foe = people(table)
        panels = [
            *(f"/act?who={who}" for who in (hero, foe)),
            *(f"/at/{foe}?who={hero}", f"/do/attack?roll.as={hero}", "/sheets", f"/sheet/{foe}"),
        ]
        assert all(shown(client, panels).count("<hx-partial") == len(panels) for client in following)
        for line in lines_of(game, hero, foe):
            for client in following:
                shown(client, panels)
            try:
                table.say(line)
            except RollbookError:
                continue
            done += 1
            with clients_of(files) as others:
                for client, seat in zip(following, seats, strict=True):
                    assert shown(client, panels) == shown(others.as_(seat), panels), line
    assert done > 6
