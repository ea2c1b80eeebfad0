"""What is no store of ours is refused in a sentence, without the password, and nothing is changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from benchmarks.ports import free_port
from rollbook.adapters.storage.postgres import schema, store, upkeep
from rollbook.adapters.storage.postgres.schema import LAYOUT
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.storage.postgres.upkeep import migrate, vacuum
from rollbook.application.ports.store_address import shown
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.history.event_store import START, NewEntry
from rollbook.domain.history.redaction import without_notes
from tests.support.postgres import OWNER, PASSWORDS, PROGRAM, stored_bytes
from tests.support.web import until

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer

SECRET = "s3cr:t@/?#"
NOTE = b'["Taken@1",{}]\n["Private@1",{}]\n["NoteWritten@1",{"text":"%s"}]\n["Seal@1",{}]'


def refusal(address: str) -> str:
    with pytest.raises(RollbookError) as refused:
        PostgresEventStore(address, patience=2.0)
    return str(refused.value)


def tables(server: PostgresServer, database: str) -> list[tuple[object, ...]]:
    return server.administer(
        "SELECT relnamespace::regnamespace::text, relname, relacl::text FROM pg_class "
        "WHERE relnamespace::regnamespace::text NOT LIKE ALL ('{pg_%,information_schema}') ORDER BY 1, 2",
        database,
    )


def test_each_wrong_address_has_its_sentence(postgres_server: PostgresServer) -> None:
    database = postgres_server.new_database()
    right = postgres_server.dsn(PROGRAM, database)
    wrong = {
        postgres_server.dsn(PROGRAM, database, password=SECRET): "does not take that password for this role",
        right.replace("rollbook:", "nobody:"): "does not take that password for this role",
        postgres_server.dsn(PROGRAM, "nowhere"): "has no such role or database",
        postgres_server.dsn(PROGRAM, database, port=free_port()): "does not answer",
        right.replace("127.0.0.1", "no-such-host.invalid"): "does not answer",
        f"postgresql://rollbook:{SECRET}@127.0.0.1:{postgres_server.port}/x": "",
        f"{right}?no_such_parameter=1": "is no address of a PostgreSQL server",
        "postgresql://rollbook:pass/word@127.0.0.1/x": "",
        "postgresql://rollbook@127.0.0.1:notaport/x": "is no address of a PostgreSQL server",
        postgres_server.dsn(PROGRAM, postgres_server.new_database(migrated=False)): "There is no rollbook store at",
    }
    for address, words in wrong.items():
        said = refusal(address)
        assert words in said
        assert "was not opened" in said
        assert said.count("\n") == 0
        for part in (SECRET, "s3cr", PASSWORDS[PROGRAM], "p%40ss", "pass/word", "word@"):
            assert part not in said
    with closing(PostgresEventStore(right)) as store:
        assert store.campaigns() == ()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://me:secret@db.example:5433/games", "postgresql://me@db.example:5433/games"),
        ("postgresql://db.example/games?user=me&password=secret", "postgresql://me@db.example/games"),
        ("postgresql://me:se@cret@db.example/games", "postgresql://me@db.example/games"),
        ("postgresql://me:12/34@db.example/games", "postgresql://…"),
        ("postgresql://me:se?cret@db.example/games", "postgresql://…"),
        ("postgresql://me:se#cret@db.example/games", "postgresql://…"),
        (
            "postgresql://one,two:5433/games?target_session_attrs=any",
            "postgresql://one,two:5433/games?target_session_attrs=any",
        ),
        ("postgresql://", "postgresql://mira@elsewhere/table"),
    ],
)
def test_an_address_is_shown_without_its_password(monkeypatch: pytest.MonkeyPatch, address: str, said: str) -> None:
    for name in ("PGUSER", "PGHOST", "PGPORT", "PGDATABASE"):
        monkeypatch.delenv(name, raising=False)
    if address == "postgresql://":
        monkeypatch.setenv("PGUSER", "mira")
        monkeypatch.setenv("PGHOST", "elsewhere")
        monkeypatch.setenv("PGDATABASE", "table")
        monkeypatch.setenv("PGPASSWORD", "secret")
    assert shown(address) == said


def test_variables_of_libpq_say_what_an_address_leaves_out(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres_server.new_database()
    variables = {"HOST": "127.0.0.1", "PORT": str(postgres_server.port), "USER": PROGRAM, "DATABASE": database}
    for name, value in {**variables, "PASSWORD": PASSWORDS[PROGRAM]}.items():
        monkeypatch.setenv(f"PG{name}", value)
    with closing(PostgresEventStore("postgresql://")) as store:
        store.append("sherwood", 0, [NewEntry("tick@1", b"x")])
        assert str(store.place) == f"postgresql://rollbook@127.0.0.1:{postgres_server.port}/{database}"


def test_a_role_without_rights_is_told_how_it_gets_them(postgres_server: PostgresServer, postgres_store: str) -> None:
    database = postgres_store.rpartition("/")[2]
    postgres_server.administer(f"REVOKE ALL ON SCHEMA rollbook FROM {PROGRAM}", database)
    assert "may not do that; it was not opened. Give it its rights" in refusal(postgres_store)
    migrate(postgres_server.dsn(OWNER, database))
    with closing(PostgresEventStore(postgres_store)) as store:
        assert store.campaigns() == ()


@pytest.mark.parametrize(("layout", "words"), [(99, "by a later version"), (0, "by an earlier version")])
def test_a_store_of_another_layout_is_left_as_it_is(
    postgres_server: PostgresServer, postgres_store: str, layout: int, words: str
) -> None:
    database = postgres_store.rpartition("/")[2]
    postgres_server.administer(f"UPDATE rollbook.store SET layout = {layout}", database)
    before = tables(postgres_server, database)
    assert words in refusal(postgres_store)
    with pytest.raises(RollbookError, match="by a later version" if layout == 99 else "cannot bring up to date"):
        migrate(postgres_server.dsn(OWNER, database))
    assert tables(postgres_server, database) == before
    assert postgres_server.administer("SELECT layout FROM rollbook.store", database) == [(layout,)]


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        ("CREATE TABLE invoices (id integer)", "holds tables of something else"),
        ("CREATE SCHEMA rollbook", "is not a rollbook store"),
        (
            f"SET ROLE {OWNER}; CREATE SCHEMA rollbook; CREATE TABLE rollbook.store (shelf integer)",
            "is not a rollbook store",
        ),
    ],
)
def test_a_database_that_is_not_ours_is_left_as_it_is(postgres_server: PostgresServer, theirs: str, words: str) -> None:
    database = postgres_server.new_database(migrated=False)
    postgres_server.administer(theirs, database)
    postgres_server.administer("GRANT USAGE ON SCHEMA public TO PUBLIC", database)
    before = tables(postgres_server, database)
    with pytest.raises(RollbookError, match=words):
        migrate(postgres_server.dsn(OWNER, database))
    assert any(
        said in refusal(postgres_server.dsn(PROGRAM, database)) for said in ("no rollbook store", "may not do that")
    )
    assert tables(postgres_server, database) == before


def test_only_the_owner_migrates_and_never_for_itself(postgres_server: PostgresServer) -> None:
    database = postgres_server.new_database(migrated=False)
    with pytest.raises(RollbookError, match="may make no tables there; nothing was changed"):
        migrate(postgres_server.dsn(PROGRAM, database), OWNER)
    for role in (OWNER, "postgres"):
        with pytest.raises(RollbookError, match="owns the tables or is an administrator"):
            migrate(postgres_server.dsn(OWNER, database), role)
    with pytest.raises(RollbookError, match="There is no role 'nobody'"):
        migrate(postgres_server.dsn(OWNER, database), "nobody")
    assert tables(postgres_server, database) == []


def test_several_who_migrate_at_once_make_one_store(postgres_server: PostgresServer) -> None:
    database = postgres_server.new_database(migrated=False)
    owner = postgres_server.dsn(OWNER, database)
    script = "import sys; from rollbook.adapters.storage.postgres.upkeep import migrate; migrate(sys.argv[1])"
    python = [sys.executable, "-c", script, owner]
    running = [subprocess.Popen(python) for _ in range(3)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert postgres_server.administer("SELECT COUNT(*) FROM rollbook.store", database) == [(1,)]


def test_a_store_that_was_restored_on_another_server_is_told_so_once(
    postgres_server: PostgresServer, postgres_store: str
) -> None:
    database = postgres_store.rpartition("/")[2]
    with closing(PostgresEventStore(postgres_store)) as store:
        store.append("sherwood", 0, [NewEntry("tick@1", b"%d" % number) for number in range(5)])
        identity, before = store.identity(), store.last_position()
    # As pg_restore leaves it: numbers of transactions that this server has not come to yet.
    postgres_server.administer(
        "UPDATE rollbook.store SET cluster = '1'; UPDATE rollbook.stored_events SET xid = '99999999'", database
    )
    assert "was restored here from another server" in refusal(postgres_store)
    migrate(postgres_server.dsn(OWNER, database))
    with closing(PostgresEventStore(postgres_store)) as store:
        assert store.identity() == identity
        assert store.state(before).known is None, "what was noted of the old server's order means nothing here"
        store.append("sherwood", 5, [NewEntry("tick@1", b"5")])
        assert [change.entry.data for change in store.changes(START)] == [b"0", b"1", b"2", b"3", b"4", b"5"]
        assert store.campaigns() == ("sherwood",)


def test_what_was_removed_leaves_the_files_when_the_owner_vacuums(postgres_server: PostgresServer) -> None:
    database = postgres_server.new_database()
    words = b"Zebrafinkenwort"
    with closing(PostgresEventStore(postgres_server.dsn(PROGRAM, database))) as store:
        said = NOTE % words
        store.append("sherwood", 0, [NewEntry("note@1", said), NewEntry("note@1", NOTE % (words * 500))])
        assert holds(postgres_server, database, words)
        instead = {1: without_notes(said), 2: without_notes(NOTE % (words * 500))}
        store.redact("sherwood", 2, [NewEntry("tick@1", b"x")], instead)
        assert not store.is_wiped()
        assert vacuum(postgres_server.dsn(OWNER, database)) == 1
        assert store.is_wiped()
        assert not holds(postgres_server, database, words)
        assert [entry.data for entry in store.read("sherwood")] == [*instead.values(), b"x"]


def test_a_redaction_vacuums_at_once_where_the_owners_address_is_known(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres_server.new_database()
    monkeypatch.setenv("ROLLBOOK_STORE_OWNER", postgres_server.dsn(OWNER, database))
    with closing(PostgresEventStore(postgres_server.dsn(PROGRAM, database))) as store:
        said = NOTE % b"Zebrafinkenwort"
        store.append("sherwood", 0, [NewEntry("note@1", said)])
        store.redact("sherwood", 1, [NewEntry("tick@1", b"x")], {1: without_notes(said)})
        assert store.is_wiped()
    assert not holds(postgres_server, database, b"Zebrafinkenwort")


def holds(server: PostgresServer, database: str, words: bytes) -> bool:
    """Whether the files of a database hold these words, once all that is in memory is written to them."""
    server.administer("CHECKPOINT")
    ((number,),) = server.administer(f"SELECT oid FROM pg_database WHERE datname = '{database}'")
    return words in stored_bytes(server.data / "base" / str(number))


NEXT = ("ALTER TABLE rollbook.removals ADD COLUMN why text NOT NULL DEFAULT ''",)
"""A migration that some later version may need."""


@pytest.fixture
def next_layout(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[str, ...]], None]:
    """Play the next version, whose tables have another layout."""

    def play(statements: tuple[str, ...]) -> None:
        for module in (upkeep, store):
            monkeypatch.setattr(module, "LAYOUT", LAYOUT + 1)
        monkeypatch.setitem(schema.RAISES, LAYOUT, statements)

    return play


def test_a_layout_is_raised_and_its_campaigns_are_played_on(
    postgres_server: PostgresServer, postgres_store: str, next_layout: Callable[[tuple[str, ...]], None]
) -> None:
    database = postgres_store.rpartition("/")[2]
    with closing(PostgresEventStore(postgres_store)) as before:
        before.append("sherwood", 0, [NewEntry("tick@1", b"x")])
    next_layout(NEXT)
    assert "by an earlier version" in refusal(postgres_store)
    migrate(postgres_server.dsn(OWNER, database))
    migrate(postgres_server.dsn(OWNER, database))
    assert postgres_server.administer("SELECT layout FROM rollbook.store", database) == [(LAYOUT + 1,)]
    with closing(PostgresEventStore(postgres_store)) as after:
        after.append("sherwood", 1, [NewEntry("tick@1", b"y")])
        assert [stored.data for stored in after.read("sherwood")] == [b"x", b"y"]


def test_a_migration_that_fails_leaves_the_layout_and_the_tables(
    postgres_server: PostgresServer, postgres_store: str, next_layout: Callable[[tuple[str, ...]], None]
) -> None:
    database = postgres_store.rpartition("/")[2]
    before = tables(postgres_server, database)
    next_layout((*NEXT, "ALTER TABLE rollbook.nothing ADD COLUMN why text"))
    with pytest.raises(RollbookError, match="nothing was changed"):
        migrate(postgres_server.dsn(OWNER, database))
    assert tables(postgres_server, database) == before
    assert postgres_server.administer("SELECT layout FROM rollbook.store", database) == [(LAYOUT,)]
    assert not postgres_server.administer(
        "SELECT FROM information_schema.columns WHERE table_schema = 'rollbook' AND column_name = 'why'", database
    )


def test_a_role_that_may_not_connect_is_told_so(postgres_server: PostgresServer, postgres_store: str) -> None:
    database = postgres_store.rpartition("/")[2]
    postgres_server.administer(f"REVOKE CONNECT ON DATABASE {database} FROM PUBLIC, {PROGRAM}")
    assert "may not connect to that database; it was not opened. As its owner: GRANT CONNECT" in refusal(postgres_store)


def test_no_password_is_another_fault_than_a_wrong_one(
    postgres_store: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    without = re.sub(r"//([^:]+):[^@]+@", r"//\1@", postgres_store)
    assert "asks for a password, and none was given; it was not opened. Give it in PGPASSWORD" in refusal(without)


def test_a_server_without_tls_and_one_whose_certificate_is_not_trusted_are_told_apart(
    postgres_server: PostgresServer, postgres_store: str, tmp_path: Path
) -> None:
    assert "does not speak TLS, which the address asks for" in refusal(f"{postgres_store}?sslmode=require")
    certificate, key = own_certificate()
    (tmp_path / "other.pem").write_bytes(own_certificate()[0])
    for name, text in (("server.crt", certificate), ("server.key", key)):
        path = postgres_server.data / name
        path.write_bytes(text)
        path.chmod(0o600)
        found = postgres_server.data.stat()
        os.chown(path, found.st_uid, found.st_gid)
    postgres_server.administer("ALTER SYSTEM SET ssl = on")
    try:
        postgres_server.administer("SELECT pg_reload_conf()")
        verifying = f"{postgres_store}?sslmode=verify-full&sslrootcert="
        until(lambda: "is not trusted here" in refusal(f"{verifying}{tmp_path / 'other.pem'}"), 10)
        assert "is not trusted here" in refusal(f"{verifying}{tmp_path / 'nowhere.pem'}")
        with closing(PostgresEventStore(f"{postgres_store}?sslmode=require")) as store:
            assert store.campaigns() == ()
    finally:
        postgres_server.administer("ALTER SYSTEM RESET ssl")
        postgres_server.administer("SELECT pg_reload_conf()")


def own_certificate() -> tuple[bytes, bytes]:
    """A certificate that nobody has signed, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "db.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    return made.public_bytes(pem), key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
