"""A database is lost and restored to a moment before that, as docs/hosting.md says, and the nodes play on with it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.cli.errors import Exit
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.ports.store_address import ServerAddress
from rollbook.application.redaction import redact
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from tests.support import postgres
from tests.support.redacting import WORDS, note_of
from tests.support.terminal import CommandResult, RunRollbook

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(postgres.why_not()), reason=postgres.why_not() or "PostgreSQL is here"),
]
ARCHIVING = """\
archive_mode = on
archive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'
"""
RESTORING = """\
restore_command = 'cp {archive}/%f %p'
recovery_target_name = 'before the disaster'
recovery_target_action = 'promote'
archive_mode = off
"""


class Place:
    """A server with its log archived, and what lies beside it."""

    def __init__(self) -> None:
        self.server = postgres.PostgresServer()
        self.archive = self.server.folder / "archive"
        self.base = self.server.folder / "base"
        self.archive.mkdir()
        self.server.make()
        own(self.archive)
        self.server.configure(ARCHIVING.format(archive=self.archive))
        self.server.restart()
        self.database = self.server.new_database()

    def address(self, role: str = "rollbook") -> str:
        return str(self.server.dsn(role, self.database))

    def base_backup(self) -> None:
        self.server.run(
            *("pg_basebackup", "-D", self.base, "-X", "stream", "-c", "fast"),
            *("-d", self.server.dsn(postgres.ADMINISTRATOR, "postgres")),
        )

    def lose(self) -> None:
        """The disk of the database is gone; what was archived is not."""
        self.server.administer("SELECT pg_switch_wal()")
        self.server.stop()
        shutil.rmtree(self.server.data)

    def restore(self) -> None:
        """The base backup, and what was archived up to the moment."""
        shutil.copytree(self.base, self.server.data)
        self.server.data.chmod(0o700)
        self.server.configure(RESTORING.format(archive=self.archive))
        (self.server.data / "recovery.signal").touch()
        for path in (self.server.data, *self.server.data.rglob("*")):
            own(path)
        self.server.start()
        end = time.monotonic() + 60
        while self.server.administer("SELECT pg_is_in_recovery()") != [(False,)]:
            assert time.monotonic() < end
            time.sleep(0.05)


def own(path: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(path, "postgres", "postgres")


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setenv("ROLLBOOK_SEED_KEY", postgres.SEED_KEY)
    monkeypatch.setenv("ROLLBOOK_CACHE", "")  # so that what ``book_on`` sets does not last
    made = Place()
    yield made
    made.server.close()


def book_at(place: Place, node: Path) -> Book:
    """A node's book: each has a read model and a folder of its own."""
    return book_on(place.address(), node)


def book_on(address: str, node: Path) -> Book:
    """The same, of a store at any address."""
    os.environ["ROLLBOOK_CACHE"] = str(node / "cache")
    return open_book(ServerAddress(address), node / "seeds")


def says(verified: CommandResult, verdict: str, why: str) -> bool:
    """Whether the end that was lost, and the campaign that is gone, are each named with this verdict."""
    gone, lost = sorted(line for line in verified.out.splitlines() if "once saw" in line)
    return (
        gone.startswith(f"nottingham {verdict}. chain: @1 this computer once saw entries @1 to @2 ")
        and lost.startswith(f"sherwood {verdict}. chain: @8 this computer once saw entries @8 to @9 ")
        and (gone.endswith(why) and lost.endswith(why))
    )


def log(book: Book) -> list[str]:
    campaign = book.campaign("sherwood")
    campaign.session.project()
    return [line.result for line in book.read_model.log("sherwood")]


