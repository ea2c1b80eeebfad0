"""The database alone reveals no die and lets nobody in: neither its tables, nor a dump of it, nor its files and log."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.storage.postgres.shared_tables import NAMES
from rollbook.application.ports.seed_store import Seeds
from tests.support.campaigns import begin_campaign
from tests.support.postgres import ADMINISTRATOR, PostgresServer, stored_bytes
from tests.support.shared_stores import all_rows, node

WISH = "may I have another look at the elm"


def ways_to_write(secret: bytes) -> Iterator[bytes]:
    """A secret as it is, and as it is often written; each as a dump writes bytes, too."""
    texts = (secret.hex().encode(), secret.hex().upper().encode(), b64encode(secret)[:-4])
    inside = (b64encode(b"\0" * lead + secret)[4:-4] for lead in (1, 2))
    for way in (secret, *texts, *inside):
        yield way
        yield way.hex().encode()


def held(secret: bytes, places: dict[str, bytes]) -> list[str]:
    """Where a secret is, whichever way it is written."""
    return [name for name, found in places.items() if any(way in found for way in ways_to_write(secret))]


def test_what_a_secret_would_look_like_is_found() -> None:
    secret = bytes(range(32))
    for text in (secret.hex(), b64encode(b"a" + secret).decode(), secret.hex().encode().hex()):
        assert held(secret, {"there": b"x" + text.encode() + b"y"}) == ["there"]


@pytest.mark.slow
def test_the_database_holds_no_seed_no_token_and_no_words_that_wait(
    postgres_server: PostgresServer, postgres_store: str, seed_key: Path, tmp_path: Path
) -> None:
    with node(postgres_store, tmp_path / "one") as book:
        campaign = begin_campaign(book)
        session = campaign.state.session
        assert session is not None
        for _ in range(3):
            campaign.do("roll", {"expression": "1d20"})
            campaign.do("roll", {"expression": "1d20"}, secret=True)
        seeds = book.seeds.of_stream("sherwood").of(session.identity, campaign.state.identity)
        assert isinstance(seeds, Seeds)
        links = book.seeds.links()
        _, token = links.make("sherwood", campaign.state.identity, "Mira")
        _, hosts = links.make_hosts()
        cookies = links.take(token, ""), links.take(hosts, "")
        notes = book.seeds.notes("requests")
        assert notes is not None
        notes.change("sherwood", lambda _: WISH)
        tables = all_rows(links.connections, (*NAMES, "stored_events"))  # type: ignore[attr-defined]
    postgres_server.administer("CHECKPOINT")
    database = postgres_store.rpartition("/")[2]
    dump = postgres_server.run("pg_dump", postgres_server.socket_dsn(ADMINISTRATOR, database))
    files = stored_bytes(postgres_server.data)
    log = (postgres_server.folder / "log").read_bytes()
    places = {"tables": tables, "dump": dump.encode(), "files": files, "log": log}
    key = b64decode(seed_key.read_text().splitlines()[1])
    for secret in (seeds.table, seeds.screen, key, *(text.encode() for text in (token, hosts, *cookies, WISH))):
        assert held(secret, places) == []
    assert held(bytes.fromhex(session.commit_table), places) == ["tables", "dump", "files"]  # what is told is there
    with node(postgres_store, tmp_path / "one") as book:
        book.campaign("sherwood").do("close-session")
    assert held(seeds.table, {"tables": all_rows(links.connections, ["stored_events"])}) == ["tables"]  # type: ignore[attr-defined]
