"""A backup is restored while the table is served: the server goes on with the restored store, and everybody keeps their seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.backups.restoring import restore
from rollbook.adapters.local_files.seat_links_file import links_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.domain.base.errors import RollbookError
from tests.support.web import GM, MIRA, Clients, StoreFiles, until


@pytest.fixture
def kept(sherwood: StoreFiles, tmp_path: Path) -> Path:
    """A backup of the store as it was before anybody came."""
    target = tmp_path / "sunday.db"
    with sherwood.book() as book:
        make_backup(book.store, book.seeds, target)
    return target


def test_the_server_goes_on_with_a_restored_store(clients: Clients, sherwood: StoreFiles, kept: Path) -> None:
    gm, mira = clients.as_(GM), clients.as_(MIRA)
    gm.post("/c/sherwood/say", data={"line": "note nobody will know of this"})
    for client in (gm, mira):
        assert "nobody will know of this" in client.get("/c/sherwood").text
    before = clients.app.sessions.links
    restore(sherwood.store, SeedKeeper(sherwood.seeds), kept)
    until(lambda: clients.app.sessions.links is not before)
    for client in (gm, mira):
        page = client.get("/c/sherwood")
        assert page.status_code == 200
        assert "nobody will know of this" not in page.text
    assert gm.post("/c/sherwood/say", data={"line": "note and on it goes"}, follow_redirects=False).status_code == 303
    assert "and on it goes" in mira.get("/c/sherwood").text


def test_a_link_made_after_the_backup_still_lets_somebody_in(
    clients: Clients, sherwood: StoreFiles, kept: Path
) -> None:
    gm = clients.as_(GM)
    token = clients.app.sessions.links.make("sherwood", _identity(sherwood), "Mira")[1]
    before = clients.app.sessions.links
    restore(sherwood.store, SeedKeeper(sherwood.seeds), kept)
    until(lambda: clients.app.sessions.links is not before)
    stranger = clients.as_(None)
    assert stranger.post(f"/join/{token}", follow_redirects=False).status_code == 303
    assert stranger.get("/c/sherwood").status_code == 200
    assert gm.get("/c/sherwood/gm/seats").status_code == 200


def test_a_restore_that_fails_leaves_no_links_behind(
    sherwood: StoreFiles, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sherwood.book() as book:
        known = links_path(sherwood.seeds, book.store.identity())
        book.seeds.links().close()
    assert known.exists()

    def fails(*_: object) -> None:
        raise RollbookError("the disk has gone")

    monkeypatch.setattr("rollbook.adapters.backups.restoring._put", fails)
    with pytest.raises(RollbookError, match="the disk has gone"):
        restore(sherwood.store, SeedKeeper(sherwood.seeds), kept)
    assert [path.name for path in sherwood.seeds.glob("*.seats.db")] == [known.name]


def _identity(sherwood: StoreFiles) -> str:
    with sherwood.book() as book:
        return book.campaign("sherwood").state.identity