def test_restored_to_a_moment_everything_of_before_is_there_and_is_played_on(
    place: Place, tmp_path: Path, rollbook: RunRollbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    with book_at(place, tmp_path / "one") as book:
        campaign = book.new("Sherwood", "storytoken")
        campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
        campaign.do("open-session", title="First")
        campaign.do("roll", expression="1d20")
        redacted = note_of(campaign)
        place.base_backup()
        redact(book, campaign, redacted, why="it was asked for")
        campaign.do("note", text="before")
        kept = log(book)
        place.server.administer("SELECT pg_create_restore_point('before the disaster')")
        campaign.do("note", text="after")
        campaign.do("roll", expression="1d20")
        assert len(log(book)) == len(kept) + 2
        book.new("Nottingham", "storytoken").do("note", text="begun after the moment")
        log(book)
    place.server.administer(f"DROP DATABASE {place.database} (FORCE)")
    place.lose()
    place.restore()
    shutil.copytree(tmp_path / "one", tmp_path / "four")
    monkeypatch.setenv("ROLLBOOK_CACHE", str(tmp_path / "four" / "cache"))
    unsaid = rollbook(f"--store '{place.address()}' store verify")
    assert unsaid.code == Exit.INTEGRITY
    assert says(unsaid, "FAILED", "the store is not as it was"), "nobody has said that this is as it should be"
    said = rollbook(f"--store '{place.address('rollbook_owner')}' store set-back --yes")
    assert "1 open session will roll no more dice" in said.out, said
    monkeypatch.setenv("ROLLBOOK_CACHE", str(tmp_path / "one" / "cache"))
    for _ in range(2):
        seen = rollbook(f"--store '{place.address()}' store verify")
        assert seen.code == 0 and says(seen, "UNPROVEN", "the store was set back"), "what is lost is named, as expected"
        assert "Audited 1 campaign with 7 entries: none failed; of 2 something is not proven yet" in seen.out
    monkeypatch.setenv("ROLLBOOK_CACHE", str(tmp_path / "three"))
    verified = rollbook(f"--store '{place.address()}' store verify")
    assert (verified.code, "this computer once saw" in verified.out) == (0, False), "a node that has seen nothing"
    assert verified.out.startswith("Audited 1 campaign with 7 entries: none failed"), verified
    for node in ("one", "two"):
        with book_at(place, tmp_path / node) as book:
            assert log(book) == kept, "the node that had more in its cache, and one that comes new"
    with book_at(place, tmp_path / "two") as book:
        campaign = book.campaign("sherwood")
        with pytest.raises(RollbookError, match="closed once, and its seed revealed"):
            campaign.do("roll", expression="1d20")
        campaign.do("close-session")
        campaign.do("open-session", title="Second")
        campaign.do("roll", expression="1d20")
        assert [answer.verdict for answer in campaign.audit()[:1]] == [Verdict.VERIFIED]
    with book_at(place, tmp_path / "one") as book:
        assert "Second" in " ".join(log(book))
    assert WORDS.encode() in b"".join(path.read_bytes() for path in place.archive.iterdir()) + b"".join(
        path.read_bytes() for path in place.base.rglob("*") if path.is_file()
    ), "removed words stay in base backups and in the archived log, as the page says"


def test_a_dump_restored_on_another_server_is_the_store_there_once_it_is_told(
    place: Place, tmp_path: Path, rollbook: RunRollbook
) -> None:
    with book_at(place, tmp_path / "one") as book:
        campaign = book.new("Sherwood", "storytoken")
        for number in range(20):
            campaign.do("note", text=f"note {number}")
        kept = log(book)
    dump = place.server.folder / "dump"
    place.server.run("pg_dump", "-Fc", "-f", dump, "-d", place.address("rollbook_owner"))
    other = postgres.PostgresServer()
    try:
        other.make()
        database = other.new_database(migrated=False)
        other.run("pg_restore", "--exit-on-error", "-d", other.dsn("rollbook_owner", database), dump)
        address = other.dsn("rollbook", database)
        refused = rollbook(f"--store '{address}' campaigns")
        assert refused.code and "from another server" in refused.err, refused
        told = rollbook(f"--store '{other.dsn('rollbook_owner', database)}' store migrate")
        assert told.code == 0, told
        verified = rollbook(f"--store '{address}' store verify")
        assert verified.code == 0, verified
        with book_on(address, tmp_path / "one") as book:
            assert log(book) == kept
            book.campaign("sherwood").do("note", text="on the other server")
            assert len(log(book)) == len(kept) + 1
    finally:
        other.close()
