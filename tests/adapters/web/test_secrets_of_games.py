"""In every game, what happens behind the screen changes no byte of what a player or a spectator reads, and rings no bell."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import WebTable, create_app
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import Role
from tests.support.api import bearer
from tests.support.brute_force import first_of
from tests.support.example_sessions import EXAMPLE_SESSIONS, played_example
from tests.support.games import random_play_of
from tests.support.web import Clients
from tests.support.web_answers import STREAMS, plain, settled
from tests.support.web_routes import VALUES, addresses

SOME = 4
"""So many addresses of each page."""


def hide_things(campaign: Campaign, player: str) -> int:
    """Somebody comes unseen, dice fall behind the screen, and words are whispered. How many entries that made."""
    before = campaign.refresh().entry
    opening = [result.move.intent for result in random_play_of(campaign.state.ruleset).opening]
    joins = [intent for intent in opening if intent.verb == "join"]
    others = [seat.name for seat in campaign.state.seats.values() if seat.role is Role.PLAYER and seat.name != player]
    for intent in joins[:2]:
        named = {**intent.params, "name": f"Zyxel {len(campaign.state.characters)}"}
        with suppress(RollbookError):
            campaign.do("join", {key: value for key, value in named.items() if key not in ("id", "seat")}, secret=True)
    for verb, params in (
        ("roll", {"expression": "1d20"}),
        ("note", {"text": "plugh", "to": "gm"}),
        *(("note", {"text": "plugh", "to": other}) for other in others[:1]),
    ):
        campaign.do(verb, params, secret=verb == "roll")
    return campaign.refresh().entry - before


def answers(app: WebTable, client: TestClient, values: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """What is answered to the requests of a reader."""
    for page in app.pages:
        if page.acts or page.path in STREAMS or "{file:path}" in page.path:
            continue
        for address in islice(addresses(page, values), SOME):
            yield address, plain(settled(client, client.get(address, follow_redirects=False)))


@pytest.mark.parametrize("name", first_of(EXAMPLE_SESSIONS))
def test_what_is_behind_the_screen_changes_nothing_that_others_read(name: str, tmp_path: Path) -> None:
    campaign = played_example(name, tmp_path)
    if not (campaign.state.session and campaign.state.session.is_open):
        campaign.do("open-session", {"title": "another"})
    campaign.do("note", {"text": "a first secret", "to": "gm"})
    campaign.do("note", {"text": "and something open"})
    player = next(seat for seat in campaign.state.seats.values() if seat.role is Role.PLAYER)
    people = [who.id for who in campaign.state.characters.values()]
    last = str(campaign.head.actions - 2)
    values = {
        **VALUES,
        "campaign": (campaign.id,),
        "who": (*people[:2], "zyxel"),
        "number": (last, "3"),
        "action": (last,),
    }
    lots = itertools.count(1)
    app = create_app(tmp_path / f"{name}.db", tmp_path / "seeds")
    with patch("secrets.token_urlsafe", lambda *_: f"lot-{next(lots):012}"), TestClient(app) as started:
        clients = Clients(app, started)
        identities = (
            Identity(campaign=campaign.id, seat=player.name, role=Role.PLAYER),
            Identity(campaign=campaign.id, seat="Watcher", role=Role.SPECTATOR),
        )
        readers = {identity.seat: clients.as_(identity) for identity in identities}
        campaign.refresh()
        for seat, client in readers.items():
            client.headers["Accept-Encoding"] = "identity"
            client.headers["Authorization"] = bearer(app, campaign, seat)
        before = {seat: dict(answers(app, client, values)) for seat, client in readers.items()}
        for client in readers.values():
            assert client.get(f"/api/v1/campaigns/{campaign.id}/state").status_code == 200
        assert hide_things(campaign, player.name) >= 3
        for seat, client in readers.items():
            after = dict(answers(app, client, values))
            assert before[seat].keys() == after.keys()
            for address, answer in after.items():
                assert answer == before[seat][address], (seat, address)
                assert "plugh" not in answer and ("zyxel" not in answer.casefold() or "zyxel" in address)
