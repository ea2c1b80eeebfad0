"""While the database is away nobody loses a seat: pages say what is the case, and go on when it is back."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from tests.support.hosting.on_a_server import tables_on
from tests.support.postgres import PostgresServer
from tests.support.web import until


@pytest.mark.slow
def test_who_sits_there_sits_there_when_the_database_is_back(
    postgres_server: PostgresServer, postgres_store: str, tmp_path: Path
) -> None:
    with tables_on(postgres_store, tmp_path, nodes=1, campaigns=1, players=1, each=1) as tables:
        browser, path = tables.browser(), f"/c/{tables.campaigns[0]}"
        assert browser.ask("GET", path)[0] == 200
        postgres_server.stop(immediate=True)
        try:
            for ask in (("POST", f"{path}/say", {"line": "note Is anybody there?"}), ("GET", path, None)):
                status, text, _ = browser.ask(*ask)
                assert status == 503, text
                assert "has no seat" not in text
        finally:
            postgres_server.start()
        until(lambda: browser.ask("POST", f"{path}/say", {"line": "note Here I am"})[0] == 303, 20)
        assert browser.ask("GET", path)[0] == 200


def test_the_lines_of_a_program_do_not_add_up_with_every_crash(
    postgres_server: PostgresServer, postgres_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLBOOK_CACHE", str(tmp_path / "cache"))
    asked = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{postgres_store.rpartition('/')[2]}'"
    with open_book(postgres_store, tmp_path / "seeds") as book:
        campaign = book.new("Sherwood", "storytoken")
        for number in range(6):
            campaign.do("note", {"text": f"{number}"})
            postgres_server.administer(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'rollbook%'"
            )
        campaign.do("note", {"text": "and again"})
        assert int(str(postgres_server.administer(asked)[0][0])) <= 4
