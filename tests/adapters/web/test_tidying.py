"""What was written is put away beside the answers, so that no command has to: and nobody who reads there is disturbed."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.web.serving import tidying
from tests.support.streams import Reader
from tests.support.web import GM, StoreFiles, cookie, cookie_name, running, until


def test_a_server_puts_away_what_commands_have_written(sherwood: StoreFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "PUT_AWAY_EVERY", 0.05)
    with running(sherwood) as served:
        gm = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, GM)}")
        files = sherwood.store, read_model_path(sherwood.store)
        assert gm.get("/c/sherwood")[0] == 200
        before = [path.stat().st_mtime_ns for path in files]
        assert gm.post("/c/sherwood/say", line="note One")[0] == 303
        until(lambda: all(path.stat().st_mtime_ns > at for path, at in zip(files, before, strict=True)))


@pytest.mark.parametrize("is_linked", [False, True], ids=["a file", "a link to it"])
def test_a_server_puts_away_what_readers_have_kept_when_they_are_gone(
    sherwood: StoreFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_linked: bool
) -> None:
    monkeypatch.setattr(tidying, "PUT_AWAY_EVERY", 0.05)
    if is_linked:
        (tmp_path / "elsewhere").mkdir()
        sherwood.store.rename(tmp_path / "elsewhere" / "kept.db")
        sherwood.store.symlink_to(tmp_path / "elsewhere" / "kept.db")
    with running(sherwood) as served, closing(sqlite3.connect(sherwood.store, isolation_level=None)) as reader:
        gm = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, GM)}")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        assert gm.post("/c/sherwood/say", line="note One")[0] == 303
        time.sleep(0.5)  # for several looks at the log
        before = sherwood.store.stat().st_mtime_ns
        reader.execute("ROLLBACK")
        until(lambda: sherwood.store.stat().st_mtime_ns > before)


def test_what_somebody_still_reads_is_put_away_later(tmp_path: Path) -> None:
    file = tmp_path / "written.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as writer, closing(sqlite3.connect(file)) as reader:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE said (what TEXT)")
        tidying.checkpoint_wal([file, tmp_path / "not-there.db"])
        reader.execute("BEGIN")
        assert reader.execute("SELECT * FROM said").fetchall() == []
        writer.execute("INSERT INTO said VALUES ('one')")
        at = file.stat().st_mtime_ns
        tidying.checkpoint_wal([file])
        assert file.stat().st_mtime_ns == at
        assert reader.execute("SELECT * FROM said").fetchall() == []
        reader.rollback()
        tidying.checkpoint_wal([file])
        assert file.stat().st_mtime_ns > at
        assert reader.execute("SELECT * FROM said").fetchall() == [("one",)]
    assert not (tmp_path / "not-there.db").exists()
