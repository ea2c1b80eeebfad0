"""A token is good at every node of a store, and none goes on with one that was revoked at another."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import WebTable, create_app
from rollbook.adapters.wiring import open_book
from rollbook.application.ports.seat_tokens import Scope
from rollbook.application.ports.store_address import ServerAddress
from tests.support.api import AT, Program, token_of
from tests.support.web import until

pytestmark = pytest.mark.usefixtures("seed_key")
ADDRESS = "http://127.0.0.1:7655"


@pytest.fixture
def nodes(postgres_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[WebTable, ...]:
    """Two nodes of a store in which Mira plays."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with open_book(postgres_store, tmp_path / "seeds") as book:
        campaign = book.new("Sherwood", "storytoken")
        campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
        campaign.do("take-seat", {"seat": "Mira"})
    return tuple(create_app(ServerAddress(postgres_store), tmp_path / "seeds") for _ in range(2))


def test_a_token_that_is_revoked_at_one_node_ends_at_the_other(
    nodes: tuple[WebTable, ...], postgres_store: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        with open_book(postgres_store, tmp_path / "seeds") as book:
            campaign = book.campaign("sherwood")
            token, kept = (token_of(nodes[0], campaign, "Mira", scope) for scope in (Scope.READ, Scope.ACT))
            identity = campaign.state.identity
        started = [stack.enter_context(TestClient(app, base_url=ADDRESS)) for app in nodes]
        programs = [Program(client, token) for client in started]
        assert [one.get(AT).status_code for one in programs] == [200, 200]
        (first, _) = nodes[0].sessions.links.tokens_of("sherwood", identity)
        nodes[0].sessions.links.revoke_token(first.number)
        until(lambda: [one.get(AT).status_code for one in programs] == [401, 401])
        assert [Program(client, kept).get(AT).status_code for client in started] == [403, 403]
